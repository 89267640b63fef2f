import { expect, it } from 'vitest';
import { notFound, unauthenticated, unavailable } from '../../../src/lib/errors.ts';

it('what is missing is named, never why', () => {
  expect(notFound('survey')).toMatchObject({
    kind: 'not_found',
    code: 'not_found',
    message: 'No such survey',
  });
});

it('a bad credential is always told in the same words, with what would be right', () => {
  expect(unauthenticated()).toMatchObject({
    message: 'Sign in, or send a valid API key or token',
    headers: { 'WWW-Authenticate': 'Bearer' },
  });
});

it('what is away says when to come back', () => {
  expect(unavailable('Away', 5).headers).toEqual({ 'Retry-After': '5' });
});

import { expect, it } from 'vitest';
import { notFound, unauthenticated, unavailable } from '../../../src/lib/errors.ts';

it('notFound names the resource without a reason', () => {
  expect(notFound('survey')).toMatchObject({
    kind: 'not_found',
    code: 'not_found',
    message: 'No such survey',
  });
});

it('unauthenticated always has the same message and names the accepted credentials', () => {
  expect(unauthenticated()).toMatchObject({
    message: 'Sign in, or send a valid API key or token',
    headers: { 'WWW-Authenticate': 'Bearer' },
  });
});

it('unavailable has a Retry-After header', () => {
  expect(unavailable('Away', 5).headers).toEqual({ 'Retry-After': '5' });
});

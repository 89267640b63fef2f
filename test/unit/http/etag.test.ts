import { expect, test } from 'vitest';
import { matchesEtag } from '../../../src/http/reply.ts';

test.each([
  ['"a"', true],
  ['W/"a"', true],
  ['"b", W/"a" , "c"', true],
  ['*', true],
  ['"b"', false],
  ['a', false],
  ['', false],
  [null, false],
])('with If-None-Match %s, a match with the ETag "a" is %s', (header, has) =>
  expect(matchesEtag(header, '"a"')).toBe(has),
);

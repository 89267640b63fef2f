import { expect, it } from 'vitest';
import { replyPreference } from '../../../src/http/background.ts';

it.each([
  [undefined, null],
  ['', null],
  ['respond-async', 'respond-async'],
  ['Respond-Async; foo=bar', 'respond-async'],
  ['handling=lenient, respond-async', 'respond-async'],
  ['wait=10, respond-async', 'respond-async'],
  [['return=minimal', 'respond-async'], 'respond-async'],
  ['wait', 'wait'],
  ['wait=30', 'wait'],
  ['waiting', null],
  ['foo="respond-async, wait"', null],
] as const)('Prefer: %j means %j', (header, meant) => {
  expect(replyPreference(typeof header === 'object' ? [...header] : header)).toBe(meant);
});

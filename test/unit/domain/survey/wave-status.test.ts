import { expect, it } from 'vitest';
import { waveStatusOf } from '../../../../src/domain/survey/status.ts';

const now = new Date('2026-03-01T12:00:00Z');
const at = (text: string | null) => (text === null ? null : new Date(text));

it.each([
  ['active', null, null],
  ['active', null, '2026-03-01T12:00:00.001Z'],
  ['active', '2026-03-01T12:00:00Z', null],
  ['scheduled', '2026-03-01T12:00:00.001Z', null],
  ['scheduled', '2026-03-02T00:00:00Z', '2026-03-03T00:00:00Z'],
  ['ended', null, '2026-03-01T12:00:00Z'],
  ['ended', '2026-02-01T00:00:00Z', '2026-03-01T00:00:00Z'],
] as const)('a wave is %s when it starts at %s and ends at %s', (expected, start, end) => {
  expect(waveStatusOf({ start: at(start), end: at(end) }, now)).toBe(expected);
});

import { expect, test } from 'vitest';
import { momentOfWallClock } from '../../../src/lib/wall-clock.ts';

test.each([
  ['2026-03-01T09:30:00', 'UTC', '2026-03-01T09:30:00.000Z'],
  ['2026-03-01T09:30', 'America/Denver', '2026-03-01T16:30:00.000Z'],
  ['2026-07-01T09:30:00.25', 'Europe/Berlin', '2026-07-01T07:30:00.250Z'],
  ['2026-01-01T00:15:00', 'Asia/Kathmandu', '2025-12-31T18:30:00.000Z'],
  // The hour before and after clocks change; what occurs twice is the first, what is skipped keeps the offset before.
  ['2026-10-25T02:30:00', 'Europe/Berlin', '2026-10-25T00:30:00.000Z'],
  ['2026-10-25T03:00:00', 'Europe/Berlin', '2026-10-25T02:00:00.000Z'],
  ['2026-03-29T02:30:00', 'Europe/Berlin', '2026-03-29T01:30:00.000Z'],
  ['2026-03-29T03:00:00', 'Europe/Berlin', '2026-03-29T01:00:00.000Z'],
])('clocks that show %s in %s do so at %s', (wallClock, timeZone, moment) => {
  expect(momentOfWallClock(wallClock, timeZone)?.toISOString()).toBe(moment);
});

test('a date that does not exist is no moment', () => {
  expect(momentOfWallClock('2026-13-01T09:30:00', 'Europe/Berlin')).toBeNull();
});

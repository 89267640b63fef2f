import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { isTimeZone, getTimeZone } from '../../../src/lib/time-zone.ts';

test.each([
  ['Europe/Berlin', true],
  ['utc', true],
  ['Etc/GMT+3', true],
  ['Mars/Olympus', false],
  ['../etc', false],
  ['+01:00', false],
  ['', false],
])('validates the time zone %j: %s', (name, expected) => {
  expect(isTimeZone(name)).toBe(expected);
});

/** A wall clock as the milliseconds at which UTC shows it. */
const wall = (text: string) => Date.parse(`${text}Z`);
const iso = (ms: number) => new Date(ms).toISOString().slice(0, 19);

describe('a local time', () => {
  it.each([
    ['an ordinary time', 'Europe/Berlin', '2026-03-02T09:30:00', '2026-03-02T08:30:00'],
    [
      'the last second before clocks go forward',
      'Europe/Berlin',
      '2026-03-29T01:59:59',
      '2026-03-29T00:59:59',
    ],
    ['the first second after it', 'Europe/Berlin', '2026-03-29T03:00:00', '2026-03-29T01:00:00'],
    [
      'a skipped hour, read with the offset before',
      'Europe/Berlin',
      '2026-03-29T02:30:00',
      '2026-03-29T01:30:00',
    ],
    ['a repeated hour, the first time', 'Europe/Berlin', '2026-10-25T02:30:00', '2026-10-25T00:30:00'],
    ['a skipped half hour', 'Australia/Lord_Howe', '2026-10-04T02:10:00', '2026-10-03T15:40:00'],
    ['a skipped midnight', 'Asia/Beirut', '2026-03-29T00:00:00', '2026-03-28T22:00:00'],
    ['a skipped day', 'Pacific/Apia', '2011-12-30T12:00:00', '2011-12-30T22:00:00'],
    ['before daylight saving time existed', 'America/New_York', '1900-07-01T12:00:00', '1900-07-01T17:00:00'],
  ])('%s', (_, zone, shown, moment) => {
    expect(iso(getTimeZone(zone).instantMs(wall(shown)))).toBe(moment);
  });

  it('of a repeated hour can mean the second time', () => {
    const berlin = getTimeZone('Europe/Berlin');
    expect(iso(berlin.instantMs(wall('2026-10-25T02:30:00'), 'later'))).toBe('2026-10-25T01:30:00');
    expect(iso(berlin.instantMs(wall('2026-10-25T03:30:00'), 'later'))).toBe('2026-10-25T02:30:00');
  });
});

describe('a day', () => {
  it.each([
    ['of 23 hours', 'Europe/Berlin', '2026-03-29T20:00:00', '2026-03-28T23:00:00'],
    ['of 25 hours', 'Europe/Berlin', '2026-10-25T22:59:59', '2026-10-24T22:00:00'],
    ["that starts at one o'clock", 'Asia/Beirut', '2026-03-29T10:00:00', '2026-03-28T22:00:00'],
    ['with two midnights', 'America/Havana', '2026-11-01T04:30:00', '2026-11-01T04:00:00'],
  ])('%s starts at its first moment', (_, zone, moment, start) => {
    expect(iso(getTimeZone(zone).startOfDayMs(wall(moment)))).toBe(start);
  });
});

const zones = [
  'Europe/Berlin',
  'America/New_York',
  'Pacific/Chatham',
  'Australia/Lord_Howe',
  'Asia/Kathmandu',
];
const moments = fc
  .date({ min: new Date('1990-01-01'), max: new Date('2040-01-01'), noInvalidDate: true })
  .map((date) => date.getTime());

test('every moment equals its local time, the first or second time it occurs', () => {
  fc.assert(
    fc.property(fc.constantFrom(...zones), moments, (name, ms) => {
      const zone = getTimeZone(name);
      const shown = zone.wallClockMs(ms);
      expect([zone.instantMs(shown), zone.instantMs(shown, 'later')]).toContain(ms);
    }),
    { numRuns: 2_000 },
  );
});

test('the start of a day is not after any of its moments, and is its own start', () => {
  fc.assert(
    fc.property(fc.constantFrom(...zones), moments, (name, ms) => {
      const zone = getTimeZone(name);
      const start = zone.startOfDayMs(ms);
      expect(start).toBeLessThanOrEqual(ms);
      expect(zone.startOfDayMs(start)).toBe(start);
      expect(iso(zone.wallClockMs(start)).slice(0, 10)).toBe(iso(zone.wallClockMs(ms)).slice(0, 10));
    }),
    { numRuns: 2_000 },
  );
});

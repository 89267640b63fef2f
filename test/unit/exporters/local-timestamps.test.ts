import fc from 'fast-check';
import { expect, test } from 'vitest';
import { LocalTimestamps } from '../../../src/exporters/file-column.ts';

test.each([
  ['Europe/Berlin', '2026-03-29T00:59:59.999Z', '2026-03-29T01:59:59.999+01:00'],
  ['Europe/Berlin', '2026-03-29T01:00:00.000Z', '2026-03-29T03:00:00.000+02:00'],
  ['America/St_Johns', '2026-01-01T02:00:00.000Z', '2025-12-31T22:30:00.000-03:30'],
  ['Asia/Kathmandu', '2026-01-01T00:00:00.000Z', '2026-01-01T05:45:00.000+05:45'],
  ['UTC', '2026-01-01T00:00:00.000Z', '2026-01-01T00:00:00.000Z'],
])('the time zone %s shows %s as %s', (zone, moment, shown) => {
  expect(new LocalTimestamps(zone, false).toIso(moment)).toBe(shown);
});

test('refers to the same moment in any zone', () => {
  const zones = ['Pacific/Chatham', 'America/New_York', 'Australia/Lord_Howe'].map(
    (zone) => new LocalTimestamps(zone, false),
  );
  const range = { min: new Date('1990-01-01'), max: new Date('2040-01-01'), noInvalidDate: true };
  fc.assert(
    fc.property(fc.date(range), fc.constantFrom(...zones), (date, zone) => {
      expect(Date.parse(zone.toIso(date.toISOString()))).toBe(date.getTime());
    }),
  );
});

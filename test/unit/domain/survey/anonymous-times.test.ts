import { describe, expect, test } from 'vitest';
import { anonymousResponseId, IDS_PER_DAY } from '../../../../src/domain/survey/anonymous-times.ts';

const id = (startedAt: string, timeZone: string, random = 0) =>
  anonymousResponseId(new Date(startedAt), timeZone, random);

describe('the id of a response to an anonymous survey', () => {
  test('has the number of the local day, so that it shows no more of the time than the day does', () => {
    const day = 2_160 * IDS_PER_DAY; // 2025-11-30
    expect(id('2025-11-30T00:00:00Z', 'UTC')).toBe(day);
    expect(id('2025-11-30T23:59:59.999Z', 'UTC', 17)).toBe(day + 17);
    expect(id('2025-11-29T23:30:00Z', 'Europe/Berlin')).toBe(day);
    expect(id('2025-12-01T04:30:00Z', 'America/New_York')).toBe(day);
  });

  test('is exact in JavaScript until 2266, and fits a path', () => {
    const last = id('2266-08-01T00:00:00Z', 'UTC', IDS_PER_DAY - 1);
    expect(Number.isSafeInteger(last)).toBe(true);
    expect(String(id('2047-01-01T00:00:00Z', 'UTC', IDS_PER_DAY - 1))).toHaveLength(15);
  });

  test('is positive where the clock of the server is wrong', () => {
    expect(id('1970-01-01T00:00:00Z', 'UTC')).toBe(IDS_PER_DAY);
  });
});

import { describe, expect, it } from 'vitest';
import { OpenedAtTokens } from '../../../../src/services/collection/respondent-pages.ts';

const HOUR_MS = 3_600_000;
let nowMs = Date.UTC(2026, 0, 1, 12);
const moments = new OpenedAtTokens('a-secret', { now: () => new Date(nowMs) });

/** What is read of what was made, so many milliseconds later. */
function readAfter(ms: number, surveyId = 7, change: (opened: string) => string = (opened) => opened) {
  const madeAtMs = nowMs;
  const opened = moments.create(7);
  nowMs += ms;
  const read = moments.verify(surveyId, change(opened));
  return { read: read?.getTime() ?? null, madeAtMs, nowMs };
}

describe('the opened-at token of a survey', () => {
  it('round-trips', () => {
    const { read, madeAtMs } = readAfter(90_000);
    expect(read).toBe(madeAtMs);
  });

  it('is at most a day old', () => {
    const later = readAfter(30 * HOUR_MS);
    expect(later.read).toBe(later.nowMs - 24 * HOUR_MS);
  });

  it('is never in the future', () => {
    const earlier = readAfter(-HOUR_MS);
    expect(earlier.read).toBe(earlier.nowMs);
  });

  it.each<[string, (opened: string) => string]>([
    ['was set back', (opened) => opened.replace(/^\d+/, (ms) => String(Number(ms) - HOUR_MS))],
    ['has another signature', (opened) => opened.slice(0, -1) + (opened.endsWith('A') ? 'B' : 'A')],
    ['is not a timestamp', () => 'yesterday'],
    ['is empty', () => ''],
  ])('is ignored if it %s', (_, change) => {
    expect(readAfter(1_000, 7, change).read).toBeNull();
  });

  it('is valid only for its own survey and server', () => {
    expect(readAfter(1_000, 8).read).toBeNull();
    const others = new OpenedAtTokens('another-secret', { now: () => new Date(nowMs) });
    expect(moments.verify(7, others.create(7))).toBeNull();
    expect(moments.verify(7, null)).toBeNull();
  });
});

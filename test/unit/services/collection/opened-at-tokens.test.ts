import { describe, expect, it } from 'vitest';
import { OpenedAtTokens } from '../../../../src/services/collection/opened-at-tokens.ts';

const HOUR_MS = 3_600_000;
let nowMs = Date.UTC(2026, 0, 1, 12);
const tokens = new OpenedAtTokens('a-secret', { now: () => new Date(nowMs) });

/** Creates a token and verifies it `ms` milliseconds later. */
function verifyAfter(ms: number, surveyId = 7, change: (token: string) => string = (token) => token) {
  const madeAtMs = nowMs;
  const token = tokens.create(7);
  nowMs += ms;
  const read = tokens.verify(surveyId, change(token));
  return { read: read?.getTime() ?? null, madeAtMs, nowMs };
}

describe('opened-at token', () => {
  it('returns the time of its creation', () => {
    const { read, madeAtMs } = verifyAfter(90_000);
    expect(read).toBe(madeAtMs);
  });

  it('returns a time of at most a day ago', () => {
    const later = verifyAfter(30 * HOUR_MS);
    expect(later.read).toBe(later.nowMs - 24 * HOUR_MS);
  });

  it('never returns a time in the future', () => {
    const earlier = verifyAfter(-HOUR_MS);
    expect(earlier.read).toBe(earlier.nowMs);
  });

  it.each<[string, (token: string) => string]>([
    ['has an earlier time', (token) => token.replace(/^\d+/, (ms) => String(Number(ms) - HOUR_MS))],
    ['has an invalid signature', (token) => token.slice(0, -1) + (token.endsWith('A') ? 'B' : 'A')],
    ['is not a token', () => 'yesterday'],
    ['is empty', () => ''],
  ])('is rejected if it %s', (_, change) => {
    expect(verifyAfter(1_000, 7, change).read).toBeNull();
  });

  it('is valid only for its survey and secret', () => {
    expect(verifyAfter(1_000, 8).read).toBeNull();
    const otherTokens = new OpenedAtTokens('another-secret', { now: () => new Date(nowMs) });
    expect(tokens.verify(7, otherTokens.create(7))).toBeNull();
    expect(tokens.verify(7, null)).toBeNull();
  });
});

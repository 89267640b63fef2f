import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { LIMIT_WINDOW_MS, inProcessCounters, secondsUntilReset } from '../../../src/lib/window-counter.ts';

const WINDOW_SECONDS = LIMIT_WINDOW_MS / 1_000;
const HOUR_MS = 60 * 60 * 1_000;

beforeEach(() => void vi.useFakeTimers({ toFake: ['Date', 'performance'] }));
afterEach(() => void vi.useRealTimers());

const counter = () => inProcessCounters('test', LIMIT_WINDOW_MS);

describe('a window of counts', () => {
  it('counts up and down by key, never below zero', async () => {
    const counts = counter();
    expect((await counts.increment('a')).totalHits).toBe(1);
    expect((await counts.increment('a')).totalHits).toBe(2);
    expect((await counts.increment('b')).totalHits).toBe(1);
    for (let time = 0; time < 3; time += 1) await counts.decrement('a');
    await counts.decrement('unknown');
    expect((await counts.increment('a')).totalHits).toBe(1);
  });

  it('restarts for a key that was reset', async () => {
    const counts = counter();
    for (let time = 0; time < 3; time += 1) await counts.increment('a');
    await counts.increment('b');
    await counts.reset('a');
    expect((await counts.increment('a')).totalHits).toBe(1);
    expect((await counts.increment('b')).totalHits).toBe(2);
  });

  it('ends a fixed time after the first count, even if counting continues', async () => {
    const counts = counter();
    // The window of the key is not that of the counter.
    vi.advanceTimersByTime(LIMIT_WINDOW_MS / 2);
    const first = await counts.increment('a');
    expect(secondsUntilReset(first)).toBe(WINDOW_SECONDS);
    vi.advanceTimersByTime(LIMIT_WINDOW_MS - 1_000);
    const last = await counts.increment('a');
    expect(last).toEqual({ totalHits: 2, endsAtMs: first.endsAtMs });
    expect(secondsUntilReset(last)).toBe(1);
    vi.advanceTimersByTime(1_000);
    expect(secondsUntilReset(last)).toBe(0);
    expect((await counts.increment('a')).totalHits).toBe(1);
    vi.advanceTimersByTime(10 * LIMIT_WINDOW_MS);
    expect((await counts.increment('a')).totalHits).toBe(1);
  });

  it.each([-HOUR_MS, HOUR_MS])(
    'neither ends nor grows when the system clock shifts by %d ms',
    async (step) => {
      const counts = counter();
      await counts.increment('a');
      vi.setSystemTime(Date.now() + step);
      const count = await counts.increment('a');
      expect(count.totalHits).toBe(2);
      expect(secondsUntilReset(count)).toBe(WINDOW_SECONDS);
    },
  );

  it('is never longer than one window, even with counts of another process', () => {
    expect(secondsUntilReset({ endsAtMs: performance.now() + HOUR_MS })).toBe(WINDOW_SECONDS);
  });
});

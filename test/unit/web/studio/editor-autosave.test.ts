import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Autosave, type SaveStatus } from '../../../../src/web/studio/client/editor/autosave.ts';

describe('autosave', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  function createAutosave(save: (key: string) => Promise<void>) {
    const statuses: SaveStatus['kind'][] = [];
    const autosave = new Autosave({
      save,
      isTransient: ({ message }) => message === 'offline',
      onStatus: ({ kind }) => statuses.push(kind),
      delayMs: 600,
      firstRetryMs: 1_000,
    });
    return { autosave, statuses };
  }

  it('saves once after the last of several edits', async () => {
    const save = vi.fn(() => Promise.resolve());
    const { autosave, statuses } = createAutosave(save);
    autosave.schedule('question-1');
    await vi.advanceTimersByTimeAsync(500);
    autosave.schedule('question-1');
    await vi.advanceTimersByTimeAsync(500);
    expect(save).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(100);
    expect(save).toHaveBeenCalledTimes(1);
    expect(autosave.hasUnsaved).toBe(false);
    expect(statuses).toEqual(['saving', 'saved']);
  });

  it('saves again what was edited during the request', async () => {
    const finish: (() => void)[] = [];
    const save = vi.fn(() => new Promise<void>((resolve) => finish.push(resolve)));
    const { autosave } = createAutosave(save);
    autosave.schedule('question-1');
    await vi.advanceTimersByTimeAsync(600);
    autosave.schedule('question-1');
    finish[0]?.();
    await vi.advanceTimersByTimeAsync(0);
    expect(autosave.hasUnsaved).toBe(true);
    await vi.advanceTimersByTimeAsync(600);
    expect(save).toHaveBeenCalledTimes(2);
    finish[1]?.();
    await vi.advanceTimersByTimeAsync(0);
    expect(autosave.hasUnsaved).toBe(false);
  });

  it('repeats what failed without a connection until it succeeds', async () => {
    let isOffline = true;
    const save = vi.fn(() => (isOffline ? Promise.reject(new Error('offline')) : Promise.resolve()));
    const { autosave, statuses } = createAutosave(save);
    autosave.schedule('question-1');
    await autosave.flush();
    expect(statuses.at(-1)).toBe('failed');
    await vi.advanceTimersByTimeAsync(1_000);
    expect(save).toHaveBeenCalledTimes(2);
    isOffline = false;
    await vi.advanceTimersByTimeAsync(2_000);
    expect(save).toHaveBeenCalledTimes(3);
    expect(statuses.at(-1)).toBe('saved');
  });

  it('does not repeat what was refused until it is edited', async () => {
    let reason: string | null = 'is required';
    const save = vi.fn(() => (reason === null ? Promise.resolve() : Promise.reject(new Error(reason))));
    const { autosave, statuses } = createAutosave(save);
    autosave.schedule('question-1');
    await vi.advanceTimersByTimeAsync(60_000);
    expect(save).toHaveBeenCalledTimes(1);
    expect(autosave.hasUnsaved).toBe(true);
    expect(statuses.at(-1)).toBe('failed');
    reason = null;
    autosave.schedule('question-1');
    await autosave.flush();
    expect(autosave.hasUnsaved).toBe(false);
    expect(statuses.at(-1)).toBe('saved');
  });
});

import { describe, expect, it, vi } from 'vitest';
import { CommandHistory } from '../../../../src/web/studio/client/editor/command-history.ts';

describe('the history of the editor', () => {
  const recorder = () => {
    const calls: string[] = [];
    const command = (label: string) => ({
      label,
      undo: () => Promise.resolve(void calls.push(`undo ${label}`)),
      redo: () => Promise.resolve(void calls.push(`redo ${label}`)),
    });
    return { calls, command };
  };

  it('undoes in reverse order and repeats in order', async () => {
    const { calls, command } = recorder();
    const history = new CommandHistory();
    history.record(command('a'));
    history.record(command('b'));
    await history.undo();
    await history.undo();
    expect(history.canUndo).toBe(false);
    expect(await history.undo()).toBeNull();
    await history.redo();
    await history.redo();
    expect(history.canRedo).toBe(false);
    expect(await history.redo()).toBeNull();
    expect(calls).toEqual(['undo b', 'undo a', 'redo a', 'redo b']);
  });

  it('forgets what was undone when another change follows', async () => {
    const { command } = recorder();
    const history = new CommandHistory();
    history.record(command('a'));
    await history.undo();
    history.record(command('b'));
    expect(history.canRedo).toBe(false);
    expect((await history.undo())?.label).toBe('b');
  });

  it('keeps a command whose call fails', async () => {
    const onChange = vi.fn();
    const history = new CommandHistory(onChange);
    const fail = () => Promise.reject(new Error('no connection'));
    history.record({ label: 'a', undo: fail, redo: fail });
    await expect(history.undo()).rejects.toThrow('no connection');
    expect(history.canUndo).toBe(true);
    expect(onChange).toHaveBeenCalledTimes(1);
  });

  it('removes the undone command, not one that was recorded meanwhile', async () => {
    const { command } = recorder();
    const history = new CommandHistory();
    history.record({
      ...command('a'),
      undo: () => Promise.resolve(history.record(command('b'))),
    });
    await history.undo();
    expect((await history.undo())?.label).toBe('b');
  });
});

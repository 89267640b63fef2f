import { expect, it } from 'vitest';
import { anySignal } from '../../../src/lib/concurrency.ts';

it('aborts when one signal aborts, with its reason and only once', () => {
  const [first, second] = [new AbortController(), new AbortController()];
  const { signal } = anySignal(first.signal, second.signal);
  const fired: unknown[] = [];
  signal.addEventListener('abort', () => fired.push(signal.reason));
  expect(signal.aborted).toBe(false);
  second.abort('enough');
  first.abort('too late');
  expect(fired).toEqual(['enough']);
});

it('is aborted already if one signal is', () => {
  const { signal } = anySignal(new AbortController().signal, AbortSignal.abort('before'));
  expect(signal.reason).toBe('before');
});

it('does not abort after disposal', () => {
  const source = new AbortController();
  const { signal, dispose } = anySignal(source.signal);
  dispose();
  source.abort();
  expect(signal.aborted).toBe(false);
});

import { expect, it } from 'vitest';
import { anySignal } from '../../../src/lib/any-signal.ts';

it('fires when one of them does, with its reason, and only once', () => {
  const [first, second] = [new AbortController(), new AbortController()];
  const { signal } = anySignal(first.signal, second.signal);
  const fired: unknown[] = [];
  signal.addEventListener('abort', () => fired.push(signal.reason));
  expect(signal.aborted).toBe(false);
  second.abort('enough');
  first.abort('too late');
  expect(fired).toEqual(['enough']);
});

it('has fired already where one of them has', () => {
  const { signal } = anySignal(new AbortController().signal, AbortSignal.abort('before'));
  expect(signal.reason).toBe('before');
});

it('does not fire once it is untied', () => {
  const source = new AbortController();
  const { signal, dispose } = anySignal(source.signal);
  dispose();
  source.abort();
  expect(signal.aborted).toBe(false);
});

import { close, open } from 'node:fs';
import os from 'node:os';

const EXHAUSTED = new Set(['EMFILE', 'ENFILE']);

/**
 * Reports when this process has no free file descriptor (true), and when it has one again (false). Node accepts and closes connections
 * then without an event, so this function tries to open a file every `everyMs`. Returns a function that ends the checks.
 */
export function watchFileDescriptors(report: (isExhausted: boolean) => void, everyMs = 1_000): () => void {
  let wasExhausted = false;
  const timer = setInterval(() => {
    open(os.devNull, (error, descriptor) => {
      if (error === null) close(descriptor, () => undefined);
      const isExhausted = error !== null && EXHAUSTED.has(error.code ?? '');
      if (isExhausted === wasExhausted) return;
      wasExhausted = isExhausted;
      report(isExhausted);
    });
  }, everyMs);
  timer.unref();
  return () => clearInterval(timer);
}

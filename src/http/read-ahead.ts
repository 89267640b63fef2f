import { mkdtemp, open, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';

const READ_BYTES = 256 * 1024;

/**
 * Takes what comes as fast as it comes, and keeps it in a temporary file until it is read: so a slow client holds nothing that is
 * needed to make it, and what it is made from is let go early. A reader that leaves ends the making.
 */
export async function* readAhead(chunks: AsyncIterable<string | Buffer>): AsyncGenerator<Buffer> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'canvass-reply-'));
  const file = await open(path.join(folder, 'reply'), 'wx+', 0o600);
  const state = {
    written: 0,
    ended: false,
    failure: null as Error | null,
    left: false,
    wake: () => undefined,
  };
  const making = (async () => {
    try {
      for await (const chunk of chunks) {
        if (state.left) return;
        const bytes = typeof chunk === 'string' ? Buffer.from(chunk) : chunk;
        await file.write(bytes, 0, bytes.length, state.written);
        state.written += bytes.length;
        state.wake();
      }
    } catch (error) {
      state.failure = error instanceof Error ? error : new Error(String(error));
    } finally {
      state.ended = true;
      state.wake();
    }
  })();
  try {
    for (let read = 0; ;) {
      if (read < state.written) {
        const part = Buffer.allocUnsafe(Math.min(READ_BYTES, state.written - read));
        const { bytesRead } = await file.read(part, 0, part.length, read);
        read += bytesRead;
        yield part.subarray(0, bytesRead);
      } else if (state.ended) {
        if (state.failure !== null) throw state.failure;
        return;
      } else {
        await new Promise<void>((resolve) => (state.wake = () => void resolve()));
      }
    }
  } finally {
    state.left = true;
    await making;
    await file.close();
    await rm(folder, { recursive: true, force: true });
  }
}

import { createHash } from 'node:crypto';

/** The totals of a stream. */
export interface ByteCount {
  bytes: number;
  sha256: string;
  /** Rows, in the text of a table. */
  lines: number;
}

const NEWLINE = 0x0a;

/** Passes chunks on, and calls `done` with the totals at the end. */
export async function* countBytes(
  chunks: AsyncIterable<Buffer>,
  done: (byteCount: ByteCount) => void,
): AsyncGenerator<Buffer> {
  const hash = createHash('sha256');
  let bytes = 0;
  let lines = 0;
  for await (const chunk of chunks) {
    hash.update(chunk);
    bytes += chunk.length;
    for (let at = chunk.indexOf(NEWLINE); at >= 0; at = chunk.indexOf(NEWLINE, at + 1)) lines += 1;
    yield chunk;
  }
  done({ bytes, lines, sha256: hash.digest('hex') });
}

import { createHash } from 'node:crypto';

/** What went through, when it has. */
export interface ByteCount {
  bytes: number;
  sha256: string;
  /** In a table's text a row is a line. */
  lines: number;
}

const NEWLINE = 0x0a;

/** Hands chunks on, and says at the end what they came to. */
export async function* countBytes(
  chunks: AsyncIterable<Buffer>,
  done: (counted: ByteCount) => void,
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

/** Repacks a stream into parts of exactly `partBytes`; the last part may be smaller. An empty stream has no parts. */
export async function* splitIntoParts(
  chunks: AsyncIterable<Buffer>,
  partBytes: number,
): AsyncGenerator<Buffer, undefined> {
  let pending: Buffer[] = [];
  let size = 0;
  for await (let chunk of chunks) {
    while (size + chunk.length >= partBytes) {
      const missingBytes = partBytes - size;
      yield Buffer.concat([...pending, chunk.subarray(0, missingBytes)], partBytes);
      chunk = chunk.subarray(missingBytes);
      pending = [];
      size = 0;
    }
    if (chunk.length === 0) continue;
    pending.push(chunk);
    size += chunk.length;
  }
  if (size > 0) yield Buffer.concat(pending, size);
  return undefined;
}

/** Joins a stream's chunks to parts of exactly `partBytes`, the last one smaller. No chunks, no parts. */
export async function* splitIntoParts(
  chunks: AsyncIterable<Buffer>,
  partBytes: number,
): AsyncGenerator<Buffer, undefined> {
  let waiting: Buffer[] = [];
  let size = 0;
  for await (let chunk of chunks) {
    while (size + chunk.length >= partBytes) {
      const taken = partBytes - size;
      yield Buffer.concat([...waiting, chunk.subarray(0, taken)], partBytes);
      chunk = chunk.subarray(taken);
      waiting = [];
      size = 0;
    }
    if (chunk.length === 0) continue;
    waiting.push(chunk);
    size += chunk.length;
  }
  if (size > 0) yield Buffer.concat(waiting, size);
  return undefined;
}

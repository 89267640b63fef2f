/** File types are recognized by their first bytes; office documents by their list of contents. */
const HEAD_BYTES = 64 * 1024;

/** Reads the first bytes of a file; the iterator continues after them. */
export async function readHead(iterator: AsyncIterator<Buffer>): Promise<Buffer> {
  const read: Buffer[] = [];
  for (let size = 0; size < HEAD_BYTES;) {
    const next = await iterator.next();
    if (next.done === true) break;
    read.push(next.value);
    size += next.value.length;
  }
  return Buffer.concat(read);
}

/** Returns the whole file, whose first bytes were read already. Stopping early ends the iterator. */
export async function* withHead(head: Buffer, rest: AsyncIterator<Buffer>): AsyncGenerator<Buffer> {
  try {
    yield head;
    for (let next = await rest.next(); next.done !== true; next = await rest.next()) yield next.value;
  } finally {
    await rest.return?.();
  }
}

import { once } from 'node:events';
import { Readable } from 'node:stream';
import yazl from 'yazl';

export interface ZipEntry {
  /** A relative path with `/`. */
  name: string;
  chunks: AsyncIterable<Buffer>;
  /** null: unknown until all chunks are read. */
  sizeBytes: number | null;
  modifiedAt: Date;
  /** Off for images and other compressed content. */
  compress: boolean;
}

/** Streams a ZIP archive. One entry is open at a time; the next is requested after it is read. */
export async function* writeZip(entries: AsyncIterable<ZipEntry>): AsyncGenerator<Buffer> {
  const zip = new yazl.ZipFile();
  const output = zip.outputStream as Readable;
  zip.on('error', (error: Error) => output.destroy(error));
  const addingEntries = addEntries(zip, output, entries);
  // Errors of entries reach the reader through the stream.
  addingEntries.catch((error: unknown) =>
    output.destroy(error instanceof Error ? error : new Error(String(error))),
  );
  try {
    for await (const chunk of output) yield chunk as Buffer;
  } finally {
    output.destroy();
    await addingEntries.catch(() => undefined);
  }
}

async function addEntries(
  zip: yazl.ZipFile,
  output: Readable,
  entries: AsyncIterable<ZipEntry>,
): Promise<void> {
  for await (const entry of entries) {
    const source = Readable.from(entry.chunks, { objectMode: false });
    if (output.destroyed) {
      source.destroy();
      return;
    }
    // Closes the source if the reader stops early.
    const destroySource = () => source.destroy();
    output.once('close', destroySource);
    zip.addReadStream(source, entry.name, {
      mtime: entry.modifiedAt,
      mode: 0o100600,
      compress: entry.compress,
      ...(entry.sizeBytes === null ? {} : { size: entry.sizeBytes }),
    });
    await once(source, 'close');
    output.off('close', destroySource);
    if (source.errored) throw source.errored;
    if (output.destroyed) return;
  }
  zip.end();
}

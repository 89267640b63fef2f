import type { Ids } from '../../lib/ids.ts';
import { type FileStorage, splitIntoParts } from '../../providers/files/file-storage.ts';
import type { JobFileRow } from '../../repositories/jobs.ts';
import type { Store } from '../../repositories/store.ts';

/** The store writes each chunk separately, and a text may come line by line. */
const PART_BYTES = 256 * 1024;

export interface GeneratedFile {
  fileName: string;
  contentType: string;
  chunks: AsyncIterable<string | Buffer>;
}

/** Stores the files of jobs, with a row that is written before their first byte and updated after their last. */
export class JobFiles {
  constructor(
    private readonly store: Store,
    private readonly storage: FileStorage,
    private readonly ids: Ids,
  ) {}

  /** Stores a job's file while it is generated. Deletes it if the signal fires or generating fails. */
  async write(jobId: number, file: GeneratedFile, signal: AbortSignal): Promise<void> {
    const storedName = this.ids.uuid();
    await this.store.read.jobs.createFile({ jobId, storedName, ...file });
    let sizeBytes = 0;
    const measured = async function* () {
      for await (const part of splitIntoParts(toBuffers(file.chunks), PART_BYTES)) {
        signal.throwIfAborted();
        sizeBytes += part.length;
        yield part;
      }
      signal.throwIfAborted();
    };
    try {
      await this.storage.put(storedName, measured());
      if (await this.store.read.jobs.markFileStored(storedName, sizeBytes)) return;
    } catch (error) {
      await this.remove(storedName).catch(() => undefined);
      throw error;
    }
    await this.remove(storedName);
  }

  /** Returns the file of a finished job; null if there is none. */
  async open(jobId: number): Promise<{ file: JobFileRow; chunks: AsyncIterable<Buffer> } | null> {
    const file = await this.store.read.jobs.findFile(jobId);
    const chunks = file === null ? null : await this.storage.get(file.stored_name);
    return file === null || chunks === null ? null : { file, chunks };
  }

  async remove(storedName: string): Promise<void> {
    await this.storage.remove(storedName);
    await this.store.read.jobs.removeFile(storedName);
  }
}

async function* toBuffers(chunks: AsyncIterable<string | Buffer>): AsyncGenerator<Buffer> {
  for await (const chunk of chunks) yield typeof chunk === 'string' ? Buffer.from(chunk) : chunk;
}

import { open } from 'node:fs/promises';
import path from 'node:path';
import { type ByteFile, bytesOfFile } from '../../../importers/byte-file.ts';
import { createTemporaryFolder, removeTemporaryFolder } from '../../../lib/temporary-folder.ts';

/** A file that came in, in a folder of its own that is gone when `work` is done. */
export async function withUploaded<T>(
  chunks: AsyncIterable<Buffer>,
  work: (file: ByteFile, folder: string) => Promise<T>,
): Promise<T> {
  const folder = await createTemporaryFolder('import');
  try {
    const handle = await open(path.join(folder, 'upload'), 'wx+', 0o600);
    try {
      let sizeBytes = 0;
      for await (const chunk of chunks) {
        await handle.writeFile(chunk);
        sizeBytes += chunk.length;
      }
      return await work(bytesOfFile(handle, sizeBytes), folder);
    } finally {
      await handle.close();
    }
  } finally {
    await removeTemporaryFolder(folder);
  }
}

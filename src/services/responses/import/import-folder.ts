import { open } from 'node:fs/promises';
import path from 'node:path';
import { byteFileFromHandle, type FileOnDisk } from '../../../importers/byte-file.ts';
import { createTemporaryFolder, removeTemporaryFolder } from '../../../lib/temporary-folder.ts';

/** Stores an uploaded file in a temporary folder and removes it when `work` has ended. */
export async function withUploadedFile<T>(
  chunks: AsyncIterable<Buffer>,
  work: (file: FileOnDisk, folder: string) => Promise<T>,
): Promise<T> {
  const folder = await createTemporaryFolder('import');
  try {
    const file = path.join(folder, 'upload');
    const handle = await open(file, 'wx+', 0o600);
    try {
      let sizeBytes = 0;
      for await (const chunk of chunks) {
        await handle.writeFile(chunk);
        sizeBytes += chunk.length;
      }
      return await work(byteFileFromHandle(handle, file, sizeBytes), folder);
    } finally {
      await handle.close();
    }
  } finally {
    await removeTemporaryFolder(folder);
  }
}

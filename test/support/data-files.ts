import { mkdtemp, open as openFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll } from 'vitest';
import type { SourceCell, SourceFile, SourceRow } from '../../src/domain/import/source-file.ts';
import { byteFileFromHandle } from '../../src/importers/byte-file.ts';
import { openDataFile, type OpenOptions } from '../../src/importers/open-data-file.ts';
import { WorkbookReaderPool } from '../../src/importers/xlsx/xlsx-source.ts';

/** Opens data files as an upload does. Call at the top of a test file. */
export function useDataFiles() {
  const threads = new WorkbookReaderPool();
  const cleanups: (() => Promise<void>)[] = [];
  afterAll(() => Promise.all(cleanups.map((cleanup) => cleanup())));
  return async (content: Buffer | string, options: Partial<OpenOptions> = {}): Promise<SourceFile> => {
    const folder = await mkdtemp(path.join(os.tmpdir(), 'canvass-files-'));
    const file = path.join(folder, 'upload');
    const bytes = Buffer.from(content);
    await writeFile(file, bytes);
    const handle = await openFile(file);
    cleanups.push(async () => {
      await handle.close();
      await rm(folder, { recursive: true });
    });
    const reading = {
      format: null,
      delimiter: null,
      layout: null,
      encoding: null,
      unescapeFormulas: null,
      ...options,
    };
    return openDataFile(byteFileFromHandle(handle, file, bytes.length), reading, threads);
  };
}

export async function rowsOfSource(source: SourceFile): Promise<SourceRow[]> {
  const rows = [];
  for await (const part of source.rows()) rows.push(...part);
  return rows;
}

/** The names of the columns, then the cells of every row. */
export async function tableOf(source: SourceFile): Promise<SourceCell[][]> {
  const rows = await rowsOfSource(source);
  return [source.columns.map(({ header }) => header), ...rows.map(({ cells }) => [...cells])];
}

import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll } from 'vitest';

/** A folder for the files of a test file. Call at its top. */
export function useFolder(): string {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'canvass-files-'));
  afterAll(() => rmSync(folder, { recursive: true }));
  return folder;
}

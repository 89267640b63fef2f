import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import type { TestApp } from './app.ts';
import type { StartedResponse } from './start-response.ts';

/** Uploads and gives the file's id. */
export async function uploadFile(
  response: StartedResponse,
  questionCode: string,
  content: Buffer,
  fileName: string,
): Promise<string> {
  const reply = await response.upload(questionCode, content, fileName).expect(201);
  return (reply.body as { data: { file_id: string } }).data.file_id;
}

/** Every stored file, whole or not. */
export function storedFiles(test: TestApp): string[] {
  const folder = path.join(test.container.config.dataDir, 'files');
  if (!existsSync(folder)) return [];
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  return names.filter((name) => path.basename(name).length > 2);
}

export async function countFileRows(test: TestApp): Promise<number> {
  const result: { rows: { count: number }[] } = await test.database.db.raw(
    'SELECT count(*) FROM response_files',
  );
  return result.rows[0]!.count;
}

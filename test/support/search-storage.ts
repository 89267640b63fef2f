import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import type { TestApp } from './app.ts';

/** Returns the `table.column` of every column of every table that contains the word, in text or bytes. */
export async function findInTables(test: TestApp, word: string): Promise<string[]> {
  const { db } = test.database;
  const { rows: columns } = await db.raw<{ rows: { table_name: string; column_name: string }[] }>(
    `SELECT table_name, column_name FROM information_schema.columns JOIN information_schema.tables USING (table_schema, table_name)
     WHERE table_schema = 'public' AND table_type = 'BASE TABLE' ORDER BY 1, 2`,
  );
  const found: string[] = [];
  for (const { table_name: table, column_name: column } of columns) {
    const { rows } = await db.raw<{ rows: object[] }>(
      `SELECT 1 FROM ?? WHERE position(? IN ??::text) > 0 OR position(? IN ??::text) > 0 LIMIT 1`,
      [table, word, column, Buffer.from(word).toString('hex'), column],
    );
    if (rows.length > 0) found.push(`${table}.${column}`);
  }
  return found;
}

/** Returns the files below a folder that contain the word. */
export function findInFiles(folder: string, word: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => path.join(folder, name))
    .filter((file) => statSync(file).isFile() && readFileSync(file).includes(word));
}

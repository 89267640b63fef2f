import { rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';

/** A column of numbers, NaN for NULL. */
export interface DuckColumn {
  name: string;
  type: 'TINYINT' | 'INTEGER' | 'DOUBLE';
  values: ArrayLike<number>;
}

export interface DuckDb {
  version: string;
  /** Runs a statement and reads its rows. */
  rows(sql: string): Promise<unknown[][]>;
  close(): void;
}

/**
 * Opens DuckDB in this process with these columns as the table `r`. Returns null if it is not installed: it is a baseline, not a
 * dependency, so the import uses a name that tools do not follow.
 */
export async function openDuckDb(columns: readonly DuckColumn[]): Promise<DuckDb | null> {
  const name = '@duckdb/node-api';
  let api;
  try {
    api = await import(name);
  } catch {
    return null;
  }
  const instance = await api.DuckDBInstance.create(':memory:');
  const connection = await instance.connect();
  const rows = async (sql: string): Promise<unknown[][]> => (await connection.runAndReadAll(sql)).getRows();
  const file = path.join(os.tmpdir(), `canvass-bench-${process.pid}.csv`);
  const length = columns[0]?.values.length ?? 0;
  const lines = Array.from({ length }, (_, row) =>
    columns.map(({ values }) => (Number.isNaN(values[row]) ? '' : values[row])).join(','),
  );
  await writeFile(file, lines.join('\n'));
  const types = columns.map((column) => `'${column.name}': '${column.type}'`).join(', ');
  await rows(`CREATE TABLE r AS SELECT * FROM read_csv('${file}', header = false, columns = {${types}})`);
  await rm(file);
  const [[version] = []] = await rows('SELECT version()');
  return {
    version: String(version),
    rows,
    close() {
      connection.closeSync();
      instance.closeSync();
    },
  };
}

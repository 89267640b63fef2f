import { createReadStream, createWriteStream, type WriteStream } from 'node:fs';
import { once } from 'node:events';
import path from 'node:path';
import { createInterface } from 'node:readline';
import type { StoredAnswers } from '../../../domain/answers/codec.ts';
import type { ReadRow } from '../../../domain/import/row-reader.ts';

/** A checked row that waits to be written. */
export interface SpooledRow {
  row: number;
  /** The existing response to update; null: create one. */
  responseId: number | null;
  metadata: Omit<ReadRow['metadata'], 'startedAt' | 'completedAt'> & {
    startedAt: string | null;
    completedAt: string | null;
  };
  answers: StoredAnswers;
  endReason: string | null;
}

const MAX_ROWS_AT_ONCE = 1_000;
const MAX_CHARACTERS_AT_ONCE = 4_000_000;

/** Stores rows on disk between checking and writing, so that memory does not grow with the file. */
export class RowSpool<Row = SpooledRow> {
  count = 0;
  private readonly filePath: string;
  private readonly stream: WriteStream;

  constructor(folder: string) {
    this.filePath = path.join(folder, 'rows');
    this.stream = createWriteStream(this.filePath, { mode: 0o600 });
  }

  async add(row: Row): Promise<void> {
    this.count += 1;
    if (!this.stream.write(`${JSON.stringify(row)}\n`)) await once(this.stream, 'drain');
  }

  async close(): Promise<void> {
    if (this.stream.closed) return;
    this.stream.end();
    await once(this.stream, 'close');
  }

  /** Yields rows in chunks of one statement each. Call `close` first. */
  async *chunks(): AsyncGenerator<Row[]> {
    const lines = createInterface({ input: createReadStream(this.filePath), crlfDelay: Infinity });
    let rows: Row[] = [];
    let characters = 0;
    for await (const line of lines) {
      rows.push(JSON.parse(line) as Row);
      characters += line.length;
      if (rows.length < MAX_ROWS_AT_ONCE && characters < MAX_CHARACTERS_AT_ONCE) continue;
      yield rows;
      rows = [];
      characters = 0;
    }
    if (rows.length > 0) yield rows;
  }
}

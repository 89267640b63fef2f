import { createReadStream } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import type { SourceCell, SourceRow } from '../../domain/import/source-file.ts';
import type { SheetRow } from './sheet-reader.ts';
import { formatClock } from '../../lib/clock-text.ts';
import { sizeAtMost } from '../../lib/error-messages.ts';
import { tooLarge } from '../../lib/errors.ts';
import { formatMegabytes, MAX_ROW_CHARACTERS, MAX_ROWS_BYTES } from './workbook-limits.ts';

const WRITE_CHARACTERS = 256 * 1024;

/** A row as one line of JSON: its number, then its cells; `[n]` is a run of n empty cells, `[0, s]` a time of s seconds. */
type StoredCell = string | number | [emptyCells: number, seconds?: number];

/** Writes the rows of a sheet to a file, so that the thread that read them is free for the next workbook. */
export class RowFileWriter {
  count = 0;
  private lines = '';
  private writtenBytes = 0;

  private constructor(private readonly handle: FileHandle) {}

  static async create(path: string): Promise<RowFileWriter> {
    return new RowFileWriter(await open(path, 'wx', 0o600));
  }

  async add({ row, cells }: SheetRow): Promise<void> {
    const stored: StoredCell[] = [row];
    let emptyCells = 0;
    let characters = 0;
    for (const cell of cells) {
      if (cell === null) {
        emptyCells += 1;
        continue;
      }
      if (typeof cell === 'string') characters += cell.length;
      if (characters > MAX_ROW_CHARACTERS)
        throw tooLarge(`file: row ${row} ${sizeAtMost(MAX_ROW_CHARACTERS, 'character')}`);
      if (emptyCells > 0) stored.push([emptyCells]);
      emptyCells = 0;
      stored.push(typeof cell === 'object' ? [0, cell.seconds] : cell);
    }
    this.count += 1;
    this.lines += `${JSON.stringify(stored)}\n`;
    if (this.lines.length >= WRITE_CHARACTERS) await this.write();
  }

  /** Writes the buffered rows and closes the file. */
  async close(): Promise<void> {
    try {
      await this.write();
    } finally {
      await this.handle.close();
    }
  }

  private async write(): Promise<void> {
    const bytes = Buffer.from(this.lines);
    this.lines = '';
    this.writtenBytes += bytes.length;
    if (this.writtenBytes > MAX_ROWS_BYTES)
      throw tooLarge(`file: its cells hold more than ${formatMegabytes(MAX_ROWS_BYTES)} of text and numbers`);
    // `writeFile` writes all bytes; `write` may write fewer.
    await this.handle.writeFile(bytes);
  }
}

/** The rows that a RowFileWriter wrote. Times are `HH:mm:ss`, in the columns of lengths seconds. */
export async function* readRowFile(
  path: string,
  lengthColumns: ReadonlySet<number> = new Set(),
): AsyncGenerator<SourceRow> {
  let rest = '';
  for await (const chunk of createReadStream(path, { encoding: 'utf8' }) as AsyncIterable<string>) {
    let start = 0;
    for (let end = chunk.indexOf('\n'); end >= 0; end = chunk.indexOf('\n', start)) {
      yield parseRow(rest + chunk.slice(start, end), lengthColumns);
      rest = '';
      start = end + 1;
    }
    rest += chunk.slice(start);
  }
}

function parseRow(line: string, lengthColumns: ReadonlySet<number>): SourceRow {
  const [row, ...stored] = JSON.parse(line) as [number, ...StoredCell[]];
  const cells: SourceCell[] = [];
  for (const cell of stored) {
    if (!Array.isArray(cell)) cells.push(cell);
    else if (cell[1] !== undefined)
      cells.push(lengthColumns.has(cells.length) ? cell[1] : formatClock(cell[1]));
    else for (let i = 0; i < cell[0]; i += 1) cells.push(null);
  }
  return { row, cells };
}

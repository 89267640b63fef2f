import { parseCsv, TooManyCellsError, UnclosedQuoteError } from './csv-parser.ts';

const DELIMITERS = [',', ';', '\t', '|'] as const;
const MAX_SAMPLE_RECORDS = 500;
/** `sep=;`, as Excel reads and writes it: the delimiter of the file. */
const SEPARATOR_LINE = /^"?sep=([,;|\t])"?[ ]*(?:\r\n|\r|\n)/i;

/** The delimiter that the first line states, with the length of that line; null: it is no such line. */
export function readSeparatorLine(beginning: string): { delimiter: string; length: number } | null {
  const [line, delimiter] = SEPARATOR_LINE.exec(beginning) ?? [];
  return line === undefined || delimiter === undefined ? null : { delimiter, length: line.length };
}

/**
 * Detects the delimiter of a CSV file from its beginning: the one that splits most rows into the same number of cells, weighted by the share
 * of cells that are whole numbers, dates or texts then, and not parts of other cells. Returns a comma for a file with one column.
 *
 * @param isWhole false: the last record may be cut off
 */
export function detectDelimiter(beginning: string, isWhole = true): string {
  let best = ',';
  let bestScore = 0;
  for (const delimiter of DELIMITERS) {
    const score = scoreDelimiter(beginning, delimiter, isWhole);
    if (score > bestScore) [best, bestScore] = [delimiter, score];
  }
  return best;
}

/** Records of the sample; null: the quotes do not match with this delimiter, or it splits a record into too many cells. */
function sampleRecords(text: string, delimiter: string, isWhole: boolean): string[][] | null {
  for (const hasQuotes of delimiter === '\t' ? [true, false] : [true]) {
    try {
      const records = parseCsv(text, delimiter, { hasQuotes, isWhole, maxRecords: MAX_SAMPLE_RECORDS });
      return records.map(({ cells }) => cells);
    } catch (error) {
      if (error instanceof TooManyCellsError) return null;
      if (!(error instanceof UnclosedQuoteError)) throw error;
    }
  }
  return null;
}

/** From 0 (no delimiter of this file) to 1 (every row has the same number of plausible cells). */
function scoreDelimiter(beginning: string, delimiter: string, isWhole: boolean): number {
  const all = sampleRecords(beginning, delimiter, isWhole);
  // The beginning of a file with a single long record has no complete one.
  const records = all?.length === 0 ? sampleRecords(beginning, delimiter, true) : all;
  if (records === null || records.length === 0) return 0;
  const widths = new Map<number, number>();
  for (const { length } of records) widths.set(length, (widths.get(length) ?? 0) + 1);
  const [width = 1, count = 0] = [...widths].sort((a, b) => b[1] - a[1] || b[0] - a[0])[0] ?? [];
  if (width === 1) return 0;
  const regular = records.filter(({ length }) => length === width);
  if (records[0]?.length === 1 && !hasHeaderBelowTitle(regular, delimiter)) return 0;
  const cells = regular.flat();
  const plausible = cells.reduce((sum, cell) => sum + plausibility(cell, delimiter), 0);
  return (count / records.length) * (plausible / cells.length);
}

/** Whether a first line without the delimiter can be a title: then a row of names follows. In prose, a comma is followed by a space. */
function hasHeaderBelowTitle([header = []]: string[][], delimiter: string): boolean {
  const isProse = delimiter === ',' && header.slice(1).every((cell) => cell.startsWith(' '));
  return !isProse && header.every((cell) => !/^[\s\d.,:/+-]*$/.test(cell) || cell.trim() === '');
}

/** 1: a number, a date or a text without delimiters. 0.5: a text with another delimiter before a space. 0: a part of several cells. */
function plausibility(cell: string, delimiter: string): number {
  const text = cell.trim();
  // A tab does not occur in texts that people type.
  if (delimiter === '\t' || /^[+\-−]?[\d.,'’\s]*$/.test(text)) return 1;
  let result = 1;
  for (const other of DELIMITERS) {
    if (other === delimiter || !text.includes(other)) continue;
    const isProse =
      other !== '\t' &&
      text
        .split(other)
        .slice(1)
        .every((part) => /^\s|^$/.test(part));
    result = Math.min(result, isProse ? 0.5 : 0);
  }
  return result;
}

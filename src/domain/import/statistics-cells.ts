import { formatClock } from '../../lib/clock-text.ts';
import { formatOptionCode } from '../questions/answers/codec.ts';
import type { CatalogColumn } from '../dataset/column-catalog.ts';
import type { ColumnMatch } from './match-columns.ts';
import { createMissingCheck, type SourceCell, type SourceColumn, type SourceFile } from './source-file.ts';

const DAY_SECONDS = 86_400;
const CLOCK = /^(\d\d):(\d\d):(\d\d(?:\.\d+)?)$/;

/** The seconds since midnight of a time in a statistics file, `HH:mm:ss` with decimals where it has some. */
export function clockSeconds(text: string): number | null {
  const [, hours, minutes, seconds] = CLOCK.exec(text) ?? [];
  if (seconds === undefined) return null;
  return (Number(hours) * 3_600_000 + Number(minutes) * 60_000 + Math.round(Number(seconds) * 1000)) / 1000;
}

/** Returns the time of a day; null for a length of a day or longer. */
function clockOfSeconds(seconds: number): string | null {
  return seconds >= 0 && seconds < DAY_SECONDS ? formatClock(seconds) : null;
}

type Convert = (cell: SourceCell) => SourceCell;

/**
 * Returns a workbook or statistics file with its cells as the matched columns of an existing survey read them: user-missing values are missing except where they
 * are options or reasons instead of an answer, times are seconds for a number, seconds are times for a time of day, and what no calendar shows is missing for a date. Other
 * files stay unchanged.
 */
export function adaptTypedCells(file: SourceFile, matches: readonly ColumnMatch[]): SourceFile {
  if (file.columns.every(({ variable, times }) => variable === null && times === undefined)) return file;
  const converts = file.columns.map((column, index) => cellConverter(column, matches[index]?.entry ?? null));
  return {
    ...file,
    async *rows() {
      for await (const rows of file.rows())
        yield rows.map(({ cells, source = cells, ...row }) => ({
          ...row,
          cells: cells.map((cell, index) => converts[index]?.(cell) ?? null),
          source,
        }));
    },
  };
}

function cellConverter({ variable, times }: SourceColumn, entry: CatalogColumn | null): Convert {
  if (entry === null) return (cell) => cell;
  const { spec } = entry;
  if (times === 'clocks' && spec.type === 'number')
    return (cell) => (typeof cell === 'string' ? (clockSeconds(cell) ?? cell) : cell);
  if (times === 'lengths' && spec.type === 'date')
    return (cell) => (typeof cell === 'number' ? (clockOfSeconds(cell) ?? cell) : cell);
  if (variable === null) return (cell) => cell;
  const isMissing = createMissingCheck(variable);
  const restore = importedValueConverter(entry);
  const options = new Set([
    ...spec.values.flatMap(({ value, code }) => [value, String(code)]),
    ...(spec.noAnswers ?? []).map(({ code }) => String(code)),
  ]);
  const isDate = variable.kind === 'date' || variable.kind === 'datetime';
  return (cell) => {
    if (cell === null) return null;
    const value = restore(cell);
    if (isMissing(cell)) return options.has(String(value)) ? value : null;
    if (spec.type === 'number' && variable.kind === 'time' && typeof value === 'string')
      return clockSeconds(value);
    return spec.type === 'date' && isDate && typeof value === 'number' ? null : value;
  };
}

/** Converts values of the file that a question was imported from to its values: an option_value for a text, 1 or 0 for the values of a set. */
function importedValueConverter({ spec, origin }: CatalogColumn): (cell: string | number) => string | number {
  const { settings, code } = origin.kind === 'question' ? origin.questionColumns.question : {};
  const { values = [], members = [], counted } = settings?.variable ?? {};
  const converted = new Map(
    values.map(({ option_value, value }): [string, string | number] => [value, option_value]),
  );
  const member = members.find(
    ({ option_code: option }) => spec.columnCode === `${code}_${formatOptionCode(option)}`,
  );
  if (member !== undefined && counted !== undefined) {
    converted.set(String(member.other), 0);
    converted.set(counted, 1);
  }
  return (cell) => converted.get(String(cell)) ?? cell;
}

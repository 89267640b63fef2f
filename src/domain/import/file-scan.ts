import {
  type ColumnRole,
  IMPORTED_METADATA,
  type SourceCell,
  type SourceColumn,
  type SourceFile,
} from './source-file.ts';
import { ColumnScan, DistinctBudget, GroupScan, type ScanOptions } from './column-scan.ts';
import { unescapeFormula } from './match-columns.ts';
import { createMissingCheck } from './plan-variable.ts';

export const isCsvFile = ({ format }: SourceFile): boolean => format === 'csv';

/** If the delimiter is not a comma, spreadsheets in many locales use it as the decimal separator. */
export const hasDecimalComma = ({ format, delimiter }: SourceFile): boolean =>
  format === 'csv' && delimiter !== ',';

/** Scans all columns of a file; call `add` for every row. Cells beyond the header create additional columns. */
export class FileScan {
  readonly columns: ColumnScan[];
  /** Parallel to the layout's groups. */
  readonly groups: readonly GroupScan[];
  /** Parallel to the file's sets. */
  readonly sets: readonly GroupScan[];
  private readonly options: ScanOptions;

  constructor(file: SourceFile, timeZone: string) {
    this.options = {
      isCsv: isCsvFile(file),
      decimalComma: hasDecimalComma(file),
      mayBeLists: file.layout !== null,
      timeZone,
      budget: new DistinctBudget(),
    };
    this.columns = file.columns.map((column) => new ColumnScan(roleOf(column, file), this.options));
    const groups = file.layout?.groups ?? [];
    this.groups = groups.map(({ members }) => new GroupScan(members.map(({ index }) => index)));
    const byName = new Map(file.columns.map(({ header }, index) => [header, index]));
    const missingChecks = file.columns.map(({ variable }) =>
      variable === null ? null : createMissingCheck(variable),
    );
    this.sets = file.sets.map(({ variables }) => {
      const indexes = variables.flatMap((name) => byName.get(name) ?? []);
      return new GroupScan(indexes, (cell, index) => missingChecks[index]?.(cell) ?? false);
    });
  }

  add(cells: readonly SourceCell[]): void {
    for (let index = this.columns.length; index < cells.length; index += 1) {
      if ((cells[index] ?? null) === null) continue;
      while (this.columns.length <= index) this.columns.push(new ColumnScan(null, this.options));
    }
    this.columns.forEach((scan, index) => scan.add(cells[index] ?? null));
    for (const group of this.groups) group.add(cells);
    for (const set of this.sets) set.add(cells);
  }
}

/** Returns the role given by the layout, else by the column name of a Canvass export. */
function roleOf({ header, role }: SourceColumn, { layout }: SourceFile): ColumnRole | null {
  if (role !== undefined) return role;
  if (layout !== null && layout.name !== 'plain') return null;
  const name = unescapeFormula(header).trim().toLowerCase();
  return IMPORTED_METADATA.find((code) => code === name) ?? null;
}

/** Returns the file with a column for every scan; columns with values but no header get a label. */
export function withScannedColumns(file: SourceFile, { columns: scans }: FileScan): SourceFile {
  const columns = scans.map(({ filled }, index): SourceColumn => {
    const column = file.columns[index] ?? { header: '', label: null, variable: null };
    const isUnnamed = column.header === '' && filled > 0;
    return isUnnamed ? { ...column, label: `Column ${index + 1} (no header)` } : column;
  });
  return { ...file, columns };
}

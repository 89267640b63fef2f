import { isCounting } from '../charts/chart-config.ts';
import type { ChartBase, ChartFigures } from '../charts/chart-data.ts';
import {
  categoryLetters,
  formatFigure,
  formatNumber,
  hasCategoryBases,
  isWeightedBase,
} from '../charts/figures/figure-texts.ts';
import { figureTypeOf } from '../charts/registry.ts';
import type { PublishedLabels } from '../dataset/published-labels.ts';
import { describeInclusion, type InclusionCounts } from '../dataset/filter/select-rows.ts';
import type { MeanFigure } from '../statistics/moments.ts';
import type { CrosstabTable, TableCell } from '../statistics/crosstab/table.ts';
import type { DeckRow, DeckTable } from './deck.ts';
import type { SlideTable } from './slide-content.ts';

/** Shown instead of a hidden figure. */
const HIDDEN_FIGURE = '–';

/** Returns the figures of a chart as a table with bases, for table charts and charts that cannot be drawn. */
export function chartDeckTable(
  figures: ChartFigures,
  { decimals, source = [] }: { decimals?: number | undefined; source?: string[] } = {},
): DeckTable {
  const { categories, dimension, series, aggregation } = figures;
  const columns = figureTypeOf(figures).columns(figures, decimals);
  const letters = categoryLetters(figures);
  const baseRow = (label: string, sizeOf: (base: ChartBase) => number): DeckRow => ({
    label,
    kind: 'base',
    cells: columns.map(({ base }) => ({
      text: base === null ? HIDDEN_FIGURE : formatNumber(sizeOf(base), 0),
      letters: '',
    })),
  });
  const hasBase = !hasCategoryBases(figures) && (series.length > 1 || isCounting(aggregation.function));
  const isWeighted = columns.some(({ base }) => base !== null && isWeightedBase(base));
  return {
    corner: dimension.label,
    columns: columns.map(({ name, letter }) => ({ label: name, letter })),
    rows: [
      ...(hasBase ? [baseRow('Base (n)', ({ unweighted }) => unweighted)] : []),
      ...(hasBase && isWeighted ? [baseRow('Effective base', ({ effective }) => effective)] : []),
      ...categories.map(({ label, is_net: isNet }, index): DeckRow => {
        const letter = letters[index] ?? null;
        return {
          label: letter === null ? label : `${label} (${letter})`,
          kind: isNet === true ? 'net' : 'category',
          cells: columns.map((column) => ({
            text: column.text(index) ?? HIDDEN_FIGURE,
            letters: column.letters(index).join(''),
          })),
        };
      }),
    ],
    source,
  };
}

type DeckCell = DeckRow['cells'][number];

export interface CrosstabLayout {
  show: SlideTable['show'];
  isWeighted: boolean;
  columnVariables: number;
  /** The same rows without columns, if several column variables are shown side by side and share one total column. */
  totals: readonly CrosstabTable[] | null;
}

/** Notes after which no column of a table has letters. */
const NOTES_WITHOUT_LETTERS = new Set(['columns_overlap', 'too_many_columns']);

const EMPTY_CELL: DeckCell = { text: '', letters: '' };
const textCell = (text: string): DeckCell => ({ text, letters: '' });
const numberCell = (value: number | null): DeckCell =>
  value === null ? EMPTY_CELL : textCell(formatNumber(value, 0));
const withLetters = (text: string, letters: readonly string[] = []): DeckCell => ({
  text,
  letters: letters.join(''),
});

/**
 * Merges crosstab tables into one: row variables below each other, column variables side by side. Bases are above their figures, or in a
 * column for row percentages.
 *
 * @param tables every row variable by every column variable, in this order
 */
export function crosstabDeckTable(tables: readonly CrosstabTable[], reading: CrosstabLayout): DeckTable {
  const byRow = groupByRowVariable(tables, reading.columnVariables);
  const [first] = byRow;
  const areRowPercents = reading.show === 'row_percent' && first?.lead.column != null;
  const single = byRow.length === 1;
  return {
    corner: single ? (first?.lead.row.label ?? '') : '',
    columns: [
      ...(areRowPercents ? [] : [{ label: 'Total', letter: null }]),
      ...(first?.tables ?? []).flatMap((table, index) =>
        columnsOf(table, !areRowPercents && hasColumnLetters(byRow, index), areRowPercents),
      ),
    ],
    rows: byRow.flatMap((band, index): DeckRow[] => {
      const heading: DeckRow = { label: band.lead.row.label, kind: 'heading', cells: [] };
      const rows = areRowPercents
        ? rowsByRow(band)
        : rowsByColumn(band, reading.totals?.[index] ?? null, reading);
      return single ? rows : [heading, ...rows];
    }),
    source: [],
  };
}

/** The tables of one row variable. */
interface RowBand {
  tables: readonly CrosstabTable[];
  /** The first table, whose rows are those of all. */
  lead: CrosstabTable;
}

function groupByRowVariable(tables: readonly CrosstabTable[], columnVariables: number): RowBand[] {
  const width = Math.max(1, columnVariables);
  return tables.flatMap((lead, index) =>
    index % width === 0 ? [{ tables: tables.slice(index, index + width), lead }] : [],
  );
}

function hasColumnLetters(byRow: readonly RowBand[], index: number): boolean {
  const stacked = byRow.flatMap(({ tables }) => tables[index] ?? []);
  const hasLetters = stacked.some(({ rows, mean }) =>
    [...rows, ...(mean === null ? [] : [mean])].some(({ cells }) =>
      cells.some(({ letters }: { letters?: string[] }) => letters !== undefined),
    ),
  );
  return (
    hasLetters && !stacked.every(({ notes }) => notes.some(({ code }) => NOTES_WITHOUT_LETTERS.has(code)))
  );
}

function columnsOf(table: CrosstabTable, isLettered: boolean, areRowPercents: boolean): DeckTable['columns'] {
  const { column } = table;
  if (column === null) return [];
  const heading = column.label;
  return [
    ...(areRowPercents ? [{ label: 'Base (n)', letter: null, heading }] : []),
    ...table.columns.map(({ label, letter, is_net: isNet, missing }) => ({
      label,
      letter: isLettered && !isNet && !missing ? letter : null,
      heading,
    })),
  ];
}

function rowsByColumn(
  { tables, lead }: RowBand,
  total: CrosstabTable | null,
  { show, isWeighted }: CrosstabLayout,
): DeckRow[] {
  // The totals come from another request, whose data may differ.
  const totalTable = total?.rows.length === lead.rows.length ? total : lead;
  const text = (cell: TableCell): DeckCell => {
    if (show === 'count')
      return withLetters(formatNumber(cell.weighted_count ?? cell.count, 0), cell.letters);
    return withLetters(percentText(cell.column_percent), cell.letters);
  };
  const bases = (label: string, size: 'unweighted' | 'effective'): DeckRow => ({
    label,
    kind: 'base',
    cells: [totalTable.base, ...tables.flatMap(({ columns }) => columns.map(({ base }) => base))].map(
      (base) => numberCell(base[size]),
    ),
  });
  const rows = totalTable.rows.map((row, index): DeckRow => ({
    label: row.label,
    kind: row.is_net ? 'net' : 'category',
    cells: [text(row.total), ...tables.flatMap((table) => (table.rows[index]?.cells ?? []).map(text))],
  }));
  const means: DeckRow[] = totalTable.mean
    ? [
        {
          label: 'Mean',
          kind: 'mean',
          cells: [
            meanText(totalTable.mean.total),
            ...tables.flatMap(({ mean }) => mean?.cells.map(meanText) ?? []),
          ],
        },
      ]
    : [];
  return [
    bases('Base (n)', 'unweighted'),
    ...(isWeighted ? [bases('Effective base', 'effective')] : []),
    ...rows,
    ...means,
  ];
}

function rowsByRow({ tables, lead }: RowBand): DeckRow[] {
  const rows = lead.rows.map((row, index): DeckRow => ({
    label: row.label,
    kind: row.is_net ? 'net' : 'category',
    cells: tables.flatMap((table) => {
      const tableRow = table.rows[index];
      if (tableRow === undefined) return [];
      const { base, cells } = tableRow;
      return [numberCell(base.unweighted), ...cells.map((cell) => textCell(percentText(cell.row_percent)))];
    }),
  }));
  if (!lead.mean) return rows;
  const cells = tables.flatMap(({ mean }) =>
    mean === null
      ? []
      : [numberCell(mean.total.count), ...mean.cells.map((cell) => textCell(meanText(cell).text))],
  );
  return [...rows, { label: 'Mean', kind: 'mean', cells }];
}

const percentText = (percent: number | null | undefined): string =>
  percent == null ? '' : formatFigure(percent, 'percent');

const meanText = ({ mean, letters }: MeanFigure): DeckCell =>
  mean === null ? EMPTY_CELL : withLetters(formatFigure(mean, 'mean'), letters);

/** Returns the notes below the table. */
export function crosstabNotes(
  tables: readonly CrosstabTable[],
  { withoutWeight, counted }: { withoutWeight: number; counted: InclusionCounts },
): string[] {
  const marks = tables.flatMap(({ rows, mean }) =>
    [...rows.map(({ cells }) => cells), mean?.cells ?? []].flat().flatMap((cell) => cell.letters ?? []),
  );
  const outside = new Map<string, number>();
  for (const { row, outside_base: count } of tables)
    outside.set(row.label, Math.max(count, outside.get(row.label) ?? 0));
  const left = [...outside].filter(([, count]) => count > 0);
  const lines: string[] = [];
  if (marks.length > 0)
    lines.push('Letters: higher than that column, with 95% (upper case) or 90% (lower case) confidence.');
  if (left.length > 0) {
    const counts = left.map(([label, count]) =>
      outside.size === 1 ? formatNumber(count, 0) : `${formatNumber(count, 0)} of “${label}”`,
    );
    lines.push(`Not in the base, without a valid answer: ${counts.join(', ')}`);
  }
  if (withoutWeight > 0) lines.push(`Excluded, without a weight: ${formatNumber(withoutWeight, 0)}`);
  const note = describeInclusion(counted);
  if (note !== null) lines.push(note);
  return [...lines, ...new Set(tables.flatMap(({ notes }) => notes.map(({ message }) => message)))];
}

type Category = CrosstabTable['rows'][number] | CrosstabTable['columns'][number];

/** Returns the tables with the labels of the published version, without rows and columns of options that were never published. */
export function withPublishedLabels(
  tables: readonly CrosstabTable[],
  labels: PublishedLabels,
): CrosstabTable[] {
  return tables.map((table) => {
    const columns = table.columns.map((column) => relabelCategory(column, labels));
    const isKept = (_: unknown, index: number) => columns[index] !== null;
    return {
      ...table,
      row: relabelAxis(table.row, labels),
      column: table.column === null ? null : relabelAxis(table.column, labels),
      columns: columns.filter((column) => column !== null),
      rows: table.rows.flatMap((row) => {
        const known = relabelCategory(row, labels);
        return known === null ? [] : [{ ...known, cells: row.cells.filter(isKept) }];
      }),
      mean: table.mean === null ? null : { ...table.mean, cells: table.mean.cells.filter(isKept) },
    };
  });
}

function relabelAxis<Axis extends CrosstabTable['row']>(one: Axis, labels: PublishedLabels): Axis {
  const names = one.column_codes.map((code) => labels.columnLabel(code));
  return { ...one, label: names.every((name) => name !== null) ? names.join(' > ') : one.label };
}

/** Returns null for an option that was never published. */
function relabelCategory<One extends Category>(one: One, labels: PublishedLabels): One | null {
  const names = one.categories.map(({ column_code: code, value, label }) =>
    value === null ? label : labels.valueLabel(code, value, label),
  );
  const categories = one.categories.flatMap((category, index) => {
    const label = names[index];
    return label == null ? [] : [{ ...category, label }];
  });
  return categories.length < names.length ? null : { ...one, label: names.join(' > '), categories };
}

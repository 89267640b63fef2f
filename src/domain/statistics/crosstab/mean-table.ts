import type { CatalogColumn } from '../../dataset/columns/column-catalog.ts';
import type { Dataset } from '../../dataset/dataset.ts';
import type { Axis } from './axis.ts';
import { ColumnComparer } from './comparer.ts';
import type { Region } from './coding.ts';
import { countTableRows } from './count-crossing.ts';
import {
  computeSlotMoments,
  withoutMissingCodes,
  momentsInRegion,
  type SlotMoments,
} from './slot-moments.ts';
import { presentMean } from './mean-figure.ts';
import { collectTableNotes } from './notes.ts';
import { type CrosstabTable, presentAxis, presentTableBase, presentTableColumn } from './table.ts';
import type { TableSettings } from './table-settings.ts';

/**
 * Builds a table of one row: the mean of a number in each column. Its base are the respondents with a value, regardless of the requested
 * base.
 */
export function* buildMeanTable(
  dataset: Dataset,
  entry: CatalogColumn,
  columns: Axis,
  settings: TableSettings,
): Generator<void, CrosstabTable> {
  const column = dataset.column(entry);
  if (column.kind !== 'numeric') throw new Error(`${entry.spec.columnCode} is stored as ${column.kind}`);
  const { counting, minBase } = settings;
  const isWeighted = counting.weights !== null;
  const values = withoutMissingCodes(column, entry.spec, counting.mask.length);
  const momentsOf = new Map<number, SlotMoments>();
  for (const coding of new Set(
    [columns.base, ...columns.categories.map(({ region }) => region)].map(codingOf),
  )) {
    momentsOf.set(coding, computeSlotMoments(values, columns.codings[coding]!, counting));
    yield;
  }
  const within = (region: Region) => momentsInRegion(momentsOf.get(region.coding)!, region);
  const total = within(columns.base);
  const parts = columns.categories.map(({ region }) => within(region));
  const cells = parts.map((part) => presentMean(part, isWeighted));
  const comparer = new ColumnComparer(columns, settings);
  return {
    row: presentAxis({ specs: [entry.spec] }, 'number'),
    column:
      columns.specs.length === 0 ? null : presentAxis(columns, columns.overlaps ? 'multiple' : 'single'),
    base: presentTableBase(total),
    outside_base: countTableRows(counting) - total.count,
    columns: columns.categories.map((each, index) => presentTableColumn(each, index, parts[index]!)),
    rows: [],
    mean: { total: presentMean(total, isWeighted), cells, ...comparer.compareMeans(cells) },
    notes: collectTableNotes({
      rows: null,
      columns,
      compares: comparer.isEnabled,
      independence: undefined,
      minBase,
      bases: parts.map(({ count }) => count),
    }),
  };
}

const codingOf = ({ coding }: Region): number => coding;

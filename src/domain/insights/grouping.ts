import { MISSING_SLOTS } from '../dataset/columns/missing.ts';
import type { Dataset } from '../dataset/dataset.ts';
import { observeTexts } from '../statistics/crosstab/observed-values.ts';
import { type Coding, MAX_CODING_SIZE } from '../statistics/crosstab/coding.ts';
import { withoutMissingCodes } from '../statistics/crosstab/slot-moments.ts';
import { createVariableAxis } from '../statistics/crosstab/variable-axis.ts';
import type { CatalogColumn } from '../dataset/columns/column-catalog.ts';
import type { Outcome, SegmentColumn } from './variables.ts';

/** A group of responses or an answer, and its slot in the coding. */
export interface Category {
  label: string;
  slot: number;
  /** Its numeric value; null: none. */
  code: number | null;
}

/** Responses grouped by a few values. */
export interface Grouping {
  coding: Coding;
  /** Without values flagged as missing. */
  categories: Category[];
}

/** Maximum number of groups; a survey with a link per respondent has thousands. */
const MAX_GROUPS = 40;

/** Groups responses by a column's values; null if there are too many or none. */
export function groupByColumn(dataset: Dataset, entry: CatalogColumn, mask: Uint8Array): Grouping | null {
  const column = dataset.column(entry);
  if (column.kind === 'text') {
    const observed = observeTexts(column, mask);
    if (observed === null || observed.values.length > MAX_GROUPS) return null;
  }
  if (column.kind === 'categorical' && entry.spec.values.length + MISSING_SLOTS > MAX_CODING_SIZE)
    return null;
  if (column.kind === 'numeric' && hasTooManyNumbers(column.values, mask)) return null;
  const axis = createVariableAxis(dataset, entry, false, {
    base: 'answering',
    nets: [],
    mask,
    field: 'segment',
  });
  const categories = axis.categories.map(({ steps, region }) => {
    const { label, code } = steps[0]!;
    return { label, code, slot: region.slots[0]! };
  });
  const coding = axis.codings[0];
  return coding === undefined ? null : { coding, categories };
}

function hasTooManyNumbers(values: Float64Array, mask: Uint8Array): boolean {
  const met = new Set<number>();
  for (let row = 0; row < mask.length; row++) {
    const value = values[row]!;
    if (mask[row] === 0 || Number.isNaN(value) || met.has(value)) continue;
    if (met.add(value).size > MAX_GROUPS) return true;
  }
  return false;
}

/** Groups responses by a segment; links are labelled by name, keyed by link_id. */
export function groupBySegment(
  dataset: Dataset,
  { entry, kind }: SegmentColumn,
  mask: Uint8Array,
  linkNames: ReadonlyMap<string, string>,
): Grouping | null {
  const grouped = groupByColumn(dataset, entry, mask);
  if (grouped === null || kind !== 'link') return grouped;
  const categories = grouped.categories.map(({ label, ...category }) => {
    return { ...category, label: linkNames.get(label) ?? `Link ${label}` };
  });
  return { ...grouped, categories };
}

/** Returns ordered answers as numbers by row; NaN where missing or flagged as missing. */
export function readNumericAnswers(
  dataset: Dataset,
  { entry }: Pick<Outcome, 'entry'>,
  rowCount: number,
): Float64Array {
  const column = dataset.column(entry);
  if (column.kind === 'numeric') return withoutMissingCodes(column, entry.spec, rowCount);
  const values = new Float64Array(rowCount).fill(NaN);
  if (column.kind !== 'categorical') return values;
  const codes = column.spec.values.map(({ code, missing }) => (missing ? NaN : code));
  const { indices } = column;
  for (let row = 0; row < rowCount; row++) {
    const index = indices[row]!;
    if (index >= 0) values[row] = codes[index]!;
  }
  return values;
}

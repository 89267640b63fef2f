import { MISSING_SLOTS } from '../dataset/columns/missing.ts';
import type { Dataset } from '../dataset/dataset.ts';
import { observeTexts } from '../statistics/crosstab/observed-values.ts';
import { type Coding, MAX_CODING_SIZE } from '../statistics/crosstab/coding.ts';
import { withoutMissingCodes } from '../statistics/crosstab/slot-moments.ts';
import { createVariableAxis } from '../statistics/crosstab/variable-axis.ts';
import type { CatalogColumn } from '../dataset/columns/column-catalog.ts';
import type { Outcome, SegmentColumn } from './variables.ts';

/** One of a few groups of responses, or one of a few answers: which slot of a coding it is. */
export interface Category {
  label: string;
  slot: number;
  /** The number that it stands for; null: it stands for none. */
  code: number | null;
}

/** Responses by one of a few values each. */
export interface Grouping {
  coding: Coding;
  /** Without those flagged as missing. */
  categories: Category[];
}

/** More groups than these say little; a survey with a link for each respondent has thousands. */
const MAX_GROUPS = 40;

/** By the values of a column with categories; null: they are too many, or none. */
export function groupByColumn(dataset: Dataset, entry: CatalogColumn, mask: Uint8Array): Grouping | null {
  const column = dataset.column(entry);
  if (column.kind === 'text') {
    const placed = observeTexts(column, mask);
    if (placed === null || placed.values.length > MAX_GROUPS) return null;
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

/** The groups of a segment; links are called by their names, by link_id. */
export function groupBySegment(
  dataset: Dataset,
  { entry, kind }: SegmentColumn,
  mask: Uint8Array,
  linkNames: ReadonlyMap<string, string>,
): Grouping | null {
  const grouped = groupByColumn(dataset, entry, mask);
  if (grouped === null || kind !== 'link') return grouped;
  const categories = grouped.categories.map(({ label, ...place }) => {
    return { ...place, label: linkNames.get(label) ?? `Link ${label}` };
  });
  return { ...grouped, categories };
}

/** Answers in order as numbers, by row; NaN where there is none, or one that is flagged as missing. */
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

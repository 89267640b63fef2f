import { z } from 'zod';
import type { ColumnValue } from '../columns/column-spec.ts';
import { type Column, NOT_APPLICABLE, PRESENT } from '../columns/columns.ts';
import {
  computeQuantiles,
  NOMINAL_SOURCE,
  numberChunks,
  numberSource,
  numberTargetProblem,
  type Spread,
} from './numbers.ts';
import {
  derivedForm,
  labelText,
  type SourceData,
  type SourceDefinition,
  type TransformModule,
} from './transform.ts';

const MAX_BINS = 100;
const METHODS = ['equal_width', 'equal_frequency', 'custom'] as const;

type BinCuts =
  | { method: 'equal_width' | 'equal_frequency'; bins: number }
  | { method: 'custom'; breaks: readonly number[]; openEnded?: boolean };

interface BinRequest {
  kind: 'bin';
  cuts: BinCuts;
  labels: readonly string[] | null;
}

/** [a, b), the last one closed; codes are 1, 2, …. */
interface BinDefinition extends SourceDefinition {
  kind: 'bin';
  breaks: readonly number[];
  /** The outer bins include values beyond them. */
  openEnded: boolean;
}

const fields = {
  method: z.enum(METHODS).optional().describe('Default: custom with `breaks`, otherwise equal_width'),
  bins: z.int().min(2).max(MAX_BINS).optional().describe('Number of bins; required unless `breaks` is given'),
  breaks: z
    .array(z.number())
    .min(2)
    .max(MAX_BINS + 1)
    .optional()
    .describe('custom only: cut points in ascending order; bins are [a, b), the last one closed'),
  labels: z.array(labelText).max(MAX_BINS).optional().describe('Labels of the bins in order'),
};
type BinBody = z.output<z.ZodObject<typeof fields>>;

function checkCuts({ method, bins, breaks }: BinBody, context: z.RefinementCtx): void {
  const addIssue = (field: string, message: string) =>
    context.addIssue({ code: 'custom', path: [field], message });
  const isCustom = (method ?? (breaks === undefined ? 'equal_width' : 'custom')) === 'custom';
  if (isCustom && breaks === undefined) addIssue('breaks', 'is required for custom');
  if (isCustom && bins !== undefined) addIssue('bins', 'is decided by breaks');
  if (!isCustom && breaks !== undefined) addIssue('breaks', `cannot be used with ${method}`);
  if (!isCustom && bins === undefined) addIssue('bins', 'is required, or breaks');
  if (breaks?.some((value, index) => value <= (breaks[index - 1] ?? -Infinity)) === true)
    addIssue('breaks', 'must ascend');
}

/** Whether a field about cut points is given. */
function hasCuts({ method, bins, breaks }: BinBody): boolean {
  return method !== undefined || bins !== undefined || breaks !== undefined;
}

function readCuts({ method, bins, breaks }: BinBody): BinCuts {
  if (breaks !== undefined || bins === undefined) return { method: 'custom', breaks: breaks ?? [] };
  return { method: method === 'equal_frequency' ? method : 'equal_width', bins };
}

/** Returns `bins` + 1 breaks of equal-width intervals from minimum to maximum, or null if all numbers are equal. */
function equalWidthBreaks({ min, max }: Pick<Spread, 'min' | 'max'>, bins: number): number[] | null {
  if (min === max) return null;
  const inner = Array.from({ length: bins - 1 }, (_, index) => min + ((index + 1) * (max - min)) / bins);
  return [min, ...inner, max];
}

/**
 * Returns breaks at the quantiles (R type 7). Equal numbers share a bin, so there can be fewer bins than requested; null if all numbers are
 * equal.
 */
function equalFrequencyBreaks(source: Column, counted: Uint8Array, bins: number): number[] | null {
  const shares = Array.from({ length: bins + 1 }, (_, index) => index / bins);
  const breaks = [...new Set(computeQuantiles(source, counted, shares))];
  return breaks.length < 2 ? null : breaks;
}

function* computeBreaks(
  cuts: BinCuts,
  { column, counted, spread }: SourceData,
): Generator<void, readonly number[] | null> {
  if (cuts.method === 'custom') return cuts.breaks;
  if (cuts.method === 'equal_frequency') return equalFrequencyBreaks(column, counted, cuts.bins);
  const found = yield* spread();
  return found && equalWidthBreaks(found, cuts.bins);
}

/** Formats breaks with just enough digits to distinguish them. */
function formatBreaks(breaks: readonly number[]): string[] {
  for (let digits = 4; digits < 17; digits++) {
    const texts = breaks.map((value) => String(Number(value.toPrecision(digits))));
    if (new Set(texts).size === breaks.length) return texts;
  }
  return breaks.map(String);
}

/** Returns the categories of these bins, labeled by their bounds unless labels are given. */
function binValues(
  { breaks, openEnded }: Pick<BinDefinition, 'breaks' | 'openEnded'>,
  labels: readonly string[] | null,
): ColumnValue[] {
  const [lowest = '', ...upperBounds] = formatBreaks(breaks);
  const count = upperBounds.length;
  return upperBounds.map((to, index) => {
    const from = upperBounds[index - 1] ?? lowest;
    const last = index === count - 1;
    const bounds =
      openEnded && count > 1 && (index === 0 || last)
        ? index === 0
          ? `under ${to}`
          : `${from} and more`
        : `${from} to ${last ? '' : 'under '}${to}`;
    const number = index + 1;
    return { code: number, value: String(number), number, label: labels?.[index] ?? bounds, missing: false };
  });
}

/** Counts the breaks that are not above the value. */
function countBreaksUpTo(breaks: Float64Array, value: number): number {
  let [low, high] = [0, breaks.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (breaks[middle]! <= value) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Writes categories, or their codes into a number. Numbers outside all bins are not applicable. */
function* binColumn(
  source: Column,
  wanted: Uint8Array,
  { breaks: definedBreaks, openEnded }: BinDefinition,
  target: Column,
): Generator<void> {
  if (target.kind !== 'categorical' && target.kind !== 'numeric') return;
  const breaks = Float64Array.from(definedBreaks);
  const bins = breaks.length - 1;
  const highest = breaks[bins]!;
  for (const { first, numbers } of numberChunks(source, wanted.length)) {
    for (let index = 0; index < numbers.length; index++) {
      const row = first + index;
      if (wanted[row] === 0) continue;
      const value = numbers[index]!;
      let binIndex = value === highest ? bins - 1 : countBreaksUpTo(breaks, value) - 1;
      if (openEnded) binIndex = Math.min(bins - 1, Math.max(0, binIndex));
      const missing = Number.isNaN(value)
        ? (source.missing(row) ?? NOT_APPLICABLE)
        : binIndex >= 0 && binIndex < bins
          ? PRESENT
          : NOT_APPLICABLE;
      if (target.kind === 'categorical') target.indices[row] = missing === PRESENT ? binIndex : -missing;
      else {
        target.states[row] = missing;
        if (missing === PRESENT) target.values[row] = binIndex + 1;
      }
    }
    yield;
  }
}

export const binTransform: TransformModule<BinRequest, BinDefinition, typeof fields, typeof fields> = {
  kind: 'bin',
  operation: {
    path: 'bin',
    operationId: 'binColumns',
    summary: 'Create bins',
    description:
      'Groups numbers into bins [a, b), the last one closed, with the codes 1, 2, …. Cut points are computed once from the complete ' +
      'responses. With equal_width and equal_frequency (quantiles of R type 7; equal values stay together, so there may be ' +
      'fewer bins), the outer bins include later values beyond them; with custom, such values are not applicable ' +
      `(\`missing.not_applicable\` of a distribution). ${NOMINAL_SOURCE}`,
    example: {
      column_code: 'Q2',
      target_column_code: 'age_bin',
      method: 'custom',
      breaks: [16, 30, 50, 99],
      labels: ['16 to 29', '30 to 49', '50 and over'],
    },
  },
  suffix: { code: '_bin', label: 'in bins' },
  request: {
    fields,
    check: checkCuts,
    read: (body) => ({ kind: 'bin', cuts: readCuts(body), labels: body.labels ?? null }),
  },
  source: numberSource,
  draft({ cuts }, columns) {
    if (cuts.method !== 'custom') return { kind: 'bin', breaks: [], openEnded: true, ...columns };
    return { kind: 'bin', breaks: cuts.breaks, openEnded: cuts.openEnded ?? false, ...columns };
  },
  *complete({ cuts, labels }, draft, data) {
    const breaks = yield* computeBreaks(cuts, data);
    if (breaks === null) {
      const message = `${data.column.spec.columnCode} has fewer than two different numbers among the complete responses`;
      return { code: 'no_spread', field: 'column_code', message };
    }
    if (labels !== null && labels.length !== breaks.length - 1) {
      const message = `needs ${breaks.length - 1}, one for each bin (cut at ${breaks.join(', ')}), not ${labels.length}`;
      return { code: 'invalid', field: 'labels', message };
    }
    return { ...draft, breaks };
  },
  form: (definition, { labels }) =>
    derivedForm('categorical', 'ordinal', { values: binValues(definition, labels) }),
  compute: binColumn,
  parameters: {
    schemaId: 'BinParameters',
    fields: { breaks: z.array(z.number()) },
    summary: 'cut points',
    describe: ({ breaks }) => ({ breaks }),
  },
  overwrite: { typeProblem: numberTargetProblem },
  definition: {
    schemaId: 'BinDefinition',
    fields: { breaks: z.array(z.number()), open_ended: z.boolean() },
    present: ({ breaks, openEnded }) => ({ breaks, open_ended: openEnded }),
  },
  changes: {
    fields,
    errorFields: { bins: 'method', breaks: 'method' },
    check(changed, context) {
      if (hasCuts(changed)) checkCuts(changed, context);
    },
    replacedParts: (changed) =>
      hasCuts(changed) ? ['label', 'missing'] : changed.labels === undefined ? [] : ['label'],
  },
  update({ breaks, openEnded }, changed, labels) {
    if (hasCuts(changed)) return { kind: 'bin', cuts: readCuts(changed), labels: changed.labels ?? null };
    return { kind: 'bin', cuts: { method: 'custom', breaks, openEnded }, labels: changed.labels ?? labels };
  },
};

import type { Column } from '../dataset/columns/columns.ts';
import type { LevelOfMeasurement } from '../dataset/columns/column-spec.ts';
import type { CatalogColumn } from '../dataset/columns/column-catalog.ts';
import { binValues, equalFrequencyBreaks, equalWidthBreaks } from './bin-column.ts';
import type { DerivedDefinition, OutsideRange, RecodeRule, TextOperation } from './definition.ts';
import { binForm, type DerivedForm, NUMBER_FORM, recodeForm, TEXT_FORM } from './derived-spec.ts';
import type { Spread } from './spread.ts';

type ColumnTransformDefinition = Extract<DerivedDefinition, { source: string }>;

/** Requested cut points. */
export type BinCuts =
  | { method: 'equal_width' | 'equal_frequency'; bins: number }
  | { method: 'custom'; breaks: readonly number[]; openEnded?: boolean };

/** A requested transform of a column. */
export type Transform =
  | { kind: 'recode'; rules: readonly RecodeRule[]; keepUnmatched?: true; measure?: LevelOfMeasurement }
  | { kind: 'normalize'; frozen: boolean; outside: OutsideRange }
  | { kind: 'z_scores'; frozen: boolean; weight: string | null }
  | { kind: 'bin'; cuts: BinCuts; labels: readonly string[] | null }
  | { kind: 'text'; operations: readonly TextOperation[] };

/** Creates the definition without parameters from the data: enough to check whether the column can be created. */
export function draftDefinition(
  transform: Transform,
  source: string,
  filter?: ColumnTransformDefinition['filter'],
): ColumnTransformDefinition {
  const on = { source, ...(filter === undefined ? {} : { filter }) };
  switch (transform.kind) {
    case 'recode':
      return { ...transform, ...on };
    case 'normalize':
      return { kind: 'normalize', outside: transform.outside, ...on };
    case 'z_scores':
      return { kind: 'z_scores', ...(transform.weight === null ? {} : { weight: transform.weight }), ...on };
    case 'bin': {
      const { cuts } = transform;
      if (cuts.method !== 'custom') return { kind: 'bin', breaks: [], openEnded: true, ...on };
      return { kind: 'bin', breaks: cuts.breaks, openEnded: cuts.openEnded ?? false, ...on };
    }
    case 'text':
      return { kind: 'text', operations: transform.operations, ...on };
  }
}

type CompleteResult =
  | { ok: true; definition: ColumnTransformDefinition; form: DerivedForm }
  | { ok: false; field: string; message: string };

/**
 * Adds the parameters taken from the current data: breaks and frozen parameters. `counted`: mask of the rows they are computed from;
 * `spread`: their summary.
 */
export function completeDefinition(
  transform: Transform,
  draft: ColumnTransformDefinition,
  entry: CatalogColumn,
  source: Column,
  counted: Uint8Array,
  spread: () => Spread | null,
): CompleteResult {
  if (transform.kind === 'recode') {
    return { ok: true, definition: draft, form: recodeForm(transform.rules, entry.spec, transform.measure) };
  }
  if (transform.kind === 'text') return { ok: true, definition: draft, form: TEXT_FORM };
  if (transform.kind === 'bin') return completeBins(transform, draft, source, counted, spread);
  if (!transform.frozen) return { ok: true, definition: draft, form: NUMBER_FORM };
  const found = spread();
  if (found === null) return noValuesProblem(entry, transform);
  const { min, max, mean, sd } = found;
  const definition: ColumnTransformDefinition = { ...draft };
  if (definition.kind === 'normalize') definition.frozen = { min, max };
  if (definition.kind === 'z_scores') definition.frozen = { mean, sd };
  return { ok: true, definition, form: NUMBER_FORM };
}

function noValuesProblem({ spec }: CatalogColumn, transform: Transform): CompleteResult {
  const among = transform.kind === 'normalize' ? '' : ' among the complete responses';
  const weighted = transform.kind === 'z_scores' && transform.weight !== null ? ' with a weight' : '';
  const message = `${spec.columnCode} has no number yet${among}${weighted}`;
  return { ok: false, field: 'column_code', message };
}

function completeBins(
  { cuts, labels }: Transform & { kind: 'bin' },
  draft: ColumnTransformDefinition,
  source: Column,
  counted: Uint8Array,
  spread: () => Spread | null,
): CompleteResult {
  if (draft.kind !== 'bin') throw new Error('the definition is not a bin definition');
  let breaks: readonly number[] | null;
  if (cuts.method === 'custom') breaks = cuts.breaks;
  else if (cuts.method === 'equal_frequency') breaks = equalFrequencyBreaks(source, counted, cuts.bins);
  else {
    const found = spread();
    breaks = found && equalWidthBreaks(found, cuts.bins);
  }
  if (breaks === null) {
    const message = `${source.spec.columnCode} has fewer than two different numbers among the complete responses`;
    return { ok: false, field: 'column_code', message };
  }
  if (labels !== null && labels.length !== breaks.length - 1) {
    const message = `needs ${breaks.length - 1}, one for each bin (cut at ${breaks.join(', ')}), not ${labels.length}`;
    return { ok: false, field: 'labels', message };
  }
  const values = binValues(breaks, draft.openEnded, labels ?? undefined);
  return { ok: true, definition: { ...draft, breaks }, form: binForm(values) };
}

/**
 * Returns the current scaling or binning parameters, or null for other kinds. `live`: spread of the current data; `countOutside`: number of
 * values outside a range.
 */
export function describeParameters(
  definition: DerivedDefinition,
  live: () => Spread | null,
  countOutside: (range: { min: number; max: number }) => number,
): Record<string, unknown> | null {
  switch (definition.kind) {
    case 'normalize': {
      const range = definition.frozen ?? live();
      return {
        min: range?.min ?? null,
        max: range?.max ?? null,
        frozen: definition.frozen !== undefined,
        outside: definition.outside ?? 'clip',
        outside_count: range === null ? 0 : countOutside(range),
      };
    }
    case 'z_scores': {
      const { mean = null, sd = null } = definition.frozen ?? live() ?? {};
      return { mean, sd, frozen: definition.frozen !== undefined, weight_column: definition.weight ?? null };
    }
    case 'bin':
      return { breaks: definition.breaks };
    default:
      return null;
  }
}

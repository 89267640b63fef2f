import { duplicateItem, unknownObject } from '../../lib/error-messages.ts';
import type { ErrorDetail } from '../../lib/errors.ts';
import { requireItem } from '../../lib/require-value.ts';
import type { CatalogColumn, ColumnCatalog } from '../dataset/column-catalog.ts';
import type { ColumnSpec, ColumnValue } from '../columns/column-spec.ts';
import { type Column, createColumn } from '../columns/columns.ts';
import type { Dataset } from '../dataset/dataset.ts';
import { type CompiledFilter, readFilter } from '../dataset/filter/filter.ts';
import { type InclusionCounts, selectAndCountRows } from '../dataset/filter/select-rows.ts';
import { computeRimWeights, type WeightingOutcome } from '../weighting/rim-weighting.ts';
import { crossedValue, type WeightScheme } from '../weighting/weighting-cells.ts';

/** A column with one of its values per row. */
interface CategoryColumn {
  spec: Pick<ColumnSpec, 'columnCode' | 'values'>;
  /** By row, the index into `spec.values`; negative if missing. */
  indices: Int16Array | Int32Array;
}

/** A number with more distinct values has no categories. */
const MAX_VALUES = 200;

type Result = { ok: true; categories: CategoryColumn } | { ok: false; message: string };

/** Reads the categories of the rows of a mask, or returns why the column has none. */
function readCategories(column: Column, mask: Uint8Array): Result {
  const { spec } = column;
  switch (column.kind) {
    case 'categorical':
      return { ok: true, categories: { spec, indices: column.indices } };
    case 'binary': {
      const indices = new Int16Array(mask.length);
      for (let row = 0; row < mask.length; row++) {
        const value = column.valueAt(row);
        indices[row] = Number.isNaN(value) ? -1 : value;
      }
      return { ok: true, categories: { spec, indices } };
    }
    case 'numeric':
      return numberCategories(spec, column.values, mask);
    default:
      return {
        ok: false,
        message: `must be a column with one category per respondent; ${spec.columnCode} is of type ${spec.type}`,
      };
  }
}

function numberCategories(spec: ColumnSpec, values: Float64Array, mask: Uint8Array): Result {
  const labels = new Map(spec.values.map((value) => [value.value, value]));
  const found: ColumnValue[] = [...spec.values];
  const positions = new Map(found.map(({ value }, index) => [Number(value), index]));
  const indices = new Int16Array(mask.length).fill(-1);
  for (let row = 0; row < mask.length; row++) {
    const value = values[row] ?? NaN;
    if (mask[row] === 0 || Number.isNaN(value)) continue;
    let position = positions.get(value);
    if (position === undefined) {
      position = found.length;
      if (position >= MAX_VALUES) {
        const message = `${spec.columnCode} has more than ${MAX_VALUES} different values; bin it first`;
        return { ok: false, message };
      }
      const text = String(value);
      found.push(
        labels.get(text) ?? { code: position, value: text, number: value, label: text, missing: false },
      );
      positions.set(value, position);
    }
    indices[row] = position;
  }
  return { ok: true, categories: { spec: { columnCode: spec.columnCode, values: found }, indices } };
}

/** More combinations of crossed columns have no targets that anyone knows. */
const MAX_COMBINATIONS = 2_000;

/** Combines columns into one whose categories are their combinations. A combination with a missing category is missing. */
function crossCategories(columns: readonly CategoryColumn[]): Result {
  let [crossed] = columns.map(({ spec, indices }) => ({
    codes: [spec.columnCode],
    combinations: spec.values.map((value) => [value]),
    indices: Int32Array.from(indices),
  }));
  for (const { spec, indices } of columns.slice(1)) {
    if (crossed === undefined) break;
    const size = spec.values.length;
    crossed = {
      codes: [...crossed.codes, spec.columnCode],
      combinations: crossed.combinations.flatMap((outer) => spec.values.map((value) => [...outer, value])),
      indices: crossed.indices.map((outer, row) => {
        const inner = indices[row] ?? -1;
        return outer < 0 || inner < 0 ? -1 : outer * size + inner;
      }),
    };
    if (crossed.combinations.length > MAX_COMBINATIONS)
      return {
        ok: false,
        message: `${crossed.codes.join(' × ')} has more than ${MAX_COMBINATIONS} combinations`,
      };
  }
  const { codes = [], combinations = [], indices = new Int32Array() } = crossed ?? {};
  const values = combinations.map((combination, index): ColumnValue => ({
    code: index + 1,
    value: crossedValue(combination.map(({ value }) => value)),
    number: index + 1,
    label: combination.map(({ label }) => label).join(' × '),
    missing: combination.some(({ missing }) => missing),
  }));
  if (new Set(values.map(({ value }) => value)).size < values.length)
    return {
      ok: false,
      message: `the values of ${codes.join(' and ')} contain “ × ”, so that combinations have the same name`,
    };
  return { ok: true, categories: { spec: { columnCode: codes.join(' × '), values }, indices } };
}

/** A scheme with the columns of a catalog. */
export interface ResolvedScheme {
  scheme: WeightScheme;
  /** The columns of each dimension: several are crossed. */
  dimensions: CatalogColumn[][];
  baseWeight: CatalogColumn | null;
  filter: CompiledFilter;
  /** The codes of the columns it reads, and the codes to load for them. */
  sources: string[];
  loadCodes: string[];
}

/** `notAWeight`: the base weight column is not numeric. */
type SchemeResult =
  { ok: true; resolved: ResolvedScheme } | { ok: false; problems: ErrorDetail[]; notAWeight?: ErrorDetail };

const canWeigh = ({ spec }: CatalogColumn): boolean => spec.type === 'number';

/** Resolves the columns of a scheme. Problems name the fields of the request. */
export function resolveScheme(scheme: WeightScheme, catalog: ColumnCatalog): SchemeResult {
  const problems: ErrorDetail[] = [];
  const findColumn = (code: string, field: string): CatalogColumn[] => {
    const entry = catalog.find(code);
    if (entry === undefined)
      problems.push({
        field,
        message: unknownObject({
          kind: 'column',
          idOrCode: code,
          scope: '',
          alternatives: { similar: catalog.similarCodes(code) },
        }),
      });
    return entry === undefined ? [] : [entry];
  };
  const dimensions = scheme.dimensions.map(({ columnCode, crossedWith = [] }, index) => [
    ...findColumn(columnCode, `dimensions[${index}].column_code`),
    ...crossedWith.flatMap((code, position) =>
      findColumn(code, `dimensions[${index}].crossed_with[${position}]`),
    ),
  ]);
  for (const [index, { columnCode, crossedWith = [] }] of scheme.dimensions.entries()) {
    const codes = [columnCode, ...crossedWith].map((code) => code.toLowerCase());
    const repeated = codes.findIndex((code, position) => codes.indexOf(code) < position);
    if (repeated > 0)
      problems.push({
        field: `dimensions[${index}].crossed_with[${repeated - 1}]`,
        message: duplicateItem(crossedWith[repeated - 1] ?? ''),
      });
  }
  const [baseWeight = null] =
    scheme.baseWeightColumn === null ? [] : findColumn(scheme.baseWeightColumn, 'base_weight_column');
  const read = readFilter(scheme.filter, catalog);
  if (!read.ok) return { ok: false, problems: [...problems, ...read.problems] };
  if (problems.length > 0) return { ok: false, problems };
  if (baseWeight !== null && !canWeigh(baseWeight)) {
    const { columnCode, type } = baseWeight.spec;
    const message = `must be a number column; ${columnCode} is of type ${type}`;
    return { ok: false, problems, notAWeight: { field: 'base_weight_column', message } };
  }
  const columns = [...dimensions.flat(), ...(baseWeight === null ? [] : [baseWeight])];
  const sources = new Set([...columns.map(({ spec }) => spec.columnCode), ...read.filter.codes]);
  const loadCodes = new Set([...columns.flatMap((column) => column.loadCodes), ...read.filter.loadCodes]);
  const resolved = { scheme, dimensions, baseWeight, filter: read.filter };
  return { ok: true, resolved: { ...resolved, sources: [...sources], loadCodes: [...loadCodes] } };
}

/** The inputs of the weights by row. Equal inputs give equal weights. */
export interface WeightingInput {
  /** 1 for each row to be weighted. */
  mask: Uint8Array;
  categories: CategoryColumn[];
  baseWeights: Float64Array | null;
  counted: InclusionCounts;
}

/** Reads the rows of a dataset. The scheme's load codes must be loaded. A column without categories is a problem. */
export function readWeightingInput(
  { scheme, dimensions, baseWeight, filter }: ResolvedScheme,
  dataset: Dataset,
): { ok: true; input: WeightingInput } | { ok: false; problems: ErrorDetail[] } {
  const { status, includeTest, includeConfirmed = true } = scheme;
  const { mask, counted } = selectAndCountRows(dataset, { status, includeTest, includeConfirmed, filter });
  const problems: ErrorDetail[] = [];
  const readDimension = (entries: readonly CatalogColumn[]): Result => {
    const columns: CategoryColumn[] = [];
    for (const entry of entries) {
      const found = readCategories(dataset.column(entry), mask);
      if (!found.ok) return found;
      columns.push(found.categories);
    }
    return columns.length > 1
      ? crossCategories(columns)
      : { ok: true, categories: requireItem(columns, 0, 'column') };
  };
  const categories = dimensions.flatMap((entries, index) => {
    const found = readDimension(entries);
    if (found.ok) return [found.categories];
    problems.push({ field: `dimensions[${index}].column_code`, message: found.message });
    return [];
  });
  if (problems.length > 0) return { ok: false, problems };
  const column = baseWeight === null ? null : dataset.column(baseWeight);
  const baseWeights = column?.kind === 'numeric' ? column.values : null;
  return { ok: true, input: { mask, categories, baseWeights, counted } };
}

/** Computes the weights by row of the mask. Impossible targets are returned as problems. */
export function computeSchemeWeights(
  scheme: WeightScheme,
  { mask, categories, baseWeights }: WeightingInput,
): WeightingOutcome {
  return computeRimWeights({
    ...scheme,
    mask,
    baseWeights,
    dimensions: scheme.dimensions.flatMap(({ targets }, index) => {
      const column = categories[index];
      return column === undefined ? [] : { ...column, targets };
    }),
  });
}

/**
 * Computes a weight for the current responses. Returns null if the data no longer allow it (a category without target, a target without
 * respondents, a removed column), or if it does not converge and unconverged weights are not allowed.
 */
export function computeLiveWeight(
  dataset: Dataset,
  entry: CatalogColumn,
  scheme: WeightScheme,
): Column | null {
  const resolved = resolveScheme(scheme, dataset.catalog);
  if (!resolved.ok) return null;
  const read = readWeightingInput(resolved.resolved, dataset);
  if (!read.ok) return null;
  const outcome = computeSchemeWeights(scheme, read.input);
  if (!outcome.ok || !(outcome.weighting.converged || scheme.allowUnconverged)) return null;
  const { weights } = outcome.weighting;
  const column = createColumn(entry.spec, dataset.capacity);
  weights.forEach((weight, row) => {
    if (!Number.isNaN(weight)) column.set(row, weight);
  });
  return column;
}

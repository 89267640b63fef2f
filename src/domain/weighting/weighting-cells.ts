import { duplicateItem, mustBe, quote, unknownValue } from '../../lib/error-messages.ts';
import type { ErrorDetail } from '../../lib/errors.ts';
import type { ColumnSpec } from '../columns/column-spec.ts';
import type { ResponseStatus } from '../responses/response-row.ts';

type TargetType = 'percent' | 'proportion' | 'count';

/**
 * How to treat respondents without a category in a dimension. `keep_share`: they keep their share, and the targets apply to the others.
 * `exclude`: respondents missing any dimension get no weight. `error`: the request is rejected.
 */
export type MissingRule = 'keep_share' | 'exclude' | 'error';

interface Target {
  /** The option_value; of crossed columns see `crossedValue`. */
  value: string;
  /** A percent, share or number, depending on the target type. */
  target: number;
}

/** The value of a combination of categories of crossed columns. */
export const crossedValue = (values: readonly string[]): string => values.join(' × ');

export interface Dimension {
  spec: Pick<ColumnSpec, 'columnCode' | 'values'>;
  /** Per row the index into `spec.values`, negative where missing, as in a categorical column. */
  indices: Int16Array | Int32Array;
  targets: readonly Target[];
}

export interface WeightingRequest {
  dimensions: readonly Dimension[];
  targetType: TargetType;
  /** 1 for each row to be weighted. */
  mask: Uint8Array;
  /** Per row, at least as long as the mask; rows without a positive base weight get no weight. Null: no base weights. */
  baseWeights: Float64Array | null;
  maxIterations: number;
  /** The largest accepted distance of a margin from its target, as a share (0 to 1). */
  tolerance: number;
  /** Limits of the weights at an average of 1, before scaling. */
  minWeight: number | null;
  maxWeight: number | null;
  missing: MissingRule;
  /** The sum of the weights; `sample` gives an average of 1. */
  scaleTo: 'sample' | number;
}

/** A stored weighting request: everything that determines the weights except the data. */
export interface WeightScheme {
  /** As sent by the client. */
  filter: unknown;
  status: readonly ResponseStatus[];
  /** Null: the default rule of select-rows.ts. */
  includeTest: boolean | null;
  /** Whether responses with a confirmed quality flag get a weight. Absent in schemes of earlier versions: true. */
  includeConfirmed?: boolean;
  dimensions: readonly {
    columnCode: string;
    /** Columns that the first one is crossed with: the targets are those of the combinations. Absent: none. */
    crossedWith?: readonly string[];
    targets: readonly { value: string; target: number }[];
  }[];
  targetType: TargetType;
  baseWeightColumn: string | null;
  maxIterations: number;
  tolerance: number;
  minWeight: number | null;
  maxWeight: number | null;
  missing: MissingRule;
  scaleTo: 'sample' | number;
  allowUnconverged: boolean;
}

/**
 * Rows with the same categories in every dimension and the same base weight have the same weight after raking, so they form one cell: the
 * time of a pass depends on the number of cells, not of respondents.
 *
 * In each dimension a cell has a category, the index into `spec.values`, or the index after the last: missing.
 */
export interface WeightingCells {
  /** Per row; -1 if it gets no weight. */
  cellOfRow: Int32Array;
  /** Number of respondents per cell. */
  respondents: Float64Array;
  /** Base weight of each respondent, per cell. */
  baseWeights: Float64Array;
  /** Per dimension and cell. */
  categories: Int32Array[];
  /** Rows of the mask without a base weight. */
  withoutBaseWeight: number;
  /** Rows excluded because a dimension is missing. */
  excluded: number;
}

/** Category index by value. A value flagged as missing ("don't know") is missing unless it has a target. */
function indexTargets({ spec, targets }: Dimension): Int32Array {
  const targeted = new Set(targets.map(({ value }) => value));
  const missing = spec.values.length;
  return Int32Array.from(spec.values, (category, index) =>
    category.missing && !targeted.has(category.value) ? missing : index,
  );
}

function categoryOfRow(dimension: Dimension, rows: number): Int32Array {
  const position = indexTargets(dimension);
  const missing = position.length;
  const { indices } = dimension;
  const categories = new Int32Array(rows);
  for (let row = 0; row < rows; row++) {
    const index = indices[row]!;
    categories[row] = index >= 0 ? position[index]! : missing;
  }
  return categories;
}

/** Up to this many possible groups are numbered in an array, which is several times faster than a map. */
const MAX_LISTED_GROUPS = 4_194_304;

/** Splits the `size` groups by one more key, an integer from 0 to `keys` - 1; returns the new number of groups. */
function splitGroups(groups: Int32Array, size: number, keyOfRow: Int32Array, keys: number): number {
  if (size * keys > MAX_LISTED_GROUPS) return splitManyGroups(groups, keyOfRow, keys);
  const known = new Int32Array(size * keys).fill(-1);
  let found = 0;
  for (let row = 0; row < groups.length; row++) {
    const group = groups[row]!;
    if (group < 0) continue;
    const key = group * keys + keyOfRow[row]!;
    if (known[key]! < 0) known[key] = found++;
    groups[row] = known[key]!;
  }
  return found;
}

function splitManyGroups(groups: Int32Array, keyOfRow: Int32Array, keys: number): number {
  const known = new Map<number, number>();
  for (let row = 0; row < groups.length; row++) {
    const group = groups[row]!;
    if (group < 0) continue;
    const key = group * keys + keyOfRow[row]!;
    let refined = known.get(key);
    if (refined === undefined) known.set(key, (refined = known.size));
    groups[row] = refined;
  }
  return known.size;
}

function numberDistinct(values: Float64Array): { keyOfRow: Int32Array; keys: number } {
  const known = new Map<number, number>();
  const keyOfRow = Int32Array.from(values, (value) => {
    let key = known.get(value);
    if (key === undefined) known.set(value, (key = known.size));
    return key;
  });
  return { keyOfRow, keys: known.size };
}

/**
 * Groups the rows to be weighted into cells. Deterministic: cells are numbered in the order of their first rows. Indices and base weights
 * are by row, at least as long as the mask.
 */
export function groupIntoCells({ dimensions, mask, baseWeights, missing }: WeightingRequest): WeightingCells {
  const rows = mask.length;
  const cellOfRow = new Int32Array(rows).fill(-1);
  let withoutBaseWeight = 0;
  for (let row = 0; row < rows; row++) {
    if (mask[row] === 0) continue;
    if (baseWeights === null || baseWeights[row]! > 0) cellOfRow[row] = 0;
    else withoutBaseWeight++;
  }
  const byRow = dimensions.map((dimension) => categoryOfRow(dimension, rows));
  let excluded = 0;
  if (missing === 'exclude') {
    for (let row = 0; row < rows; row++) {
      if (cellOfRow[row]! < 0) continue;
      if (!byRow.some((categories, index) => categories[row] === dimensions[index]!.spec.values.length))
        continue;
      cellOfRow[row] = -1;
      excluded++;
    }
  }
  let size = 1;
  for (const [index, categories] of byRow.entries()) {
    size = splitGroups(cellOfRow, size, categories, dimensions[index]!.spec.values.length + 1);
  }
  if (baseWeights !== null) {
    const { keyOfRow, keys } = numberDistinct(baseWeights);
    size = splitGroups(cellOfRow, size, keyOfRow, keys);
  }
  const cells: WeightingCells = {
    cellOfRow,
    respondents: new Float64Array(size),
    baseWeights: new Float64Array(size).fill(1),
    categories: dimensions.map(() => new Int32Array(size)),
    withoutBaseWeight,
    excluded,
  };
  for (let row = 0; row < rows; row++) {
    const cell = cellOfRow[row]!;
    if (cell < 0) continue;
    cells.respondents[cell]!++;
    if (baseWeights !== null) cells.baseWeights[cell] = baseWeights[row]!;
    for (let index = 0; index < byRow.length; index++) cells.categories[index]![cell] = byRow[index]![row]!;
  }
  return cells;
}

export interface WeightingWarning {
  code:
    | 'not_converged'
    | 'targets_missed'
    | 'low_efficiency'
    | 'totals_differ'
    | 'target_zero'
    | 'without_base_weight'
    | 'excluded_missing'
    | 'missing_share';
  message: string;
}

/** In percent. */
const LOW_EFFICIENCY = 70;
/** The accepted difference between totals of counts, as a share of the largest. */
const SAME_TOTAL = 0.001;

function totalsWarning({ dimensions, targetType }: WeightingRequest): WeightingWarning[] {
  if (targetType !== 'count') return [];
  const totals = dimensions.map(({ targets }) => targets.reduce((sum, { target }) => sum + target, 0));
  const [least, most] = [Math.min(...totals), Math.max(...totals)];
  if (most - least <= SAME_TOTAL * most) return [];
  const list = dimensions.map(({ spec }, index) => `${spec.columnCode} ${totals[index]!}`).join(', ');
  return [
    {
      code: 'totals_differ',
      message: `The targets add up to different totals (${list}); their shares were used`,
    },
  ];
}

function zeroWarnings({ dimensions }: WeightingRequest): WeightingWarning[] {
  return dimensions.flatMap(({ spec, targets }) =>
    targets
      .filter(({ target }) => target === 0)
      .map(({ value }) => ({
        code: 'target_zero' as const,
        message: `The target of ${quote(value)} in ${spec.columnCode} is 0: its respondents get no weight`,
      })),
  );
}

/** With more respondents without a value, in percent, the targets describe too few of them. */
const MAX_MISSING_PERCENT = 5;

function missingShareWarnings(
  { dimensions, missing }: WeightingRequest,
  { categories, respondents }: Pick<WeightingCells, 'categories' | 'respondents'>,
): WeightingWarning[] {
  if (missing !== 'keep_share') return [];
  const all = respondents.reduce((sum, count) => sum + count, 0);
  return dimensions.flatMap(({ spec }, index) => {
    const without = respondents.reduce(
      (sum, count, cell) => (categories[index]![cell] === spec.values.length ? sum + count : sum),
      0,
    );
    const percent = (100 * without) / all;
    if (!(percent > MAX_MISSING_PERCENT)) return [];
    const message =
      `${percent.toFixed(1)} % of the respondents (${without}) have no value of ${spec.columnCode}: they keep their share, and the ` +
      'targets apply to the others';
    return [{ code: 'missing_share' as const, message }];
  });
}

/** Returns the warnings that a reader of the weighted figures needs. */
export function findWeightingWarnings(
  request: WeightingRequest,
  cells: Pick<WeightingCells, 'withoutBaseWeight' | 'excluded' | 'categories' | 'respondents'>,
  outcome: {
    converged: boolean;
    /** Whether passes no longer change the weights. */
    isStable: boolean;
    iterations: number;
    maxError: number;
    weightingEfficiency: number;
  },
): WeightingWarning[] {
  const { withoutBaseWeight, excluded } = cells;
  const { converged, isStable, iterations, maxError, weightingEfficiency } = outcome;
  const warnings = [...totalsWarning(request), ...zeroWarnings(request)];
  const largestErrorText = `the furthest margin is ${(100 * maxError).toPrecision(3)} percentage points from its target`;
  if (!converged && isStable) {
    warnings.push({
      code: 'not_converged',
      message: `The limits of the weights keep margins from their targets: ${largestErrorText}; widen min_weight and max_weight, or combine categories`,
    });
  } else if (!converged) {
    warnings.push({
      code: 'not_converged',
      message: `Not converged after ${iterations} iterations: ${largestErrorText}`,
    });
  } else if (maxError > request.tolerance) {
    warnings.push({
      code: 'targets_missed',
      message: `Weights were trimmed to their limits: ${largestErrorText}`,
    });
  }
  const efficiency = 100 * weightingEfficiency;
  if (efficiency < LOW_EFFICIENCY) {
    const message = `Weighting efficiency is ${efficiency.toFixed(1)} %, under ${LOW_EFFICIENCY} %: the weights vary widely`;
    warnings.push({ code: 'low_efficiency', message });
  }
  if (withoutBaseWeight > 0) {
    const message = `Excluded because of a missing or non-positive base weight: ${withoutBaseWeight}`;
    warnings.push({ code: 'without_base_weight', message });
  }
  warnings.push(...missingShareWarnings(request, cells));
  if (excluded > 0) {
    warnings.push({
      code: 'excluded_missing',
      message: `Excluded because a dimension is missing: ${excluded}`,
    });
  }
  return warnings;
}

/** The required total of the targets and its tolerance; counts can have any total. */
const TOTALS: Record<TargetType, { total: number; slack: number } | null> = {
  percent: { total: 100, slack: 0.1 },
  proportion: { total: 1, slack: 0.001 },
  count: null,
};

/** In binary, 99.9 is slightly more than 0.1 away from 100. */
const ROUNDING = 1e-9;

function sumProblem({ targets }: Dimension, field: string, type: TargetType): ErrorDetail[] {
  const sum = targets.reduce((total, { target }) => total + target, 0);
  const wanted = TOTALS[type];
  if (!wanted) {
    if (sum > 0 && Number.isFinite(sum)) return [];
    return [{ field, message: `must add up to more than 0, not ${sum}` }];
  }
  if (Math.abs(sum - wanted.total) <= wanted.slack + ROUNDING) return [];
  const rounded = Number(sum.toPrecision(6));
  return [{ field, message: `must add up to ${wanted.total} as ${type}, not ${rounded}` }];
}

function dimensionProblems(dimension: Dimension, at: string, type: TargetType): ErrorDetail[] {
  const { spec, targets } = dimension;
  const known = new Set(spec.values.map(({ value }) => value));
  const seen = new Set<string>();
  const problems: ErrorDetail[] = [];
  for (const [index, { value, target }] of targets.entries()) {
    const field = `${at}.targets[${index}]`;
    if (!known.has(value)) {
      problems.push({
        field: `${field}.value`,
        message: unknownValue(value, `a value of ${spec.columnCode}`),
      });
    } else if (seen.has(value)) {
      problems.push({ field: `${field}.value`, message: duplicateItem(quote(value)) });
    }
    seen.add(value);
    if (!(target >= 0 && Number.isFinite(target))) {
      problems.push({
        field: `${field}.target`,
        message: mustBe('0 or more', target),
      });
    }
  }
  // With invalid targets, a wrong total would be a repeated problem.
  return problems.length > 0 ? problems : sumProblem(dimension, `${at}.targets`, type);
}

function capProblems({ minWeight, maxWeight }: WeightingRequest): ErrorDetail[] {
  const problems: ErrorDetail[] = [];
  if (minWeight !== null && !(minWeight >= 0 && minWeight < 1)) {
    problems.push({
      field: 'min_weight',
      message: mustBe('at least 0 and less than 1, the mean of the weights', minWeight),
    });
  }
  if (maxWeight !== null && !(maxWeight > 1)) {
    problems.push({
      field: 'max_weight',
      message: mustBe('more than 1, the mean of the weights', maxWeight),
    });
  }
  return problems;
}

/** The problems of a request that do not depend on the data. */
export function findRequestProblems(request: WeightingRequest): ErrorDetail[] {
  const { dimensions, targetType } = request;
  const problems = capProblems(request);
  if (dimensions.length === 0) {
    problems.push({ field: 'dimensions', message: 'must not be empty' });
  }
  const seen = new Set<string>();
  for (const [index, dimension] of dimensions.entries()) {
    const at = `dimensions[${index}]`;
    const { columnCode } = dimension.spec;
    if (seen.has(columnCode)) {
      problems.push({ field: `${at}.column_code`, message: duplicateItem(columnCode) });
    }
    seen.add(columnCode);
    problems.push(...dimensionProblems(dimension, at, targetType));
  }
  return problems;
}

import { quote } from '../../lib/quote.ts';
import type { WeightingCells } from './cells.ts';
import type { Dimension, TargetType, WeightingRequest } from './weighting-request.ts';
import { listedTwice, mustBe, unknownValue } from '../../lib/error-messages.ts';
import type { ErrorDetail } from '../../lib/errors.ts';

export interface WeightingWarning {
  code:
    | 'not_converged'
    | 'targets_missed'
    | 'low_efficiency'
    | 'totals_differ'
    | 'target_zero'
    | 'without_base_weight'
    | 'excluded_missing';
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

/** Returns the warnings that a reader of the weighted figures needs. */
export function findWeightingWarnings(
  request: WeightingRequest,
  { withoutBaseWeight, excluded }: Pick<WeightingCells, 'withoutBaseWeight' | 'excluded'>,
  outcome: { converged: boolean; iterations: number; maxError: number; weightingEfficiency: number },
): WeightingWarning[] {
  const { converged, iterations, maxError, weightingEfficiency } = outcome;
  const warnings = [...totalsWarning(request), ...zeroWarnings(request)];
  const largestErrorText = `the furthest margin is ${(100 * maxError).toPrecision(3)} percentage points from its target`;
  if (!converged) {
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
      problems.push({ field: `${field}.value`, message: listedTwice(quote(value)) });
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
      problems.push({ field: `${at}.column_code`, message: listedTwice(columnCode) });
    }
    seen.add(columnCode);
    problems.push(...dimensionProblems(dimension, at, targetType));
  }
  return problems;
}

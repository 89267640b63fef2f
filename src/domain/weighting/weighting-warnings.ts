import { quote } from '../../lib/quote.ts';
import type { WeightingCells } from './cells.ts';
import type { WeightingRequest } from './weighting-request.ts';

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

import type { Dataset } from '../dataset.ts';
import { RESPONSE_STATUSES, type ResponseStatus } from '../response-row.ts';
import {
  type StateFilter,
  includedStates,
  hasConfirmedFlagsState,
  isRealState,
  isTestState,
  ROW_STATES,
} from '../row-state.ts';
import type { CompiledFilter } from './filter.ts';

/**
 * Selects responses by status and flags. The defaults apply to figures, weights, insights and exports and are defined only here.
 */
export interface ResponseScope {
  /** Default: complete responses. */
  status?: readonly ResponseStatus[] | undefined;
  /** Default (null): test responses count until the survey is published and has a response that is neither test nor deleted. */
  includeTest?: boolean | null | undefined;
  /** Default: responses with a confirmed quality flag do not count. */
  includeConfirmed?: boolean | undefined;
  /** Default: deleted responses do not count. */
  includeDeleted?: boolean | undefined;
}

/** For changing or listing responses rather than computing figures: all responses that are not deleted. */
export const ALL_RESPONSES = {
  status: RESPONSE_STATUSES,
  includeTest: true,
  includeConfirmed: true,
} as const satisfies ResponseScope;

export interface Selection extends ResponseScope {
  filter?: Pick<CompiledFilter, 'narrow'> | undefined;
}

/**
 * Number of responses that match status and filter and count, and why others do not, named as in API responses. An excluded test response
 * with confirmed flags counts as an excluded test response, so `responses` and the two excluded numbers add up to all matches.
 */
export interface InclusionCounts {
  responses: number;
  test_responses_included: number;
  test_responses_excluded: number;
  quality_included: number;
  quality_excluded: number;
}

/**
 * Returns the counted responses as a mask: 1 or 0 per row. Scanning all rows with a mask is as fast at half a million rows as iterating
 * over a list of selected rows, needs a quarter of the memory, and combines with `&`. Read-only: without a filter it is the dataset's
 * cached mask.
 */
export function selectRows(dataset: Dataset, selection: Selection = {}): Uint8Array {
  const counting = dataset.rowMask(includedStates(resolveStateFilter(dataset, selection)));
  if (selection.filter === undefined) return counting;
  const mask = counting.slice();
  selection.filter.narrow(dataset, mask);
  return mask;
}

/** Returns the same mask with counts of included and excluded responses. */
export function selectAndCountRows(
  dataset: Dataset,
  selection: Selection = {},
): { mask: Uint8Array; counted: InclusionCounts } {
  const scope = resolveStateFilter(dataset, selection);
  const counting = includedStates(scope);
  const matching = includedStates({ ...scope, includeTest: true, includeConfirmed: true });
  if (selection.filter === undefined) {
    const counts = dataset.stateCounts.map((count, state) => count * matching[state]!);
    return { mask: dataset.rowMask(counting), counted: countResponses(counts, counting, scope) };
  }
  const mask = dataset.rowMask(matching).slice();
  selection.filter.narrow(dataset, mask);
  const counts = new Uint32Array(ROW_STATES);
  const states = dataset.rowStates;
  for (let row = 0; row < mask.length; row++) {
    const state = states[row]!;
    counts[state]! += mask[row]!;
    mask[row]! &= counting[state]!;
  }
  return { mask, counted: countResponses(counts, counting, scope) };
}

/** Whether test responses count by default. */
function includesTestsByDefault(dataset: Dataset): boolean {
  return !dataset.isPublished || !dataset.stateCounts.some((count, state) => count > 0 && isRealState(state));
}

function resolveStateFilter(dataset: Dataset, scope: ResponseScope): StateFilter {
  return {
    status: scope.status ?? ['complete'],
    includeTest: scope.includeTest ?? includesTestsByDefault(dataset),
    includeConfirmed: scope.includeConfirmed ?? false,
    includeDeleted: scope.includeDeleted ?? false,
  };
}

/** `counts`: number of matches by row state. */
function countResponses(counts: Uint32Array, counting: Uint8Array, scope: StateFilter): InclusionCounts {
  const counted: InclusionCounts = {
    responses: 0,
    test_responses_included: 0,
    test_responses_excluded: 0,
    quality_included: 0,
    quality_excluded: 0,
  };
  counts.forEach((count, state) => {
    if (counting[state] === 1) {
      counted.responses += count;
      if (isTestState(state)) counted.test_responses_included += count;
      if (hasConfirmedFlagsState(state)) counted.quality_included += count;
    } else if (isTestState(state) && !scope.includeTest) counted.test_responses_excluded += count;
    else counted.quality_excluded += count;
  });
  return counted;
}

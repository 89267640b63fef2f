import { RESPONSE_STATUSES, type ResponseState, type ResponseStatus } from './response-row.ts';

/** Encodes status (index in RESPONSE_STATUSES, bits 0 and 1) and flags in one byte, so that one table lookup decides on a row. */
const STATUS_BITS = 3;
const TEST = 4;
const DELETED = 8;
const CONFIRMED_FLAGS = 16;
export const ROW_STATES = 32;

/** Returns the state byte of a response, below ROW_STATES. */
export function rowState(response: Omit<ResponseState, 'responseId'>): number {
  return (
    RESPONSE_STATUSES.indexOf(response.status) |
    (response.isTest ? TEST : 0) |
    (response.isDeleted ? DELETED : 0) |
    (response.hasConfirmedFlags ? CONFIRMED_FLAGS : 0)
  );
}

export const isTestState = (state: number): boolean => (state & TEST) !== 0;
export const hasConfirmedFlagsState = (state: number): boolean => (state & CONFIRMED_FLAGS) !== 0;
/** Whether the response is neither a test nor deleted. */
export const isRealState = (state: number): boolean => (state & (TEST | DELETED)) === 0;

export interface StateFilter {
  status: readonly ResponseStatus[];
  includeTest: boolean;
  includeConfirmed: boolean;
  includeDeleted: boolean;
}

/** Returns a table by row state: 1 for included states. */
export function includedStates(filter: StateFilter): Uint8Array {
  const counted = new Set(filter.status);
  const excluded =
    (filter.includeTest ? 0 : TEST) |
    (filter.includeConfirmed ? 0 : CONFIRMED_FLAGS) |
    (filter.includeDeleted ? 0 : DELETED);
  return Uint8Array.from({ length: ROW_STATES }, (_, state) => {
    const status = RESPONSE_STATUSES[state & STATUS_BITS];
    return status !== undefined && counted.has(status) && (state & excluded) === 0 ? 1 : 0;
  });
}

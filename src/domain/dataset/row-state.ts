import { RESPONSE_STATUSES, type ResponseState, type ResponseStatus } from './response-row.ts';

/** A response's status (its place in RESPONSE_STATUSES, bits 0 and 1) and flags in one byte, so that one look decides on a row. */
const STATUS_BITS = 3;
const TEST = 4;
const DELETED = 8;
const ROW_STATES = 16;

/** The byte of a response, below 16. */
export function rowState({ status, isTest, isDeleted }: Omit<ResponseState, 'responseId'>): number {
  return RESPONSE_STATUSES.indexOf(status) | (isTest ? TEST : 0) | (isDeleted ? DELETED : 0);
}

export interface WhatCounts {
  /** Default: complete responses. */
  status?: readonly ResponseStatus[] | undefined;
  /** Default: they count. */
  includeTest?: boolean | undefined;
  /** Default: they do not. */
  includeDeleted?: boolean | undefined;
}

/** By row state: 1 where such a response counts. */
export function countingStates({
  status = ['complete'],
  includeTest = true,
  includeDeleted = false,
}: WhatCounts): Uint8Array {
  const counted = new Set(status);
  return Uint8Array.from({ length: ROW_STATES }, (_, state) => {
    const known = RESPONSE_STATUSES[state & STATUS_BITS];
    const refused = (!includeTest && (state & TEST) !== 0) || (!includeDeleted && (state & DELETED) !== 0);
    return known !== undefined && counted.has(known) && !refused ? 1 : 0;
  });
}

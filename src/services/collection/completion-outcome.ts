import type { ResponseEnd } from '../../repositories/responses.ts';

/** How a response ends: the server alone decides it. */
export type CompletionOutcome = Pick<
  ResponseEnd,
  'status' | 'statusReason' | 'endReason' | 'quality' | 'quotaCells'
>;

/** Nothing more is asked: its link has all the completes it may have, or what it answered a cell of a quota. */
export const OVER_QUOTA: CompletionOutcome = {
  status: 'screened_out',
  statusReason: 'over_quota',
  endReason: null,
  quality: null,
  quotaCells: null,
};

/** These cells turned it away. */
export const overQuotaOutcome = (
  quotaCells: readonly number[],
  quality: CompletionOutcome['quality'] = null,
): CompletionOutcome => ({
  ...OVER_QUOTA,
  quality,
  quotaCells,
});

import type { ResponseEnd } from '../../repositories/responses.ts';

/** How a response ends. Only the server decides it. */
export type CompletionOutcome = Pick<
  ResponseEnd,
  'status' | 'statusReason' | 'endReason' | 'quality' | 'quotaCells'
>;

/** The link's quota is full, or the answers belong to a full quota cell. */
export const OVER_QUOTA: CompletionOutcome = {
  status: 'screened_out',
  statusReason: 'over_quota',
  endReason: null,
  quality: null,
  quotaCells: null,
};

/** Returns the outcome of a response that these cells turned away. */
export const overQuotaOutcome = (
  quotaCells: readonly number[],
  quality: CompletionOutcome['quality'] = null,
): CompletionOutcome => ({
  ...OVER_QUOTA,
  quality,
  quotaCells,
});

import type { ErrorDetail } from '../../../lib/errors.ts';
import type { ChangedData } from './data-changes.ts';
import type { SelectedResponses } from './response-selector.ts';

export interface ResponseError {
  response_id: number;
  details: ErrorDetail[];
}

/** What an edit of several responses did, or would do. */
export interface EditOutcome {
  changeId: number | null;
  /** Responses that were meant. */
  processed: number;
  updated: number;
  cellsUpdated: number;
  unchanged: number;
  failed: number;
  errors: ResponseError[];
}

export function toEditOutcome(
  { changeId, rowsChanged, cellsChanged }: ChangedData<unknown>,
  processed: number,
  errors: ResponseError[],
): EditOutcome {
  return {
    changeId,
    processed,
    updated: rowsChanged,
    cellsUpdated: cellsChanged,
    unchanged: processed - rowsChanged - errors.length,
    failed: errors.length,
    errors,
  };
}

/** Of a change to selected responses: ids that are no response are reported, the others done. */
export function toSelectionOutcome(
  changed: ChangedData<unknown>,
  { count, missing }: Pick<SelectedResponses, 'count' | 'missing'>,
): EditOutcome {
  const errors = missing.map((id) => responseNotFound(id));
  return toEditOutcome(changed, count + errors.length, errors);
}

/** A response that is of another survey, was deleted, or never was. */
export const responseNotFound = (responseId: number, field = 'response_ids'): ResponseError => ({
  response_id: responseId,
  details: [{ field, message: `no response ${responseId} in this survey` }],
});

import type { ErrorDetail } from '../../../lib/errors.ts';
import type { ChangedData } from './data-changes.ts';
import type { FoundResponses } from './response-selector.ts';

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

export function editOutcome(
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
export function selectionOutcome(
  changed: ChangedData<unknown>,
  { count, missing }: Pick<FoundResponses, 'count' | 'missing'>,
): EditOutcome {
  const errors = missing.map((id) => noSuchResponse(id));
  return editOutcome(changed, count + errors.length, errors);
}

/** A response that is of another survey, was deleted, or never was. */
export const noSuchResponse = (responseId: number, field = 'response_ids'): ResponseError => ({
  response_id: responseId,
  details: [{ field, message: `no response ${responseId} in this survey` }],
});

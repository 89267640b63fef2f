import { unknownObject } from '../../../lib/error-messages.ts';
import type { ErrorDetail } from '../../../lib/errors.ts';
import type { ChangedData } from './data-changes.ts';
import type { SelectedResponses } from './response-selector.ts';

export interface ResponseError {
  response_id: number;
  details: ErrorDetail[];
}

/** The result of an edit of several responses, or of its dry run. */
export interface EditOutcome {
  changeId: number | null;
  /** Responses that the request names or selects. */
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

/** For changes of selected responses: unknown ids are reported, the other responses are changed. */
export function toSelectionOutcome(
  changed: ChangedData<unknown>,
  { count, missing }: Pick<SelectedResponses, 'count' | 'missing'>,
): EditOutcome {
  const errors = missing.map((id) => responseNotFound(id));
  return toEditOutcome(changed, count + errors.length, errors);
}

/** An error for a response that belongs to another survey, was deleted, or does not exist. */
export const responseNotFound = (responseId: number, field = 'response_ids'): ResponseError => ({
  response_id: responseId,
  details: [{ field, message: unknownObject('response', responseId, 'in this survey') }],
});

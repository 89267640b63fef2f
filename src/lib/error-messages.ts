import { type AppError, invalid } from './errors.ts';

/** Two parameters of one request exclude each other. */
export function mutuallyExclusive(field: string, other: string): AppError {
  return invalid(field, `cannot be used with ${other}`);
}

/** A cursor that no reply of this list returned, or whose item is gone. */
export function invalidCursor(): AppError {
  return invalid('cursor', 'does not belong to this list; start again without it');
}

/** The same id is given in the body and in the query, with different values. */
export function contradictingWorkspaceIds(inBody: number, inQuery: number): AppError {
  return invalid('workspace_id', `is ${inBody} in the body, but ${inQuery} in the query`);
}

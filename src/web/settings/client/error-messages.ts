import type { ApiError } from '../../shared/client/call-failed.ts';
import { texts } from './texts.ts';

/** What a failure says to a person. */
export function errorMessage(error: ApiError): string {
  if (error.message !== '') return capitalize(error.message);
  return texts.errors.unreachable;
}

export const capitalize = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** The API's messages about a field go on after its name ("is required"), or are a sentence of their own. */
const PREDICATE = /^(is|are|was|must|may|can|cannot|has|have|contains|does|needs|holds) /;

export const fieldMessage = (label: string, message: string): string =>
  PREDICATE.test(message) ? `${label} ${message}` : capitalize(message);

export interface FormErrors {
  byField: ReadonlyMap<string, string>;
  general: string | null;
}

/** What went wrong, at the fields that the form has; the rest is told of the whole. */
export function toFormErrors(error: ApiError, has: (field: string) => boolean): FormErrors {
  const named = /^([a-z_]+): (.+)$/s.exec(error.message);
  const problems =
    error.problems.length === 0 && named !== null
      ? [{ field: named[1]!, message: named[2]! }]
      : error.problems;
  const here = problems.filter(({ field }) => has(field));
  const elsewhere = problems.filter(({ field }) => !has(field));
  const byField = new Map(here.map(({ field, message }) => [field, message]));
  if (problems.length === 0) return { byField, general: errorMessage(error) };
  const general = elsewhere.map(({ field, message }) => fieldMessage(field, message)).join('. ');
  return { byField, general: general === '' ? null : general };
}

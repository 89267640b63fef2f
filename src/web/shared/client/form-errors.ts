import type { ApiError } from './api.ts';
import { componentTexts } from './texts.ts';

/** Returns the message of an error for the user. */
export function errorMessage(error: ApiError): string {
  if (error.message !== '') return capitalize(error.message);
  return componentTexts.unreachable;
}

export const capitalize = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** Messages of the API that continue a field name ("is required"); other messages are complete sentences. */
const PREDICATE = /^(is|are|was|must|may|can|cannot|has|have|contains|does|needs|holds) /;

export const fieldMessage = (label: string, message: string): string =>
  PREDICATE.test(message) ? `${label} ${message}` : capitalize(message);

export interface FormErrors {
  byField: ReadonlyMap<string, string>;
  general: string | null;
}

/** Assigns the problems to the fields that the form has. `general` has the remaining ones. */
export function toFormErrors(error: ApiError, has: (field: string) => boolean): FormErrors {
  const named = /^([a-z_]+): (.+)$/s.exec(error.message);
  const problems =
    error.problems.length === 0 && named !== null
      ? [{ field: named[1] ?? '', message: named[2] ?? '' }]
      : error.problems;
  const here = problems.filter(({ field }) => has(field));
  const elsewhere = problems.filter(({ field }) => !has(field));
  const byField = new Map(here.map(({ field, message }) => [field, message]));
  if (problems.length === 0) return { byField, general: errorMessage(error) };
  const general = elsewhere.map(({ field, message }) => fieldMessage(field, message)).join('. ');
  return { byField, general: general === '' ? null : general };
}

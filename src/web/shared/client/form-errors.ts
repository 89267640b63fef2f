import type { ApiError } from './api.ts';
import { componentTexts } from './texts.ts';

interface FieldProblem {
  field: string;
  message: string;
}

/** A message of the API that begins with the path of its field, such as `options[1].label: is required`. */
const WITH_FIELD = /^([a-z_][\w.[\]]*): (.+)$/s;
/** Messages of the API that continue a field name ("is required"); other messages are complete sentences. */
const PREDICATE = /^(is|are|was|must|may|can|cannot|has|have|contains|does|needs|holds|belongs|repeats) /;
/** Values in quotes and placeholders, which stay as they are, and names of fields with their paths. */
const QUOTED_OR_FIELD =
  /"[^"]*"|“[^“”]*”|\{\{[^{}]*\}\}|(?<![\w/?&=.-])[a-z]+(?:[_.][a-z]+)*_[a-z]+(?![\w=/-])/g;

/** Returns the message of an error for the user. */
export const errorMessage = ({ message }: ApiError): string =>
  message === '' ? componentTexts.unreachable : messageInWords(message);

/** Returns a message of the API for the user, without the names that only the API has. */
export function messageInWords(message: string): string {
  const named = splitMessage(message);
  return named === null ? capitalize(withFieldsInWords(message)) : problemMessage(named);
}

export const capitalize = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** Returns the message about a field that has this label. */
export function fieldMessage(label: string, message: string): string {
  const words = withFieldsInWords(message);
  return PREDICATE.test(message) ? `${label} ${words}` : capitalize(words);
}

/** Returns the message about a field that the page does not have, so that its name in the API stands for a label. */
export const problemMessage = ({ field, message }: FieldProblem): string =>
  capitalize(fieldMessage(fieldInWords(field), message).trimStart());

/** Splits a message of the API into its field and the rest; null: it names no field. */
export function splitMessage(text: string): FieldProblem | null {
  const [, field, message] = WITH_FIELD.exec(text) ?? [];
  return field === undefined || message === undefined ? null : { field, message };
}

/** `external_id` as "external ID", and `survey_settings.closes_at` as "closes at". */
function fieldInWords(path: string): string {
  const name = path.split('.').at(-1) ?? path;
  return name
    .replace(/\[\d+\]$/, '')
    .replaceAll('_', ' ')
    .replace(/\bid(s?)$/, 'ID$1')
    .replace(/^file$/, 'the file');
}

const withFieldsInWords = (message: string): string =>
  message.replace(QUOTED_OR_FIELD, (found) => (/^["“{]/.test(found) ? found : fieldInWords(found)));

export interface FormErrors {
  byField: ReadonlyMap<string, string>;
  general: string | null;
}

/** Assigns the problems to the fields that the form has. `general` has the remaining ones. */
export function toFormErrors(error: ApiError, has: (field: string) => boolean): FormErrors {
  const named = splitMessage(error.message);
  const problems = error.problems.length === 0 && named !== null ? [named] : error.problems;
  const here = problems.filter(({ field }) => has(field));
  const elsewhere = problems.filter(({ field }) => !has(field));
  const byField = new Map(here.map(({ field, message }) => [field, message]));
  if (problems.length === 0) return { byField, general: errorMessage(error) };
  const general = elsewhere.map(problemMessage).join('. ');
  return { byField, general: general === '' ? null : general };
}

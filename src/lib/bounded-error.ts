import { type AppError, type ErrorDetail, MAX_PROBLEMS } from './errors.ts';

const MAX_MESSAGE_CHARACTERS = 2_000;
/** An error reply stays below 64 KB with what is around the details. */
const MAX_DETAILS_BYTES = 56_000;

/** The message and the details of an error as clients get them: 100 details at most, less where they are long; the message says how many more. */
export function boundedError({ message, details }: Pick<AppError, 'message' | 'details'>) {
  const listed: ErrorDetail[] = [];
  let bytes = 0;
  for (const detail of details.slice(0, MAX_PROBLEMS)) {
    const bounded = { ...detail, message: shortened(detail.message), field: shortened(detail.field) };
    bytes += Buffer.byteLength(JSON.stringify(bounded)) + 1;
    if (bytes > MAX_DETAILS_BYTES) break;
    listed.push(bounded);
  }
  const left = details.length - listed.length;
  const note = left > 0 ? `; ${left} more problems are not listed` : '';
  return { message: shortened(message) + note, details: listed };
}

const shortened = (text: string): string =>
  text.length > MAX_MESSAGE_CHARACTERS ? `${text.slice(0, MAX_MESSAGE_CHARACTERS).toWellFormed()}…` : text;

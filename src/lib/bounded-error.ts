import { type AppError, type ErrorDetail, MAX_PROBLEMS } from './errors.ts';

const MAX_MESSAGE_CHARACTERS = 2_000;
/** Keeps an error reply below 64 KB, including the envelope. */
const MAX_DETAILS_BYTES = 56_000;

/**
 * Limits the message and the details of an error to 100 details, or fewer if they are long. The message gives the number of omitted
 * details.
 */
export function boundedError({ message, details }: Pick<AppError, 'message' | 'details'>) {
  const listed: ErrorDetail[] = [];
  let bytes = 0;
  for (const detail of details.slice(0, MAX_PROBLEMS)) {
    const bounded = { ...detail, message: shorten(detail.message), field: shorten(detail.field) };
    delete bounded.isUnknownReference;
    bytes += Buffer.byteLength(JSON.stringify(bounded)) + 1;
    if (bytes > MAX_DETAILS_BYTES) break;
    listed.push(bounded);
  }
  const remaining = details.length - listed.length;
  const note = remaining > 0 ? `; ${remaining} more problems are not listed` : '';
  return { message: shorten(message) + note, details: listed };
}

const shorten = (text: string): string =>
  text.length > MAX_MESSAGE_CHARACTERS ? `${text.slice(0, MAX_MESSAGE_CHARACTERS).toWellFormed()}…` : text;

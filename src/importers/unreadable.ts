import { type AppError, invalid } from '../lib/errors.ts';

/** The file is not what it should be; 400 with the reason. */
export function unreadable(reason: string): AppError {
  return invalid('file', reason);
}

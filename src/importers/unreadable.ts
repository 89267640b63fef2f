import { type AppError, invalid } from '../lib/errors.ts';

/** 400: the file cannot be read, for this reason. */
export function unreadableFile(reason: string): AppError {
  return invalid('file', reason);
}

import { type AppError, invalid } from '../lib/errors.ts';

/** The file is not what it should be; 400 with the reason. */
export function unreadableFile(reason: string): AppError {
  return invalid('file', reason);
}

import { findSimilar, similarHint } from '../../domain/dataset/columns/similar-codes.ts';
import { AppError } from '../../lib/errors.ts';

/** The longest code that is compared with others. */
const MAX_COMPARED = 60;

/** 404 for a code in a path, with those of `codes` that may have been meant. */
export function codeNotFound(what: string, code: string, codes: readonly string[]): AppError {
  const hint = similarHint(code.length > MAX_COMPARED ? [] : findSimilar(code, codes));
  return new AppError('not_found', 'not_found', `No ${what} "${code.slice(0, MAX_COMPARED)}"${hint}`);
}

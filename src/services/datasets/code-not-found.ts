import { findSimilar, similarHint } from '../../domain/dataset/columns/similar-codes.ts';
import { AppError } from '../../lib/errors.ts';

/** Longer codes are not compared with others. */
const MAX_COMPARED = 60;

/** A 404 error for a code in a path that suggests similar codes of `codes`. */
export function codeNotFound(action: string, code: string, codes: readonly string[]): AppError {
  const hint = similarHint(code.length > MAX_COMPARED ? [] : findSimilar(code, codes));
  return new AppError('not_found', 'not_found', `No ${action} "${code.slice(0, MAX_COMPARED)}"${hint}`);
}

import { findSimilar, noSuchObject } from '../../lib/error-messages.ts';
import { AppError } from '../../lib/errors.ts';

/** Longer codes are not compared with others. */
const MAX_COMPARED = 60;

/** A 404 error for a code in a path that suggests similar codes of `codes`. */
export function codeNotFound(kind: string, code: string, codes: readonly string[]): AppError {
  return noSuchObject(kind, code, code.length > MAX_COMPARED ? [] : findSimilar(code, codes));
}

/** An error in an expression and its position. `position` counts UTF-16 units from 0, as editors do. */
export interface ExpressionError {
  message: string;
  position: number;
  length: number;
}

export type ExpressionResult<T> = { ok: true; value: T } | { ok: false; error: ExpressionError };

/** A range of the source text. */
export interface Span {
  position: number;
  length: number;
}

/** Thrown inside this folder only; exported functions return the error as a value. */
export class InvalidExpressionError extends Error {
  readonly error: ExpressionError;

  constructor(message: string, { position, length }: Span) {
    super(message);
    this.error = { message, position, length };
  }
}

/** Returns an InvalidExpressionError as a value; rethrows other errors. */
export function catchInvalidExpression<T>(work: () => T): ExpressionResult<T> {
  try {
    return { ok: true, value: work() };
  } catch (error) {
    if (error instanceof InvalidExpressionError) return { ok: false, error: error.error };
    throw error;
  }
}

/** The range from the start of one span to the end of another. */
export function spanOf(first: Span, last: Span): Span {
  return { position: first.position, length: last.position + last.length - first.position };
}

/** What is wrong with an expression, and where: `position` counts UTF-16 units from 0, as an editor does. */
export interface ExpressionError {
  message: string;
  position: number;
  length: number;
}

export type ExpressionResult<T> = { ok: true; value: T } | { ok: false; error: ExpressionError };

/** A stretch of the source. */
export interface Span {
  position: number;
  length: number;
}

/** How an error travels inside this folder; what is exported to others answers with a value. */
export class InvalidExpressionError extends Error {
  readonly error: ExpressionError;

  constructor(message: string, { position, length }: Span) {
    super(message);
    this.error = { message, position, length };
  }
}

/** Every fault as a value; other errors are bugs and pass. */
export function catchInvalidExpression<T>(work: () => T): ExpressionResult<T> {
  try {
    return { ok: true, value: work() };
  } catch (error) {
    if (error instanceof InvalidExpressionError) return { ok: false, error: error.error };
    throw error;
  }
}

/** From the start of one to the end of the other. */
export function spanOf(first: Span, last: Span): Span {
  return { position: first.position, length: last.position + last.length - first.position };
}

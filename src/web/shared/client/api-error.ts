export interface FieldProblem {
  field: string;
  message: string;
}

/** `transient`: the request may succeed when it is repeated. `rejected`: the server refused the request. */
export class ApiError extends Error {
  readonly status: number;
  readonly code: string;
  readonly retryAfterSeconds: number;

  /** `message`: the text of the API; empty if the API did not answer. */
  constructor(
    readonly kind: 'transient' | 'rejected',
    status = 0,
    code = 'network',
    message = '',
    readonly problems: FieldProblem[] = [],
    retryAfterSeconds = 0,
  ) {
    super(message);
    this.status = status;
    this.code = code;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

export interface FieldProblem {
  field: string;
  message: string;
}

/** `later`: nothing was decided, the same call may be made again. `refused`: the server said no. */
export class ApiError extends Error {
  readonly kind: 'later' | 'refused';
  readonly status: number;
  readonly code: string;
  readonly problems: FieldProblem[];
  readonly retryAfterSeconds: number;

  /** `message` is the API's own, for people; empty where it did not answer. */
  constructor(
    kind: 'later' | 'refused',
    status = 0,
    code = 'network',
    message = '',
    problems: FieldProblem[] = [],
    retryAfterSeconds = 0,
  ) {
    super(message);
    this.kind = kind;
    this.status = status;
    this.code = code;
    this.problems = problems;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

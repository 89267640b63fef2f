export interface FieldProblem {
  field: string;
  message: string;
}

/** `transient`: the request may succeed when it is repeated. `rejected`: the server refused the request. */
type ErrorKind = 'transient' | 'rejected';

interface ErrorReply {
  status: number;
  code: string;
  /** The text of the API; empty if the API did not answer. */
  message: string;
  problems: FieldProblem[];
  retryAfterSeconds: number;
  /** The whole reply, for members of single errors such as the current version of an object. */
  body: Readonly<Record<string, unknown>>;
}

const NO_REPLY: ErrorReply = {
  status: 0,
  code: 'network',
  message: '',
  problems: [],
  retryAfterSeconds: 0,
  body: {},
};

export class ApiError extends Error {
  readonly status: number;
  readonly code: string;
  readonly problems: readonly FieldProblem[];
  readonly retryAfterSeconds: number;
  readonly body: Readonly<Record<string, unknown>>;

  constructor(
    readonly kind: ErrorKind,
    reply: Partial<ErrorReply> = {},
  ) {
    const { status, code, message, problems, retryAfterSeconds, body } = { ...NO_REPLY, ...reply };
    super(message);
    this.status = status;
    this.code = code;
    this.problems = problems;
    this.retryAfterSeconds = retryAfterSeconds;
    this.body = body;
  }
}

export interface Reply<T> {
  data: T;
  /** Only in replies with a list. */
  meta?: {
    next_cursor: string | null;
    total: number | null;
    /** Only of lists of responses. */
    counted?: { test_responses_included: number; quality_included: number };
  };
}

interface CallOptions {
  body?: object | undefined;
  timeoutMs?: number | undefined;
  /** Whether an operation that can run as a job does so, whatever the amount of work. */
  asJob?: boolean;
  /** The `etag` of the object that is changed: the API refuses the change with 412 if the object has another one by now. */
  ifMatch?: string | undefined;
}

/** Ids of the last requests of this page. */
const ownRequests = new Set<string>();
const MAX_OWN_REQUESTS = 500;

function rememberRequest(id: string | null): void {
  if (id === null) return;
  ownRequests.add(id);
  const [oldest] = ownRequests;
  if (ownRequests.size > MAX_OWN_REQUESTS && oldest !== undefined) ownRequests.delete(oldest);
}

/** Whether this page sent the request, so that it knows its result. */
export const isOwnRequest = (id: string): boolean => ownRequests.has(id);

const TIMEOUT_MS = 20_000;
const UPLOAD_TIMEOUT_MS = 120_000;
const RETRYABLE_STATUSES = new Set([408, 425, 429, 500, 502, 503, 504]);

/** Calls the API with the session cookie. Throws ApiError. */
export async function callApi<T>(
  method: string,
  path: string,
  { body, timeoutMs = TIMEOUT_MS, asJob = false, ifMatch }: CallOptions = {},
): Promise<Reply<T>> {
  const isMultipart = body instanceof FormData;
  const request = {
    method,
    cache: 'no-store' as const,
    // A deletion that the user asked for is also sent when the page is left.
    keepalive: method === 'DELETE',
    signal: AbortSignal.timeout(timeoutMs),
    ...(body === undefined ? {} : { body: isMultipart ? body : JSON.stringify(body) }),
    headers: {
      ...(body === undefined || isMultipart ? {} : { 'Content-Type': 'application/json' }),
      ...(asJob ? { Prefer: 'respond-async' } : {}),
      ...(ifMatch === undefined ? {} : { 'If-Match': ifMatch }),
    },
  };
  let reply: Response;
  let text: string;
  try {
    reply = await fetch(path, request);
    rememberRequest(reply.headers.get('X-Request-Id'));
    text = await reply.text();
  } catch {
    throw new ApiError('transient');
  }
  let parsed: Partial<Reply<T>> & { code?: string; message?: string; details?: FieldProblem[] } = {};
  try {
    parsed = JSON.parse(text) as typeof parsed;
  } catch {
    // The reply is not JSON, such as an error page of a proxy: only its status counts.
  }
  if (reply.status === 204) return { data: undefined as T };
  if (reply.ok && parsed.data !== undefined) return parsed as Reply<T>;
  // A reply without an error code does not come from the API (a captive portal, for example), so the request may be repeated.
  const isTransient = RETRYABLE_STATUSES.has(reply.status) || parsed.code === undefined;
  throw new ApiError(isTransient ? 'transient' : 'rejected', {
    status: reply.status,
    code: parsed.code ?? 'network',
    message: parsed.message ?? '',
    problems: parsed.details ?? [],
    retryAfterSeconds: Number(reply.headers.get('Retry-After') ?? 0) || 0,
    body: parsed,
  });
}

/** Called when the API replies that the session has ended. */
let signedOutListener = (): void => {};
export function onSignedOut(listener: () => void): void {
  signedOutListener = listener;
}

async function callInSession<T>(method: string, path: string, options?: CallOptions): Promise<Reply<T>> {
  try {
    return await callApi<T>(method, path, options);
  } catch (error) {
    if (error instanceof ApiError && error.status === 401) signedOutListener();
    throw error;
  }
}

/** Reads an object or a list of the API. */
export const fetchReply = <T>(path: string): Promise<Reply<T>> => callInSession('GET', path);

/** Sends a change. POST, PUT and PATCH without a body send `{}`: a JSON body makes browsers send a CORS preflight for other sites. */
export async function sendChange<T = unknown>(
  method: 'POST' | 'PUT' | 'PATCH' | 'DELETE',
  path: string,
  body: object = {},
  ifMatch?: string,
): Promise<T> {
  return (await callInSession<T>(method, path, { body: method === 'DELETE' ? undefined : body, ifMatch }))
    .data;
}

/** Starts an operation as a job and returns its id. The caller then reloads the list of jobs. */
export async function startJob(path: string, body: object): Promise<number> {
  const { data } = await callInSession<{ job_id: number }>('POST', path, { body, asJob: true });
  return data.job_id;
}

export async function uploadFile<T>(path: string, form: FormData, method = 'PUT'): Promise<T> {
  return (await callInSession<T>(method, path, { body: form, timeoutMs: UPLOAD_TIMEOUT_MS })).data;
}

import { ApiError, type FieldProblem } from './api-error.ts';

export interface Reply<T> {
  data: T;
  /** Only in replies with a list. */
  meta?: { next_cursor: string | null; total: number | null };
}

const TIMEOUT_MS = 20_000;
const RETRYABLE_STATUSES = new Set([408, 425, 429, 500, 502, 503, 504]);

/** Calls the API with the session cookie. Throws ApiError. */
export async function callApi<T>(
  method: string,
  path: string,
  body?: object,
  timeoutMs = TIMEOUT_MS,
): Promise<Reply<T>> {
  const isMultipart = body instanceof FormData;
  let reply: Response;
  let text: string;
  try {
    reply = await fetch(path, {
      method,
      cache: 'no-store',
      signal: AbortSignal.timeout(timeoutMs),
      ...(body === undefined ? {} : { body: isMultipart ? body : JSON.stringify(body) }),
      ...(body === undefined || isMultipart ? {} : { headers: { 'Content-Type': 'application/json' } }),
    });
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
  throw new ApiError(
    isTransient ? 'transient' : 'rejected',
    reply.status,
    parsed.code ?? 'network',
    parsed.message ?? '',
    parsed.details ?? [],
    Number(reply.headers.get('Retry-After') ?? 0) || 0,
  );
}

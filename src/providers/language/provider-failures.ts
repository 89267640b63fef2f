import type * as Sdk from 'openai';
import { AppError, unavailable } from '../../lib/errors.ts';

/** A failed call. Messages of the provider reach neither client nor log, because they may quote the request. */
export interface Failure {
  error: AppError;
  /** A retry may succeed. */
  isRetryable: boolean;
  /** The wait that the provider requests before a retry; null: none. */
  retryAfterMs: number | null;
  /** The provider's message about an invalid request; null for other failures. */
  requestError: string | null;
}

export const providerFailed = (description: string) =>
  new AppError('bad_gateway', 'ai_provider_failed', `The AI provider ${description}`);

const providerUnavailable = (description: string, retryAfterSeconds = 30) =>
  unavailable(
    `The AI provider ${description}; try again later`,
    retryAfterSeconds,
    'ai_provider_unavailable',
  );

/** Returns null for errors that the provider did not cause. */
export function toFailure(sdk: typeof Sdk, error: unknown): Failure | null {
  const base = { isRetryable: false, retryAfterMs: null, requestError: null };
  if (error instanceof AppError) return { ...base, error };
  if (isConnectionTerminated(error))
    return { ...base, error: providerUnavailable('interrupted its reply'), isRetryable: true };
  if (error instanceof BrokenReplyError) {
    const isIdle = error.message === 'silent';
    return {
      ...base,
      error: isIdle
        ? providerUnavailable('interrupted its reply')
        : providerFailed('sent a reply that is too long'),
    };
  }
  if (error instanceof sdk.APIConnectionTimeoutError)
    return { ...base, error: providerUnavailable('did not answer in time') };
  if (error instanceof sdk.APIConnectionError)
    return { ...base, error: providerUnavailable('cannot be reached'), isRetryable: true };
  if (error instanceof sdk.APIError) return failureForStatus(error as Sdk.APIError);
  if (error instanceof sdk.OpenAIError || error instanceof SyntaxError)
    return { ...base, error: providerFailed('sent a malformed reply') };
  return null;
}

function failureForStatus({ status, code, param, message, headers }: Sdk.APIError): Failure {
  const retryAfterMs = headers === undefined ? null : retryAfterMsOf(headers);
  const base = { isRetryable: false, retryAfterMs, requestError: null };
  if (status === 429 && code === 'insufficient_quota')
    return { ...base, error: providerUnavailable('has no quota left') };
  if (status === 408 || status === 429 || (status !== undefined && status >= 500)) {
    const seconds = Math.min(Math.max(Math.ceil((retryAfterMs ?? 30_000) / 1_000), 1), 3_600);
    const description = status === 429 ? 'is overloaded' : `failed (status ${status})`;
    return { ...base, error: providerUnavailable(description, seconds), isRetryable: true };
  }
  // An error in the middle of a stream has no status.
  if (status === undefined) return { ...base, error: providerFailed('failed during its reply') };
  const isInvalidRequest = status === 400 || status === 422;
  const requestError = isInvalidRequest ? [code, param, message].filter(Boolean).join(' ') : null;
  return { ...base, error: providerFailed(`refused the request (status ${status})`), requestError };
}

/** undici throws this if the connection breaks during the reply. */
const isConnectionTerminated = (error: unknown): boolean =>
  error instanceof TypeError && error.message === 'terminated';

function retryAfterMsOf(headers: Headers): number | null {
  const inMs = Number.parseFloat(headers.get('retry-after-ms') ?? '');
  if (inMs >= 0) return inMs;
  const value = headers.get('retry-after') ?? '';
  const seconds = Number.parseFloat(value);
  if (seconds >= 0) return seconds * 1_000;
  const until = Date.parse(value) - Date.parse(headers.get('date') ?? '');
  return until >= 0 ? until : null;
}

/** Larger than any requested answer. */
const MAX_REPLY_BYTES = 8 * 1024 * 1024;
/** Maximum duration of a reply, in idle timeouts, against replies that never end. */
const MAX_IDLE_PERIODS = 5;

/** A reply was longer than any answer may be, or stopped in the middle. */
class BrokenReplyError extends Error {}

/**
 * `fetch` for untrusted servers: replies that are too long or idle for too long fail. It
 * follows no redirects, so that data only reaches the configured server.
 */
export function guardedFetch(idleTimeoutMs: number): typeof fetch {
  return async (input, init) => {
    const response = await fetch(input, { ...init, redirect: 'error' });
    if (response.body === null) return response;
    const { status, statusText, headers } = response;
    return new Response(guardStream(response.body, idleTimeoutMs), { status, statusText, headers });
  };
}

function guardStream(body: ReadableStream<Uint8Array>, idleTimeoutMs: number): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  const endsAt = performance.now() + MAX_IDLE_PERIODS * idleTimeoutMs;
  let bytes = 0;
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      let timer: NodeJS.Timeout | undefined;
      try {
        const idleTimeout = new Promise<never>((_resolve, reject) => {
          const waitMs = Math.min(idleTimeoutMs, Math.max(endsAt - performance.now(), 0));
          timer = setTimeout(() => reject(new BrokenReplyError('silent')), waitMs);
        });
        const read = await Promise.race([reader.read(), idleTimeout]);
        if (read.done) return controller.close();
        bytes += read.value.byteLength;
        if (bytes > MAX_REPLY_BYTES) throw new BrokenReplyError('too long');
        controller.enqueue(read.value);
      } catch (error) {
        controller.error(error);
        void reader.cancel(error).catch(() => undefined);
      } finally {
        clearTimeout(timer);
      }
    },
    cancel: (reason) => reader.cancel(reason),
  });
}

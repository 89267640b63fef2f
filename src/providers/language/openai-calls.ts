import { z } from 'zod';
import { setTimeout as sleep } from 'node:timers/promises';
import type * as Sdk from 'openai';
import type * as ZodHelpers from 'openai/helpers/zod';
import type { TokenUsage, CreditReservation } from '../../domain/credits/credits.ts';
import { estimatedTokensOf } from './language-model.ts';
import { anySignal, Semaphore } from '../../lib/concurrency.ts';
import { type Failure, guardedFetch, toFailure } from './provider-failures.ts';

export interface OpenAiSettings {
  baseUrl: string;
  /** null: the server requires none. */
  apiKey: string | null;
  model: string;
  /** Maximum number of concurrent calls. */
  concurrency: number;
  /** Maximum wait for the first byte of a reply, and between chunks. */
  timeoutSeconds: number;
  /** The wait after the first failure; it doubles with each. */
  backOffMs?: number;
}

const MAX_ATTEMPTS = 4;
const BACK_OFF_MS = 500;
/** A longer requested wait is passed on to the client. */
const MAX_WAIT_MS = 20_000;

export interface LoadedClient {
  sdk: typeof Sdk;
  helpers: typeof ZodHelpers;
  client: Sdk.OpenAI;
}

interface Call<T> {
  reservation: CreditReservation;
  signal: AbortSignal;
  /** The complete request, for the token estimate of a call that is aborted before its reply. */
  requestText: (dialect: Dialect) => string;
  /** The reply must match a schema. */
  isStructured: boolean;
  send: (loaded: LoadedClient, dialect: Dialect) => Promise<T>;
}

/** Calls an OpenAI-compatible server with limited concurrency and retries, in the dialect that it supports. */
export class OpenAiCalls {
  private readonly slots: Semaphore;
  private dialect: Dialect;
  private opening: Promise<LoadedClient> | null = null;

  constructor(private readonly settings: OpenAiSettings) {
    this.slots = new Semaphore(settings.concurrency);
    this.dialect = dialectFor(settings.baseUrl);
  }

  /** The client is loaded when it is first needed. */
  open(): Promise<LoadedClient> {
    this.opening ??= openClient(this.settings);
    return this.opening;
  }

  /** Waits for a slot until the signal fires. `work` gets a separate signal, because calls leave listeners on it. */
  async withSlot<T>(signal: AbortSignal, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const acquiring = this.slots.acquire();
    let release: () => void;
    try {
      release = await raceAbort(acquiring, signal);
    } catch (error) {
      void acquiring.then((releaseSlot) => releaseSlot());
      throw error;
    }
    const callSignal = anySignal(signal);
    try {
      return await work(callSignal.signal);
    } finally {
      callSignal.dispose();
      release();
    }
  }

  async send<T>({ reservation, signal, requestText, isStructured, send }: Call<T>): Promise<T> {
    const loaded = await this.open();
    const initialDialect = this.dialect;
    let dialect = initialDialect;
    for (let failures = 0; ;) {
      signal.throwIfAborted();
      try {
        const reply = await send(loaded, dialect);
        // The next call starts with the accepted dialect.
        if (dialect !== initialDialect) this.dialect = dialect;
        return reply;
      } catch (error) {
        if (signal.aborted) {
          const { usage } = countTokens({
            reportedUsage: null,
            sentText: requestText(dialect),
            receivedText: '',
            maxOutputTokens: 0,
          });
          reservation.addUsage(usage, true);
          throw signal.reason;
        }
        const failure = toFailure(loaded.sdk, error);
        if (failure === null) throw error;
        const next =
          failure.requestError === null ? null : simplerDialect(dialect, failure.requestError, isStructured);
        if (next === null) {
          failures += 1;
          await this.wait(failure, failures, signal);
        } else dialect = next;
      }
    }
  }

  /** Converts an error in the middle of a reply. */
  async toAppError(error: unknown, signal: AbortSignal): Promise<unknown> {
    if (signal.aborted) return signal.reason;
    const { sdk } = await this.open();
    return toFailure(sdk, error)?.error ?? error;
  }

  private async wait(
    { error, isRetryable, retryAfterMs }: Failure,
    failures: number,
    signal: AbortSignal,
  ): Promise<void> {
    const waitMs = Math.max(
      retryAfterMs ?? 0,
      (this.settings.backOffMs ?? BACK_OFF_MS) * 2 ** (failures - 1),
    );
    if (!isRetryable || failures === MAX_ATTEMPTS || waitMs > MAX_WAIT_MS) throw error;
    await raceAbort(sleep(waitMs, undefined, { signal }), signal);
  }
}

/** Uses no environment variables of the SDK. */
async function openClient({ baseUrl, apiKey, timeoutSeconds }: OpenAiSettings): Promise<LoadedClient> {
  const [sdk, helpers] = await Promise.all([import('openai'), import('openai/helpers/zod')]);
  const timeoutMs = timeoutSeconds * 1_000;
  const client = new sdk.OpenAI({
    baseURL: baseUrl,
    apiKey: apiKey ?? 'none',
    organization: null,
    project: null,
    webhookSecret: null,
    maxRetries: 0,
    timeout: timeoutMs,
    logLevel: 'off',
    fetch: guardedFetch(timeoutMs),
    ...(apiKey === null && { defaultHeaders: { Authorization: null } }),
  });
  return { sdk, helpers, client };
}

/** Resolves with the promise, or rejects with the signal's reason when it fires. */
async function raceAbort<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  signal.throwIfAborted();
  let stop: () => void = () => undefined;
  const aborted = new Promise<never>((_resolve, reject) => {
    stop = () => reject(signal.reason as Error);
    signal.addEventListener('abort', stop);
  });
  try {
    return await Promise.race([promise, aborted]);
  } catch (error) {
    throw signal.aborted ? signal.reason : error;
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

/** Ways to request JSON that matches a schema, the strictest first. `prompt`: the schema is part of the prompt only. */
const FORMATS = ['json_schema', 'json_object', 'prompt'] as const;
type Format = (typeof FORMATS)[number];

/** The request options that an OpenAI-compatible server supports. */
export interface Dialect {
  readonly format: Format;
  readonly limit: 'max_completion_tokens' | 'max_tokens';
  readonly temperature: boolean;
  readonly countsStreams: boolean;
  /** The other name of the limit was already tried. */
  readonly hasLimitChanged: boolean;
}

const FULL_DIALECT: Dialect = {
  format: 'json_schema',
  limit: 'max_completion_tokens',
  temperature: true,
  countsStreams: true,
  hasLimitChanged: false,
};

/** Most other servers support only the older name of the limit. */
const dialectFor = (baseUrl: string): Dialect =>
  new URL(baseUrl).hostname === 'api.openai.com' ? FULL_DIALECT : { ...FULL_DIALECT, limit: 'max_tokens' };

/**
 * Returns the dialect to try after a server rejected a request; null if another dialect would not help. An error message that names no
 * option is attributed to the format, which most servers lack.
 */
function simplerDialect(dialect: Dialect, requestError: string, isStructured: boolean): Dialect | null {
  const message = requestError.toLowerCase();
  if (message.includes('context_length') || message.includes('context length')) return null;
  if (message.includes('temperature') && dialect.temperature) return { ...dialect, temperature: false };
  if (message.includes('stream_options') && dialect.countsStreams)
    return { ...dialect, countsStreams: false };
  if (/max_(completion_)?tokens/.test(message) && !dialect.hasLimitChanged) {
    const limit = dialect.limit === 'max_tokens' ? 'max_completion_tokens' : 'max_tokens';
    return { ...dialect, limit, hasLimitChanged: true };
  }
  const next = FORMATS[FORMATS.indexOf(dialect.format) + 1];
  return isStructured && next !== undefined ? { ...dialect, format: next } : null;
}

/** Tokens that a server adds around messages and functions. */
const OVERHEAD_TOKENS = 512;

const count = z.int().min(0);
const wireUsage = z.object({ prompt_tokens: count, completion_tokens: count });

interface TokenCount {
  usage: TokenUsage;
  isEstimated: boolean;
}

/**
 * Returns the usage that the server reports if it is plausible (a token has at least one byte, and the output has a limit), else an
 * estimate from the sent and received text.
 */
export function countTokens({
  reportedUsage,
  sentText,
  receivedText,
  maxOutputTokens,
}: {
  reportedUsage: unknown;
  sentText: string;
  receivedText: string;
  maxOutputTokens: number;
}): TokenCount {
  const parsed = wireUsage.safeParse(reportedUsage);
  if (parsed.success) {
    const { prompt_tokens: input, completion_tokens: output } = parsed.data;
    const isPlausible =
      input <= Buffer.byteLength(sentText) + OVERHEAD_TOKENS &&
      output <= Math.max(maxOutputTokens, Buffer.byteLength(receivedText));
    if (isPlausible) return { usage: { input_tokens: input, output_tokens: output }, isEstimated: false };
  }
  const usage = { input_tokens: estimatedTokensOf(sentText), output_tokens: estimatedTokensOf(receivedText) };
  return { usage, isEstimated: true };
}

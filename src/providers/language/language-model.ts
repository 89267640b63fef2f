import type { z } from 'zod';
import type { CreditReservation } from '../../domain/credits/credits.ts';

/** A request for an answer that follows a schema. */
export interface StructuredQuestion<S extends z.ZodType> {
  /** The task; contains no user input. */
  instruction: string;
  /** The input, such as answers of respondents. It is sent as data and never as an instruction. */
  data: unknown;
  /** An object; every member is required (`nullable` instead of `optional`). */
  schema: S;
  /** A name for the schema: letters, digits and underscores. */
  name: string;
  maxOutputTokens: number;
  /** Called before a retry after an unusable answer, which costs as much again. Absent: retries are allowed. */
  mayRetry?: () => boolean;
  signal: AbortSignal;
}

/** One turn of a conversation. */
export type ChatTurn =
  | { role: 'user'; text: string }
  | { role: 'assistant'; text: string; calls?: readonly FunctionCall[] }
  /** The result of a function call. */
  | { role: 'function'; callId: string; text: string };

/** A function that the model may call. */
export interface OfferedFunction {
  name: string;
  description: string;
  /** An object; every member is required. */
  parameters: z.ZodObject;
}

export interface FunctionCall {
  callId: string;
  name: string;
  /** The output of the model; possibly invalid JSON. */
  argumentsText: string;
}

export interface Conversation {
  instruction: string;
  turns: readonly ChatTurn[];
  functions: readonly OfferedFunction[];
  maxOutputTokens: number;
  signal: AbortSignal;
}

/** A text chunk, or function calls that the model needs before it continues. */
export type ModelOutput = { kind: 'text'; text: string } | { kind: 'calls'; calls: readonly FunctionCall[] };

/**
 * A language model behind an API. Usage is added to the credit reservation, also for failed and aborted calls.
 *
 * Throws AppError 502 `ai_provider_failed` for an unusable or refused reply, 503 `ai_provider_unavailable` if the provider is unreachable,
 * overloaded or too slow after all retries, and the signal's reason if it aborts.
 */
export interface LanguageModel {
  readonly engine: 'openai';
  readonly model: string;
  /** Maximum number of concurrent calls of this process; further calls wait. */
  readonly concurrency: number;
  completeStructured<S extends z.ZodType>(
    reservation: CreditReservation,
    question: StructuredQuestion<S>,
  ): Promise<z.output<S>>;
  /** Ends with `calls` if the model requests functions, else after its text. */
  converse(reservation: CreditReservation, conversation: Conversation): AsyncIterable<ModelOutput>;
}

/** An upper bound of the tokens of usual text, for reservations. */
export const maxTokensOf = (text: string): number => Math.ceil(Buffer.byteLength(text) / 2) + 8;

/** Estimated tokens where the engine reports none: four characters per token. */
export const estimatedTokensOf = (text: string): number => Math.ceil(text.length / 4);

/** Makes model output safe to store: removes lone surrogates and control characters except tabs and line feeds. */
export const cleanText = (text: string): string => text.toWellFormed().replace(/[^\P{Cc}\n\t]/gu, '');

/** Cleans streamed text; a high surrogate at the end of a chunk is held back until the next chunk. */
export class StreamTextCleaner {
  private half = '';

  clean(chunk: string): string {
    const text = this.half + chunk;
    this.half = /[\ud800-\udbff]$/.test(text) ? text.slice(-1) : '';
    return cleanText(text.slice(0, text.length - this.half.length));
  }
}

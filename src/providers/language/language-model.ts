import type { z } from 'zod';
import type { CreditReservation } from '../../domain/credits/credit-reservation.ts';

/** A question that is answered as a schema says. */
export interface StructuredQuestion<S extends z.ZodType> {
  /** What is to be done: words of ours alone. */
  instruction: string;
  /** What it is to be done with, such as what respondents wrote. It is sent as data, and nothing in it is an instruction. */
  data: unknown;
  /** An object; every member is required (`nullable` instead of `optional`). */
  schema: S;
  /** A name for the schema: letters, digits and underscores. */
  name: string;
  maxOutputTokens: number;
  /** Is called before it is asked once more, since the answer was no good: that takes as much again. Absent: it may. */
  mayRetry?: () => boolean;
  signal: AbortSignal;
}

/** What was said in a conversation so far. */
export type ChatTurn =
  | { role: 'user'; text: string }
  | { role: 'assistant'; text: string; calls?: readonly FunctionCall[] }
  /** What a function that the model called gave. */
  | { role: 'function'; callId: string; text: string };

/** What the model may call. */
export interface OfferedFunction {
  name: string;
  description: string;
  /** An object; every member is required. */
  parameters: z.ZodObject;
}

export interface FunctionCall {
  callId: string;
  name: string;
  /** As the model wrote it: JSON, hopefully. */
  argumentsText: string;
}

export interface Conversation {
  instruction: string;
  turns: readonly ChatTurn[];
  functions: readonly OfferedFunction[];
  maxOutputTokens: number;
  signal: AbortSignal;
}

/** A piece of what the model says, or what it wants to know before it goes on. */
export type ModelOutput = { kind: 'text'; text: string } | { kind: 'calls'; calls: readonly FunctionCall[] };

/**
 * A language model behind an API. What calls took is told to the held credits, also of calls that failed or were stopped.
 *
 * Fails with AppError: 502 `ai_provider_failed` (it answered, but with nothing that can be used, or refused us), 503
 * `ai_provider_unavailable` (away, overloaded or out of time, after some tries). When the signal fires, with the signal's reason.
 */
export interface LanguageModel {
  readonly engine: 'openai';
  readonly model: string;
  /** Calls of this process that run at once; more wait for their turn. */
  readonly concurrency: number;
  completeStructured<S extends z.ZodType>(
    reservation: CreditReservation,
    question: StructuredQuestion<S>,
  ): Promise<z.output<S>>;
  /** Ends with `calls` where the model wants some, else when it has said everything. */
  converse(reservation: CreditReservation, conversation: Conversation): AsyncIterable<ModelOutput>;
}

/** An upper bound of the tokens of a text, for what is set aside: no tokenizer makes more of usual text. */
export const maxTokensOf = (text: string): number => Math.ceil(Buffer.byteLength(text) / 2) + 8;

/** What a text comes to where the engine does not count: four characters to a token. */
export const estimatedTokensOf = (text: string): number => Math.ceil(text.length / 4);

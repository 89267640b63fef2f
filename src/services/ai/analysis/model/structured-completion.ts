import { z } from 'zod';
import type { CreditReservation } from '../../../../domain/credits/credits.ts';
import { anySignal } from '../../../../lib/concurrency.ts';
import { AppError } from '../../../../lib/errors.ts';
import { cleanText, type LanguageModel } from '../../../../providers/language/language-model.ts';
import { providerFailed } from '../../../../providers/language/provider-failures.ts';
import { maxTokensForAnswer } from '../../../../providers/language/structured-prompts.ts';

/** Beyond these, one further retry for so many first calls. */
const BASE_RETRIES = 2;
const CALLS_PER_EXTRA_RETRY = 4;

/** Number of retries allowed for so many first calls. */
export const maxRetries = (firstAsks: number): number =>
  BASE_RETRIES + Math.floor(firstAsks / CALLS_PER_EXTRA_RETRY);

/**
 * Limits retries of unusable or incomplete answers per reservation and request kind. Each retry costs as much as the first call, and the
 * reservation must cover them all.
 */
class RetryBudget {
  private readonly counts = new WeakMap<CreditReservation, Map<string, { first: number; second: number }>>();

  recordCall(reservation: CreditReservation, question: string): void {
    this.findCounts(reservation, question).first += 1;
  }

  /** Returns whether a retry is allowed, and counts it. */
  takeRetry(reservation: CreditReservation, question: string): boolean {
    const count = this.findCounts(reservation, question);
    if (count.second >= maxRetries(count.first)) return false;
    count.second += 1;
    return true;
  }

  private findCounts(reservation: CreditReservation, question: string): { first: number; second: number } {
    const questions = this.counts.get(reservation) ?? new Map<string, { first: number; second: number }>();
    this.counts.set(reservation, questions);
    const count = questions.get(question) ?? { first: 0, second: 0 };
    questions.set(question, count);
    return count;
  }
}

/** A prompt with its data and the schema of the answer. */
export interface CompletionRequest<S extends z.ZodType> {
  name: string;
  instruction: string;
  schema: S;
  data: object;
  maxOutputTokens: number;
}

/** Requests structured answers from a model, with retries within the reserved budget. */
export class StructuredCompletion {
  readonly parallel: number;
  private readonly retryBudget = new RetryBudget();

  constructor(private readonly model: LanguageModel) {
    this.parallel = model.concurrency;
  }

  complete<S extends z.ZodType>(
    reservation: CreditReservation,
    question: CompletionRequest<S>,
    signal: AbortSignal,
  ): Promise<z.output<S>> {
    this.retryBudget.recordCall(reservation, question.name);
    return this.callModel(reservation, question, signal);
  }

  /** Returns null if the retry budget is used up. */
  async retry<S extends z.ZodType>(
    reservation: CreditReservation,
    question: CompletionRequest<S>,
    signal: AbortSignal,
  ): Promise<z.output<S> | null> {
    if (!this.retryBudget.takeRetry(reservation, question.name)) return null;
    return this.callModel(reservation, question, signal);
  }

  private callModel<S extends z.ZodType>(
    reservation: CreditReservation,
    question: CompletionRequest<S>,
    signal: AbortSignal,
  ) {
    const mayRetry = () => this.retryBudget.takeRetry(reservation, question.name);
    return this.model.completeStructured(reservation, { ...question, signal, mayRetry });
  }
}

/** Upper bound of the input and output tokens of all these requests, retries included. */
export function maxTokensOfAll(questions: readonly CompletionRequest<z.ZodType>[]): number {
  if (questions.length === 0) return 0;
  let all = 0;
  let again = 0;
  for (const question of questions) {
    const { once, repair } = maxTokensForAnswer(question);
    all += once;
    again = Math.max(again, repair);
  }
  return all + maxRetries(questions.length) * again;
}

/** Model output on a single line, at most `mostCharacters` UTF-16 code units. */
export const sanitizeLine = (text: string, mostCharacters: number): string =>
  truncate(cleanText(text).replace(/\s+/g, ' ').trim(), mostCharacters);

/** Model output with its paragraphs, truncated. */
export const sanitizeParagraphs = (text: string, mostCharacters: number): string =>
  truncate(cleanText(text).trim(), mostCharacters);

/** A confidence from a model, limited to 0 to 1 and rounded to hundredths. */
export const clampConfidence = (result: number): number =>
  Math.round(Math.min(Math.max(result, 0), 1) * 100) / 100;

/** Truncates a text that is sent to a model. */
export const truncate = (text: string, mostCharacters: number): string =>
  text.length <= mostCharacters ? text : `${text.slice(0, mostCharacters - 1).toWellFormed()}…`;

/** Numbered per request: response ids are never sent to a provider. */
export interface NumberedText {
  id: number;
  text: string;
}

export const numberTexts = (texts: readonly string[], mostCharacters: number): NumberedText[] =>
  texts.map((text, index) => ({ id: index + 1, text: truncate(text, mostCharacters) }));

/** Schema of one result per text. */
export const resultsSchema = <Shape extends z.ZodRawShape>(shape: Shape) =>
  z.object({ results: z.array(z.object({ id: z.number(), ...shape })) });

type ResultsSchema<R> = z.ZodType<{ results: (R & { id: number })[] }>;

/**
 * Asks a model about each text and matches the results by number. Ignores unknown numbers and asks once more about missing texts; texts
 * still missing are undefined.
 */
export async function answerById<R, T extends { id: number }>({
  completion,
  reservation,
  texts,
  question,
  signal,
}: {
  completion: StructuredCompletion;
  reservation: CreditReservation;
  texts: readonly T[];
  question: (texts: readonly T[]) => CompletionRequest<ResultsSchema<R>>;
  signal: AbortSignal;
}): Promise<(R | undefined)[]> {
  const open = new Set(texts.map(({ id }) => id));
  const byId = new Map<number, R>();
  const take = (results: readonly (R & { id: number })[]) => {
    for (const result of results) if (open.delete(result.id)) byId.set(result.id, result);
  };
  take((await completion.complete(reservation, question(texts), signal)).results);
  const left = texts.filter(({ id }) => open.has(id));
  if (left.length > 0)
    take((await nullIfUnusable(completion.retry(reservation, question(left), signal)))?.results ?? []);
  if (byId.size === 0 && texts.length > 0) throw providerFailed('returned results for none of the texts');
  return texts.map(({ id }) => byId.get(id));
}

async function nullIfUnusable<T>(answer: Promise<T>): Promise<T | null> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof AppError && error.kind === 'bad_gateway') return null;
    throw error;
  }
}

export interface BatchLimits {
  texts: number;
  characters: number;
}

/** Splits items into batches within the limits, in order. An item longer than the limit becomes a batch by itself. */
export function splitIntoBatches<T>(
  items: readonly T[],
  lengthOf: (item: T) => number,
  { texts: limit, characters: mostCharacters }: BatchLimits,
): T[][] {
  const batches: T[][] = [];
  let batch: T[] = [];
  let characters = 0;
  for (const item of items) {
    const length = lengthOf(item);
    if (batch.length === limit || (batch.length > 0 && characters + length > mostCharacters)) {
      batches.push(batch);
      batch = [];
      characters = 0;
    }
    batch.push(item);
    characters += length;
  }
  if (batch.length > 0) batches.push(batch);
  return batches;
}

/**
 * Maps items with limited concurrency; results keep the order of the items. After the first failure aborts the others and throws when all
 * have ended, so that their token usage is recorded.
 */
export async function mapConcurrently<T, R>({
  items,
  atOnce,
  signal,
  work,
}: {
  items: readonly T[];
  atOnce: number;
  signal: AbortSignal;
  work: (item: T, signal: AbortSignal) => Promise<R>;
}): Promise<R[]> {
  const results = new Array<R>(items.length);
  const failed = new AbortController();
  const combinedSignal = anySignal(signal, failed.signal);
  let failure: { error: unknown } | null = null;
  const remaining = items.entries();
  const runNext = async () => {
    for (const [index, item] of remaining) {
      if (failure !== null) return;
      try {
        results[index] = await work(item, combinedSignal.signal);
      } catch (error) {
        failure ??= { error };
        failed.abort(error);
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, items.length) }, runNext));
  combinedSignal.dispose();
  if (failure !== null) throw (failure as { error: unknown }).error;
  return results;
}

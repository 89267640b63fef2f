import type { z } from 'zod';
import type { CreditReservation } from '../../../../domain/credits/credit-reservation.ts';
import type { LanguageModel } from '../../../../providers/language/language-model.ts';
import { maxTokensForAnswer } from '../../../../providers/language/structured-prompts.ts';
import { maxRetries, RetryBudget } from './retry-budget.ts';

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

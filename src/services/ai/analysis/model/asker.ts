import type { z } from 'zod';
import type { HeldCredits } from '../../../../domain/credits/held-credits.ts';
import type { LanguageModel } from '../../../../providers/language/language-model.ts';
import { mostTokensOfAnswer } from '../../../../providers/language/structured-words.ts';
import { mostSecondAsks, SecondAsks } from './second-asks.ts';

/** A question with its data, ready to be asked. */
export interface Prepared<S extends z.ZodType> {
  name: string;
  instruction: string;
  schema: S;
  data: object;
  maxOutputTokens: number;
}

/** Asks a model, again where that helps and its price was set aside. */
export class Asker {
  readonly parallel: number;
  private readonly model: LanguageModel;
  private readonly secondAsks = new SecondAsks();

  constructor(model: LanguageModel) {
    this.model = model;
    this.parallel = model.parallel;
  }

  first<S extends z.ZodType>(
    held: HeldCredits,
    question: Prepared<S>,
    signal: AbortSignal,
  ): Promise<z.output<S>> {
    this.secondAsks.first(held, question.name);
    return this.ask(held, question, signal);
  }

  /** null: not again. */
  async again<S extends z.ZodType>(
    held: HeldCredits,
    question: Prepared<S>,
    signal: AbortSignal,
  ): Promise<z.output<S> | null> {
    if (!this.secondAsks.take(held, question.name)) return null;
    return this.ask(held, question, signal);
  }

  private ask<S extends z.ZodType>(held: HeldCredits, question: Prepared<S>, signal: AbortSignal) {
    const mayAskAgain = () => this.secondAsks.take(held, question.name);
    return this.model.answer(held, { ...question, signal, mayAskAgain });
  }
}

/** An upper bound of the tokens that all these take, asked by an asker, in and out together. */
export function mostTokensOfAll(questions: readonly Prepared<z.ZodType>[]): number {
  if (questions.length === 0) return 0;
  let all = 0;
  let again = 0;
  for (const question of questions) {
    const { once, repair } = mostTokensOfAnswer(question);
    all += once;
    again = Math.max(again, repair);
  }
  return all + mostSecondAsks(questions.length) * again;
}

import type { SurveyScope } from '../../../domain/access/scopes.ts';
import type { ChatFigure, FigureOf } from '../../../domain/chat/chat-figure.ts';
import type { PastMessage } from '../../../domain/chat/history.ts';
import type { SurveyContext } from '../../../domain/chat/system-prompt.ts';
import type { HeldCredits } from '../../../domain/credits/held-credits.ts';
import type { Worker } from '../../billing/credits.ts';
import type { CallableFunctions, SurveyFunctions } from './functions/survey-functions.ts';

/** Something said to whoever answers, with all that it may know. */
export interface ChatPrompt {
  message: string;
  /** What was said before, the last part of it. */
  history: readonly PastMessage[];
  /** null: about no survey. */
  survey: { scope: SurveyScope; context: SurveyContext; functions: SurveyFunctions } | null;
  /** Where it is about no survey. */
  surveys: CallableFunctions & { list(): Promise<FigureOf<'list_surveys'>> };
  /** Of an answer that broke off. */
  partialAnswer: { said: string; figures: readonly ChatFigure[]; planned: string | null };
}

/** A piece of an answer. */
export type AnswerChunk =
  { kind: 'text'; text: string } | { kind: 'figures'; figures: readonly ChatFigure[] };

export interface PreparedAnswer {
  /** All that it may take, in and out together. */
  maxTokens: number;
  /** `plan`: keeps what will be said, where that is known before. Fails with the signal's reason when it fires. */
  generate(
    held: HeldCredits,
    signal: AbortSignal,
    plan: (text: string) => Promise<void>,
  ): AsyncIterable<AnswerChunk>;
}

/** Answers questions about a survey: a language model, or what is built in. */
export interface AnswerEngine extends Worker {
  prepare(asked: ChatPrompt): PreparedAnswer;
}

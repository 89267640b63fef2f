import type { SurveyScope } from '../../../domain/access/scopes.ts';
import type { ChatFigure, FigureOf } from '../../../domain/chat/chat-figure.ts';
import type { PastMessage, SurveyContext } from '../../../domain/chat/system-prompt.ts';
import type { CreditReservation } from '../../../domain/credits/credit-reservation.ts';
import type { EngineModel } from '../../billing/credits.ts';
import type { CallableFunctions, SurveyFunctions } from './functions/survey-functions.ts';

/** A message with everything that the engine may use to answer it. */
export interface ChatPrompt {
  message: string;
  /** The most recent messages before this one. */
  history: readonly PastMessage[];
  /** null: the session is not about a survey. */
  survey: { scope: SurveyScope; context: SurveyContext; functions: SurveyFunctions } | null;
  /** Functions for sessions without a survey. */
  surveys: CallableFunctions & { list(): Promise<FigureOf<'list_surveys'>> };
  /** What an interrupted answer already contains. */
  partialAnswer: { text: string; figures: readonly ChatFigure[]; planned: string | null };
}

/** A chunk of an answer. */
export type AnswerChunk =
  { kind: 'text'; text: string } | { kind: 'figures'; figures: readonly ChatFigure[] };

export interface PreparedAnswer {
  /** Upper bound of the input and output tokens. */
  maxTokens: number;
  /** `plan` stores the complete text if it is known in advance. Throws the signal's reason when it aborts. */
  generate(
    reservation: CreditReservation,
    signal: AbortSignal,
    plan: (text: string) => Promise<void>,
  ): AsyncIterable<AnswerChunk>;
}

/** Answers questions about a survey, with a language model or with built-in rules. */
export interface AnswerEngine extends EngineModel {
  prepare(prompt: ChatPrompt): PreparedAnswer;
}

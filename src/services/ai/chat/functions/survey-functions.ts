import type { SurveyScope } from '../../../../domain/access/scopes.ts';
import type { ChatFigure } from '../../../../domain/chat/chat-figure.ts';
import type { OfferedFunction } from '../../../../providers/language/language-model.ts';
import type { ChatFunction, FigureSources } from './chat-function.ts';
import { answerCall, type CallAnswer } from './answer-call.ts';
import { getDistribution, getStatistics } from './distributions.ts';
import { getResponseCounts, listQuestions } from './overview.ts';
import { compareWaves, getCrosstab } from './tables.ts';
import { getVerbatims } from './verbatims.ts';

const ALL: readonly ChatFunction[] = [
  listQuestions,
  getResponseCounts,
  getDistribution,
  getCrosstab,
  getStatistics,
  compareWaves,
  getVerbatims,
];
const BY_NAME: ReadonlyMap<string, ChatFunction> = new Map(ALL.map((one) => [one.name, one]));

/** The functions that a chat may call. */
export interface CallableFunctions {
  offered: readonly OfferedFunction[];
  /** Runs a call of a model. Invalid calls are answered with an error text. */
  answer(name: string, argumentsText: string): Promise<CallAnswer>;
}

/** The fixed set of functions, bound to one survey and the caller's access to it. */
export class SurveyFunctions implements CallableFunctions {
  readonly offered = ALL;

  constructor(
    private readonly sources: FigureSources,
    private readonly scope: SurveyScope,
  ) {}

  answer(name: string, argumentsText: string): Promise<CallAnswer> {
    const called = BY_NAME.get(name);
    const { sources, scope } = this;
    return answerCall({
      name,
      argumentsText,
      parameters: called?.parameters ?? null,
      known: [...BY_NAME.keys()],
      run: (given) => called!.run(sources, scope, given),
    });
  }

  /** Runs a call of the built-in engine. */
  run(name: ChatFigure['function'], given: Record<string, unknown>): Promise<ChatFigure> {
    return BY_NAME.get(name)!.run(this.sources, this.scope, given);
  }
}

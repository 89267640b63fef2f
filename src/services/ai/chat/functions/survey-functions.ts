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

/** What a conversation may look up. */
export interface CallableFunctions {
  offered: readonly OfferedFunction[];
  /** As a model calls: anything may be wrong, and is answered in words. */
  answer(name: string, argumentsText: string): Promise<CallAnswer>;
}

/** The closed set of functions, bound to one survey and what its caller may see of it. */
export class SurveyFunctions implements CallableFunctions {
  readonly offered = ALL;
  private readonly sources: FigureSources;
  private readonly scope: SurveyScope;

  constructor(sources: FigureSources, scope: SurveyScope) {
    this.sources = sources;
    this.scope = scope;
  }

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

  /** As we call it ourselves. */
  run(name: ChatFigure['function'], given: Record<string, unknown>): Promise<ChatFigure> {
    return BY_NAME.get(name)!.run(this.sources, this.scope, given);
  }
}

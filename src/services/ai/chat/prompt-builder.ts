import type { Caller } from '../../../domain/access/caller.ts';
import type { SurveyScope } from '../../../domain/access/scopes.ts';
import { type PastMessage, recentHistory } from '../../../domain/chat/system-prompt.ts';
import { buildVocabulary } from '../../../domain/chat/find-variables.ts';
import type { Store } from '../../../repositories/store.ts';
import type { AccessService } from '../../access.ts';
import type { ChatPrompt } from './answer-engine.ts';
import type { FigureSources } from './functions/chat-function.ts';
import { SurveyFunctions } from './functions/survey-functions.ts';
import { SurveyListFunction } from './survey-list-function.ts';

/** Messages read per session; more than the history uses. */
const MAX_HISTORY_MESSAGES = 60;

interface PromptContext {
  caller: Caller;
  survey: SurveyScope | null;
  workspaceId: number | undefined;
  /** null: no earlier messages. */
  sessionId: string | null;
}

/** Collects what an engine may use: earlier messages, and the questions and response counts of the survey. */
export class PromptBuilder {
  constructor(
    private readonly store: Store,
    private readonly access: AccessService,
    private readonly sources: FigureSources,
  ) {}

  /** `until`: the interrupted answer to continue; its question and later messages are not part of the history. */
  async buildPrompt(
    { caller, survey, workspaceId, sessionId }: PromptContext,
    message: string,
    until: { messageId: number; before: ChatPrompt['partialAnswer'] } | null = null,
  ): Promise<ChatPrompt> {
    return {
      message,
      history: recentHistory(
        sessionId === null ? [] : await this.loadHistory(sessionId, until?.messageId ?? Infinity),
      ),
      survey: survey === null ? null : await this.loadSurvey(survey),
      surveys: new SurveyListFunction(this.store, this.access, caller, workspaceId),
      partialAnswer: until?.before ?? { text: '', figures: [], planned: null },
    };
  }

  private async loadSurvey(scope: SurveyScope): Promise<ChatPrompt['survey']> {
    const { catalog, definition } = await this.sources.datasets.open(scope.surveyId, () => []);
    const counts = await this.sources.figures.countResponses(scope, { filter: undefined });
    return {
      scope,
      context: { name: definition.name, counts, vocabulary: buildVocabulary(catalog) },
      functions: new SurveyFunctions(this.sources, scope),
    };
  }

  private async loadHistory(sessionId: string, before: number): Promise<PastMessage[]> {
    const rows = await this.store.read.chatMessages.last(sessionId, MAX_HISTORY_MESSAGES);
    return rows
      .filter(({ message_id: id, message_state: state }) => id < before && state !== 'failed')
      .map(({ message_role: role, content }) => ({ role, content }));
  }
}

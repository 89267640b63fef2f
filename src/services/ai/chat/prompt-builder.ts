import { z } from 'zod';
import type { Caller } from '../../../domain/access/caller.ts';
import type { SurveyScope } from '../../../domain/access/scopes.ts';
import type { FigureOf } from '../../../domain/chat/chat-figure.ts';
import { shortenText } from '../../../domain/chat/reply-texts.ts';
import { buildVocabulary } from '../../../domain/chat/find-variables.ts';
import { type PastMessage, recentHistory } from '../../../domain/chat/system-prompt.ts';
import type { Store } from '../../../repositories/store.ts';
import type { AccessService } from '../../access.ts';
import type { ChatPrompt } from './answer-engines.ts';
import { answerCall, type CallableFunctions, type CallAnswer, SurveyFunctions } from './survey-functions.ts';
import type { FigureSources } from './figure-functions.ts';

const MAX_SURVEYS = 40;
const NAME = 'list_surveys';
const STATUSES = { 0: 'deleted', 1: 'draft', 2: 'active', 3: 'closed' } as const;

const LIST_SURVEYS = {
  name: NAME,
  description:
    'The surveys that the user may see, with survey_id, name, status and how many responses there are.',
  parameters: z.strictObject({}),
};

/** The function of a chat without a survey: lists the surveys that the caller can see, without their data. */
class SurveyListFunction implements CallableFunctions {
  readonly offered = [LIST_SURVEYS];

  constructor(
    private readonly store: Store,
    private readonly access: AccessService,
    private readonly caller: Caller,
    /** Limits the list to one workspace. */
    private readonly workspaceId: number | undefined,
  ) {}

  answer(name: string, argumentsText: string): Promise<CallAnswer> {
    return answerCall({
      name,
      argumentsText,
      called: name === NAME ? { parameters: LIST_SURVEYS.parameters, run: () => this.list() } : null,
      known: [NAME],
    });
  }

  /** Newest first. */
  async list(): Promise<FigureOf<'list_surveys'>> {
    const visible = await this.access.listVisibleWorkspaces(this.caller);
    const scopes = visible
      .map(({ scope }) => scope)
      .filter(({ workspaceId }) => this.workspaceId === undefined || workspaceId === this.workspaceId);
    const found: { survey_id: number; survey_name: string; responses: number; status: string }[] = [];
    let total = 0;
    for (const scope of scopes) {
      const listing = {
        status: undefined,
        search: undefined,
        limit: MAX_SURVEYS,
        offset: 0,
        after: undefined,
      };
      const sort = { field: 'survey_id', descending: true } as const;
      const { rows, total: inWorkspace } = await this.store.read.surveys.list(scope, { ...listing, sort });
      total += inWorkspace;
      found.push(
        ...rows.map((row) => ({
          survey_id: row.survey_id,
          survey_name: shortenText(row.survey_name, 120),
          responses: row.response_count,
          status: STATUSES[row.survey_status],
        })),
      );
    }
    const surveys = found.sort((a, b) => b.survey_id - a.survey_id).slice(0, MAX_SURVEYS);
    return { function: NAME, arguments: {}, base: null, counted: null, result: { surveys, total } };
  }
}

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
    const rows = await this.store.read.chatSessions.findLastMessage(sessionId, MAX_HISTORY_MESSAGES);
    return rows
      .filter(({ message_id: id, message_state: state }) => id < before && state !== 'failed')
      .map(({ message_role: role, content }) => ({ role, content }));
  }
}

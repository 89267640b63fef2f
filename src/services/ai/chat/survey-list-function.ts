import { z } from 'zod';
import type { Caller } from '../../../domain/access/caller.ts';
import type { FigureOf } from '../../../domain/chat/chat-figure.ts';
import { shortenText } from '../../../domain/chat/describe-figure.ts';
import type { Store } from '../../../repositories/store.ts';
import type { AccessService } from '../../access.ts';
import { answerCall, type CallAnswer } from './functions/answer-call.ts';
import type { CallableFunctions } from './functions/survey-functions.ts';

const MAX_SURVEYS = 40;
const NAME = 'list_surveys';
const STATUSES = { 0: 'deleted', 1: 'draft', 2: 'active', 3: 'closed' } as const;

const offered = [
  {
    name: NAME,
    description:
      'The surveys that whoever asks may see, with survey_id, name, status and how many responses there are.',
    parameters: z.strictObject({}),
  },
];

/** The function of a chat without a survey: lists the surveys that the caller can see, without their data. */
export class SurveyListFunction implements CallableFunctions {
  readonly offered = offered;

  constructor(
    private readonly store: Store,
    private readonly access: AccessService,
    private readonly caller: Caller /** Limits the list to one workspace. */,
    private readonly workspaceId: number | undefined,
  ) {}

  answer(name: string, argumentsText: string): Promise<CallAnswer> {
    return answerCall({
      name,
      argumentsText,
      parameters: name === NAME ? offered[0]!.parameters : null,
      known: [NAME],
      run: () => this.list(),
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
      const { rows, total: inWorkspace } = await this.store.read.surveyList.list(scope, { ...listing, sort });
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

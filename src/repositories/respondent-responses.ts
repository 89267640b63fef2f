import type { Database } from '../db/connect.ts';
import type { StoredAnswers } from '../domain/answers/codec.ts';
import { qualifyColumns } from './tables/columns.ts';
import type { ResponseTable } from './tables/responses.ts';
import type { QuestionTable, SurveyTable } from './tables/surveys.ts';

const RESPONSE_COLUMNS = [
  'survey_id',
  'response_id',
  'response_status',
  'status_reason',
  'is_test',
  'external_id',
  'language',
  'started_at',
  'completed_at',
  'duration_seconds',
  'answers',
  'originals',
  'hidden',
] as const satisfies readonly (keyof ResponseTable)[];

/** A response with everything that is stored about the respondent. */
export type RespondentResponseRow = Pick<ResponseTable, (typeof RESPONSE_COLUMNS)[number]> &
  Pick<SurveyTable, 'survey_name'> & {
    is_deleted: boolean;
    answers: StoredAnswers;
    /** Values before edits; null: never edited. */
    originals: Record<string, unknown> | null;
    hidden: Record<string, string> | null;
  };

export type SurveyQuestionRow = Pick<QuestionTable, 'survey_id' | 'question_code' | 'question_text'>;

/** The responses of one respondent, over all surveys of the workspace. */
export class RespondentResponseRepository {
  constructor(private readonly db: Database) {}

  /** By survey, oldest first. Omits responses to surveys that were made anonymous. */
  async ofRespondent(workspaceId: number, respondentId: number): Promise<RespondentResponseRow[]> {
    return this.ofIdentified(respondentId)
      .where('surveys.workspace_id', workspaceId)
      .select<RespondentResponseRow[]>(
        ...qualifyColumns('responses', RESPONSE_COLUMNS),
        ...qualifyColumns('surveys', ['survey_name']),
        this.db.raw('responses.deleted_at IS NOT NULL AS is_deleted'),
      )
      .orderBy(['responses.survey_id', 'responses.response_id']);
  }

  /** Counts responses to surveys that were moved to another workspace. */
  async countElsewhere(workspaceId: number, respondentId: number): Promise<number> {
    const [row] = await this.ofIdentified(respondentId)
      .whereNot('surveys.workspace_id', workspaceId)
      .count<{ count: number }[]>();
    return row!.count;
  }

  private ofIdentified(respondentId: number) {
    return this.db('responses')
      .join('surveys', 'surveys.survey_id', 'responses.survey_id')
      .where('responses.respondent_id', respondentId)
      .where('surveys.is_anonymous', false);
  }

  /** Returns the questions of the surveys, whose codes are the keys of the answers. */
  questions(surveyIds: readonly number[]): Promise<SurveyQuestionRow[]> {
    return this.db('questions')
      .select('survey_id', 'question_code', 'question_text')
      .whereRaw('survey_id = ANY(?::bigint[])', [[...surveyIds]])
      .orderBy(['survey_id', 'question_id']);
  }
}

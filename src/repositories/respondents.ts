import { anyOf } from '../db/any-of.ts';
import type { Database } from '../db/connect.ts';
import { queryRows } from '../db/rows.ts';
import type { StoredAnswers } from '../domain/questions/answers/codec.ts';
import { statusesBefore } from '../domain/invitations/invitation-status.ts';
import type { Attributes } from '../domain/respondents/attributes.ts';
import { requireEntry, requireRow } from '../lib/require-value.ts';
import { countRows } from './list-queries.ts';
import { qualifyColumns } from './tables/table.ts';
import type { InvitationTable, RespondentTable } from './tables/field.ts';
import type { ResponseTable } from './tables/responses.ts';
import type { QuestionTable, SurveyTable } from './tables/surveys.ts';
import type { OrganizationTable } from './tables/users.ts';

const RESPONDENT_COLUMNS = [
  'respondent_id',
  'respondent_email',
  'respondent_name',
  'external_id',
  'language',
  'attributes',
  'opted_out_at',
  'last_invited_at',
  'created_at',
] as const satisfies readonly (keyof RespondentTable)[];

export type RespondentRow = Pick<RespondentTable, (typeof RESPONDENT_COLUMNS)[number]> & {
  /** Responses that are complete, not deleted, not test. */
  completed_count: number;
};

/** The fields of a respondent that a request sets. */
export interface RespondentData {
  email: string | null;
  name: string | null;
  externalId: string | null;
  language: string | null;
  attributes: Attributes;
  optedOutAt: Date | null;
}

interface InWorkspace {
  organizationId: number;
  workspaceId: number;
}

/** Adds the number of complete responses. Reads the index on respondent_id, which holds responses of invited respondents only. */
async function withCompletedCounts<Row extends { respondent_id: number }>(
  db: Database,
  respondents: readonly Row[],
): Promise<(Row & { completed_count: number })[]> {
  if (respondents.length === 0) return [];
  const ids = respondents.map((row) => row.respondent_id);
  const rows = await db('responses')
    .select('respondent_id')
    .count<{ respondent_id: number; completed: number }[]>({ completed: '*' })
    .where({ respondent_id: anyOf(db, ids), response_status: 'complete', is_test: false, deleted_at: null })
    .groupBy('respondent_id');
  const counts = new Map(rows.map((row) => [row.respondent_id, row.completed]));
  return respondents.map((row) => ({ ...row, completed_count: counts.get(row.respondent_id) ?? 0 }));
}

/** Sort keys of a list of respondents. Each is a text or an integer, so that a cursor can carry it. */
const SORT_KEYS = {
  respondent_id: { sql: 'respondent_id', type: 'bigint' },
  email: { sql: "coalesce(lower(respondent_email), '')", type: 'text' },
  name: { sql: "coalesce(lower(respondent_name), '')", type: 'text' },
  external_id: { sql: "coalesce(external_id, '')", type: 'text' },
  created_at: { sql: '(extract(epoch FROM created_at) * 1000000)::bigint', type: 'bigint' },
  last_invited_at: {
    sql: 'coalesce((extract(epoch FROM last_invited_at) * 1000000)::bigint, 0)',
    type: 'bigint',
  },
} as const;

type RespondentSortField = keyof typeof SORT_KEYS;

export const RESPONDENT_SORT_FIELDS = Object.keys(SORT_KEYS) as RespondentSortField[];

/** Conditions of a search; null: none. */
export interface RespondentSearch {
  /** Part of the name, email address or external_id, ignoring case. */
  text: string | null;
  optedOut: boolean | null;
  /** Compared as text: `42` also finds the text "42". */
  attribute: { name: string; value: string } | null;
}

export interface RespondentListing {
  search: RespondentSearch;
  sort: { field: RespondentSortField; descending: boolean };
  limit: number;
  offset: number;
  /** The last item of the previous page; null: from the beginning. */
  after: { key: string | number; id: number } | null;
}

export type ListedRespondentRow = RespondentRow & { sort_key: string | number };

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

const INVITATION_COLUMNS = ['invitation_id', 'organization_id', 'respondent_id'] as const;

const RECIPIENT_COLUMNS = ['workspace_id', 'respondent_email', 'language'] as const;

/** The respondent whom an unsubscribe link belongs to. The email address is null for an erased respondent. */
export type InvitedRow = Pick<InvitationTable, (typeof INVITATION_COLUMNS)[number]> &
  Pick<OrganizationTable, 'organization_name'> &
  Pick<RespondentTable, (typeof RECIPIENT_COLUMNS)[number]> & {
    survey_settings: Record<string, unknown>;
    opted_out: boolean;
  };

/**
 * The people who can be invited to a workspace's surveys, their responses over all surveys of the workspace, and their opt-outs. Erased
 * respondents are never returned.
 */
export class RespondentRepository {
  constructor(private readonly db: Database) {}

  async find(scope: InWorkspace, respondentId: number): Promise<RespondentRow | null> {
    const [row] = await withCompletedCounts(this.db, await this.selectOne(scope, respondentId));
    return row ?? null;
  }

  /** As find; locks the row until the transaction ends. */
  async lock(scope: InWorkspace, respondentId: number): Promise<RespondentRow | null> {
    const [row] = await withCompletedCounts(
      this.db,
      await this.selectOne(scope, respondentId).forNoKeyUpdate(),
    );
    return row ?? null;
  }

  private selectOne(scope: InWorkspace, respondentId: number) {
    return this.queryRespondent(scope, respondentId).select(...RESPONDENT_COLUMNS);
  }

  async create({ organizationId, workspaceId }: InWorkspace, data: RespondentData): Promise<RespondentRow> {
    const row = requireRow(
      await this.db('respondents')
        .insert({ organization_id: organizationId, workspace_id: workspaceId, ...valuesOf(data) })
        .returning(RESPONDENT_COLUMNS),
      'respondents',
    );
    return { ...row, completed_count: 0 };
  }

  async update(scope: InWorkspace, respondentId: number, data: RespondentData): Promise<void> {
    await this.queryRespondent(scope, respondentId).update(valuesOf(data));
  }

  /**
   * Removes personal data from the respondent and external_id from their responses and refused entries. Returns false if there is no such respondent. The row
   * remains with what responses and limits refer to: its id, the opt-out and the time of the last invitation.
   */
  async erase(scope: InWorkspace, respondentId: number): Promise<boolean> {
    const erased = await this.queryRespondent(scope, respondentId).update({
      respondent_email: null,
      respondent_name: null,
      external_id: null,
      language: null,
      attributes: '{}',
      erased_at: this.db.fn.now(),
    });
    if (erased === 0) return false;
    const ofRespondent = this.db('responses')
      .where({ respondent_id: respondentId })
      .whereNotNull('external_id');
    const identified = await ofRespondent.clone().select('survey_id', 'external_id');
    for (const { survey_id, external_id } of identified)
      await this.db('link_mismatches').where({ survey_id, external_id }).update({ external_id: null });
    await ofRespondent.clone().update({ external_id: null, updated_at: this.db.fn.now() });
    return true;
  }

  /** Returns the attributes by respondent; omits respondents who are missing or erased. */
  async listAttributes(
    organizationId: number,
    respondentIds: readonly number[],
  ): Promise<Map<number, Attributes>> {
    const rows = await this.db('respondents')
      .select('respondent_id', 'attributes')
      .where({ organization_id: organizationId })
      .whereRaw('respondent_id = ANY(?::bigint[])', [[...respondentIds]])
      .whereNull('erased_at');
    return new Map(rows.map((row) => [row.respondent_id, row.attributes]));
  }

  private queryRespondent({ organizationId, workspaceId }: InWorkspace, respondentId: number) {
    return this.db('respondents')
      .where({ organization_id: organizationId, workspace_id: workspaceId, respondent_id: respondentId })
      .whereNull('erased_at');
  }

  async list(
    scope: InWorkspace,
    { search, sort, limit, offset, after }: RespondentListing,
  ): Promise<ListedRespondentRow[]> {
    const { sql: key, type } = SORT_KEYS[sort.field];
    const order = sort.descending ? 'desc' : 'asc';
    const page = this.queryMatching(scope, search)
      .select(...RESPONDENT_COLUMNS)
      .select<Omit<ListedRespondentRow, 'completed_count'>[]>(this.db.raw(`${key} AS sort_key`))
      .orderByRaw(`${key} ${order}, respondent_id ${order}`)
      .limit(limit)
      .offset(offset);
    if (after !== null) {
      const operator = sort.descending ? '<' : '>';
      void page.whereRaw(`(${key}, respondent_id) ${operator} (?::${type}, ?)`, [after.key, after.id]);
    }
    return withCompletedCounts(this.db, await page);
  }

  async count(scope: InWorkspace, search: RespondentSearch): Promise<number> {
    return countRows(this.queryMatching(scope, search));
  }

  private queryMatching(
    { organizationId, workspaceId }: InWorkspace,
    { text, optedOut, attribute }: RespondentSearch,
  ) {
    const query = this.db('respondents')
      .where({ organization_id: organizationId, workspace_id: workspaceId })
      .whereNull('erased_at');
    if (text !== null)
      void query.whereRaw(
        'position(lower(?) IN lower(concat_ws(chr(10), respondent_name, respondent_email, external_id))) > 0',
        [text],
      );
    if (optedOut !== null)
      void (optedOut ? query.whereNotNull('opted_out_at') : query.whereNull('opted_out_at'));
    if (attribute !== null) void query.whereRaw('attributes ->> ? = ?', [attribute.name, attribute.value]);
    return query;
  }

  /** By survey, oldest first. Omits responses to surveys that were made anonymous. */
  async listResponses(workspaceId: number, respondentId: number): Promise<RespondentResponseRow[]> {
    const surveys = await this.listIdentifiedSurveys(respondentId);
    const names = new Map(
      surveys.flatMap((survey) =>
        survey.workspace_id === workspaceId ? [[survey.survey_id, survey.survey_name] as const] : [],
      ),
    );
    const responses = await this.db('responses')
      .where({ survey_id: anyOf(this.db, [...names.keys()]), respondent_id: respondentId })
      .select(...RESPONSE_COLUMNS, { is_deleted: this.db.raw<boolean>('deleted_at IS NOT NULL') })
      .orderBy(['survey_id', 'response_id']);
    return responses.map((row) => ({ ...row, survey_name: requireEntry(names, row.survey_id, 'survey') }));
  }

  /** Counts responses to surveys that were moved to another workspace. */
  async countResponsesElsewhere(workspaceId: number, respondentId: number): Promise<number> {
    const surveys = await this.listIdentifiedSurveys(respondentId);
    return surveys
      .filter((survey) => survey.workspace_id !== workspaceId)
      .reduce((sum, { responses }) => sum + responses, 0);
  }

  /** The surveys that the respondent answered, except anonymous ones, with the number of their responses. */
  private async listIdentifiedSurveys(respondentId: number) {
    const counts = await this.db('responses')
      .select('survey_id')
      .count<{ survey_id: number; responses: number }[]>({ responses: '*' })
      .where({ respondent_id: respondentId })
      .groupBy('survey_id');
    const responses = new Map(counts.map((row) => [row.survey_id, row.responses]));
    const surveys = await this.db('surveys')
      .select('survey_id', 'survey_name', 'workspace_id')
      .where({ survey_id: anyOf(this.db, [...responses.keys()]), is_anonymous: false });
    return surveys.map((row) => ({ ...row, responses: requireEntry(responses, row.survey_id, 'survey') }));
  }

  /** Returns the questions of the surveys, whose codes are the keys of the answers. */
  listAnsweredQuestions(surveyIds: readonly number[]): Promise<SurveyQuestionRow[]> {
    return this.db('questions')
      .select('survey_id', 'question_code', 'question_text')
      .whereRaw('survey_id = ANY(?::bigint[])', [[...surveyIds]])
      .orderBy(['survey_id', 'question_id']);
  }

  /** Returns those of the addresses that opted out. `emails` are in lower case. */
  async filterOptedOut(organizationId: number, emails: readonly string[]): Promise<Set<string>> {
    // Raw SQL: joins a list of values.
    const rows = await queryRows<{ email: string }>(
      this.db,
      `SELECT given.email FROM unnest(?::text[]) AS given (email)
       JOIN opted_out_addresses a ON a.organization_id = ? AND a.address_digest = address_digest(?, given.email)`,
      [emails, organizationId, organizationId],
    );
    return new Set(rows.map((row) => row.email));
  }

  /** Finds a respondent by the opt-out token, or by the link token if earlier mails had it in their unsubscribe link. */
  async findByOptOutToken(token: string): Promise<InvitedRow | null> {
    const row = await this.db('invitations')
      .join('organizations', 'organizations.organization_id', 'invitations.organization_id')
      .join('respondents', 'respondents.respondent_id', 'invitations.respondent_id')
      .join('surveys', 'surveys.survey_id', 'invitations.survey_id')
      .where('invitations.opt_out_token', token)
      .orWhere((byLinkToken) => {
        void byLinkToken
          .where('invitations.link_token', token)
          .where('invitations.link_token_opts_out', true);
      })
      .first<InvitedRow | undefined>(
        ...qualifyColumns('invitations', INVITATION_COLUMNS),
        ...qualifyColumns('organizations', ['organization_name']),
        ...qualifyColumns('respondents', RECIPIENT_COLUMNS),
        ...qualifyColumns('surveys', ['survey_settings']),
        this.db.raw(`respondents.opted_out_at IS NOT NULL OR EXISTS (
          SELECT FROM opted_out_addresses a WHERE a.organization_id = invitations.organization_id
            AND a.address_digest = address_digest(invitations.organization_id, respondents.respondent_email)) AS opted_out`),
      );
    return row ?? null;
  }

  /** Opts out the respondent, the address in the whole organization, and the invitations in progress. */
  async optOut(person: InvitedRow): Promise<void> {
    const { organization_id: organizationId, respondent_id: respondentId, respondent_email: email } = person;
    await this.db('respondents')
      .where({ respondent_id: respondentId })
      .update({ opted_out_at: this.db.raw('coalesce(opted_out_at, now())') });
    await this.db('invitations')
      .where({ respondent_id: respondentId })
      .whereIn('invitation_status', statusesBefore('opted_out'))
      .update({ invitation_status: 'opted_out' });
    if (email === null) return;
    await this.db('opted_out_addresses')
      .insert({
        organization_id: organizationId,
        address_digest: this.db.raw('address_digest(?, ?)', [organizationId, email]),
      })
      .onConflict(['organization_id', 'address_digest'])
      .ignore();
  }

  async optIn(
    person: Pick<InvitedRow, 'organization_id' | 'respondent_id' | 'respondent_email'>,
  ): Promise<void> {
    await this.db('respondents')
      .where({ respondent_id: person.respondent_id })
      .update({ opted_out_at: null });
    if (person.respondent_email !== null)
      await this.deleteOptedOutAddress(person.organization_id, person.respondent_email);
  }

  /** Lets the organization send mails to the address again. */
  async deleteOptedOutAddress(organizationId: number, email: string): Promise<void> {
    await this.db('opted_out_addresses')
      .where({ organization_id: organizationId })
      .whereRaw('address_digest = address_digest(?, ?)', [organizationId, email])
      .delete();
  }
}

const valuesOf = (data: RespondentData) => ({
  respondent_email: data.email,
  respondent_name: data.name,
  external_id: data.externalId,
  language: data.language,
  attributes: JSON.stringify(data.attributes),
  opted_out_at: data.optedOutAt,
});

/** Whether a cursor may carry this value as its sort key. */
export function isRespondentSortKey(field: RespondentSortField, key: unknown): key is string | number {
  return SORT_KEYS[field].type === 'text' ? typeof key === 'string' : Number.isSafeInteger(key);
}

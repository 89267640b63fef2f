import type { RespondentScope, WorkspaceScope } from '../../domain/access/scopes.ts';
import { type Attributes, hasSameAttributes } from '../../domain/respondents/attributes.ts';
import { required } from '../../lib/error-messages.ts';
import type { Clock } from '../../lib/clock.ts';
import { invalid, notFound } from '../../lib/errors.ts';
import type { RespondentInvitationRow } from '../../repositories/invitations.ts';
import type {
  ListedRespondentRow,
  RespondentData,
  RespondentListing,
  RespondentResponseRow,
  RespondentRow,
  RespondentSearch,
  SurveyQuestionRow,
} from '../../repositories/respondents.ts';
import type { Repositories } from '../../repositories/repositories.ts';
import type { Store } from '../../repositories/store.ts';

/** undefined: unchanged. null: cleared. Attributes are replaced as a whole. */
export interface RespondentChanges {
  email?: string | null | undefined;
  name?: string | null | undefined;
  externalId?: string | null | undefined;
  language?: string | null | undefined;
  attributes?: Attributes | null | undefined;
  optedOut?: boolean | undefined;
}

export interface RespondentExport {
  respondent: RespondentRow;
  responses: RespondentResponseRow[];
  /** The questions of the surveys that have responses. */
  questions: SurveyQuestionRow[];
  invitations: RespondentInvitationRow[];
  /** Number of responses to surveys that have moved to another workspace, which controls access to them. */
  elsewhere: number;
}

/** The respondents of a workspace. */
export class RespondentService {
  constructor(
    private readonly store: Store,
    private readonly clock: Clock,
  ) {}

  /** `total` counts all matches. */
  list(
    scope: WorkspaceScope,
    listing: RespondentListing,
  ): Promise<{ rows: ListedRespondentRow[]; total: number }> {
    return this.store.snapshot(async ({ respondents }) => ({
      rows: await respondents.list(scope, listing),
      total: await respondents.count(scope, listing.search),
    }));
  }

  count(scope: WorkspaceScope, search: RespondentSearch): Promise<number> {
    return this.store.read.respondents.count(scope, search);
  }

  async get(scope: RespondentScope): Promise<RespondentRow> {
    const row = await this.store.read.respondents.find(scope, scope.respondentId);
    if (row === null) throw notFound('respondent');
    return row;
  }

  create(scope: WorkspaceScope, changes: RespondentChanges): Promise<RespondentRow> {
    const data = applyChanges(EMPTY_DATA, changes, this.clock.now());
    return this.store.transaction(async (repositories) => {
      const row = await repositories.respondents.create(scope, data);
      await recordRespondentAudit(repositories, { ...scope, respondentId: row.respondent_id }, 'created');
      return row;
    });
  }

  update(scope: RespondentScope, changes: RespondentChanges): Promise<RespondentRow> {
    return this.store.transaction(async (repositories) => {
      const row = await repositories.respondents.lock(scope, scope.respondentId);
      if (row === null) throw notFound('respondent');
      const before = dataOf(row);
      const after = applyChanges(before, changes, this.clock.now());
      const fields = changedFields(before, after);
      if (fields.length === 0) return row;
      await repositories.respondents.update(scope, scope.respondentId, after);
      // Clearing an opt-out clears it for the whole organization.
      if (before.optedOutAt !== null && after.optedOutAt === null && after.email !== null)
        await repositories.respondents.deleteOptedOutAddress(scope.organizationId, after.email);
      await recordRespondentAudit(repositories, scope, actionOf(fields, after), { fields });
      return { ...row, ...columnsOf(after) };
    });
  }

  async erase(scope: RespondentScope): Promise<void> {
    await this.store.transaction(async (repositories) => {
      if (!(await repositories.respondents.erase(scope, scope.respondentId))) throw notFound('respondent');
      await repositories.invitations.clearNotes(scope.respondentId);
      await recordRespondentAudit(repositories, scope, 'erased');
    });
  }

  /** Exports all data about a respondent. Recorded in the audit log. */
  export(scope: RespondentScope): Promise<RespondentExport> {
    const { workspaceId, respondentId } = scope;
    return this.store.transaction(async (repositories) => {
      const { respondents } = repositories;
      const respondent = await respondents.find(scope, respondentId);
      if (respondent === null) throw notFound('respondent');
      const responses = await respondents.listResponses(workspaceId, respondentId);
      const surveyIds = [...new Set(responses.map((response) => response.survey_id))];
      const questions = await respondents.listAnsweredQuestions(surveyIds);
      const otherWorkspaceResponses = await respondents.countResponsesElsewhere(workspaceId, respondentId);
      const invitations = await repositories.invitations.listByRespondent(workspaceId, respondentId);
      await recordRespondentAudit(repositories, scope, 'exported', { responses: responses.length });
      return { respondent, responses, questions, invitations, elsewhere: otherWorkspaceResponses };
    });
  }
}

const EMPTY_DATA: RespondentData = {
  email: null,
  name: null,
  externalId: null,
  language: null,
  attributes: {},
  optedOutAt: null,
};

const dataOf = (row: RespondentRow): RespondentData => ({
  email: row.respondent_email,
  name: row.respondent_name,
  externalId: row.external_id,
  language: row.language,
  attributes: row.attributes,
  optedOutAt: row.opted_out_at,
});

const columnsOf = (data: RespondentData) => ({
  respondent_email: data.email,
  respondent_name: data.name,
  external_id: data.externalId,
  language: data.language,
  attributes: data.attributes,
  opted_out_at: data.optedOutAt,
});

function applyChanges(before: RespondentData, changes: RespondentChanges, now: Date): RespondentData {
  const changedOr = <T>(change: T | undefined, was: T): T => (change === undefined ? was : change);
  const after = {
    email: changedOr(changes.email, before.email),
    name: changedOr(changes.name, before.name),
    externalId: changedOr(changes.externalId, before.externalId),
    language: changedOr(changes.language, before.language),
    attributes: changedOr(changes.attributes, before.attributes) ?? {},
    // Keeps the time of an earlier opt-out.
    optedOutAt: changedOr(changes.optedOut, before.optedOutAt !== null) ? (before.optedOutAt ?? now) : null,
  };
  if (after.email === null && after.externalId === null)
    throw invalid('email', required('unless external_id is given'));
  return after;
}

const FIELDS = new Map([
  ['email', 'email'],
  ['name', 'name'],
  ['externalId', 'external_id'],
  ['language', 'language'],
] as const);

/** Field names for the audit log, without values. */
function changedFields(before: RespondentData, after: RespondentData): string[] {
  return [
    ...[...FIELDS].flatMap(([key, field]) => (before[key] === after[key] ? [] : [field])),
    ...(hasSameAttributes(before.attributes, after.attributes) ? [] : ['attributes']),
    ...(before.optedOutAt === after.optedOutAt ? [] : ['opted_out']),
  ];
}

function actionOf(fields: readonly string[], after: RespondentData): string {
  if (fields.length > 1 || fields[0] !== 'opted_out') return 'updated';
  return after.optedOutAt === null ? 'opted_in' : 'opted_out';
}

const recordRespondentAudit = (
  { audit }: Repositories,
  scope: RespondentScope,
  action: string,
  details?: Record<string, unknown>,
): Promise<void> =>
  audit.record({
    by: scope,
    action: `respondent.${action}`,
    objectType: 'respondent',
    objectId: scope.respondentId,
    ...(details === undefined ? {} : { details }),
  });

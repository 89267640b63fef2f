import { eraseLocked } from '../responses/response-erasure.ts';
import type { RespondentScope, WorkspaceScope } from '../../domain/access/scopes.ts';
import type { SourceFile } from '../../domain/import/source-file.ts';
import { type Attributes, hasSameAttributes } from '../../domain/respondents/attributes.ts';
import {
  emailKey,
  mapRespondentColumns,
  readRespondentRow,
  resolveRespondentRow,
  type RespondentColumn,
  type RespondentInput,
  type RowProblem,
  type RowResolution,
} from '../../domain/import/respondent-row.ts';
import { openDataFile, type OpenOptions } from '../../importers/open-data-file.ts';
import type { WorkbookReaderPool } from '../../importers/xlsx/xlsx-source.ts';
import type { Clock } from '../../lib/clock.ts';
import { duplicateOf, requiredField } from '../../lib/error-messages.ts';
import { AppError, type ErrorDetail, invalid, invalidFields, notFound } from '../../lib/errors.ts';
import { requireValue } from '../../lib/require-value.ts';
import type { RespondentInvitationRow } from '../../repositories/invitations.ts';
import type { Repositories } from '../../repositories/repositories.ts';
import type {
  ListedRespondentRow,
  RespondentData,
  RespondentListing,
  RespondentResponseRow,
  RespondentRow,
  RespondentSearch,
  SurveyQuestionRow,
} from '../../repositories/respondents.ts';
import type { Store } from '../../repositories/store.ts';
import {
  batchRows,
  checkWidth,
  invalidRowsError,
  RowSpool,
  withUploadedFile,
} from '../responses/import/import-check.ts';

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

  /** `total` counts all matches. A search for personal data is recorded once, with its first page. */
  async list(
    scope: WorkspaceScope,
    listing: RespondentListing,
  ): Promise<{ rows: ListedRespondentRow[]; total: number }> {
    const page = await this.store.snapshot(async ({ respondents }) => ({
      rows: await respondents.list(scope, listing),
      total: await respondents.count(scope, listing.search),
    }));
    if (listing.after === null && listing.offset === 0)
      await this.recordSearch(scope, listing.search, page.total);
    return page;
  }

  async count(scope: WorkspaceScope, search: RespondentSearch): Promise<number> {
    const count = await this.store.read.respondents.count(scope, search);
    await this.recordSearch(scope, search, count);
    return count;
  }

  /** Records who searched by what, without the words. */
  private async recordSearch(scope: WorkspaceScope, search: RespondentSearch, found: number): Promise<void> {
    const by = [search.text === null ? [] : 'text', search.attribute === null ? [] : 'attribute'].flat();
    if (by.length === 0) return;
    await this.store.read.audit.record({
      by: scope,
      action: 'respondents.searched',
      objectType: 'workspace',
      objectId: scope.workspaceId,
      details: { by, found },
    });
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
      await recordRespondentAudit({
        repositories,
        scope: { ...scope, respondentId: row.respondent_id },
        action: 'created',
      });
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
      await recordRespondentAudit({
        repositories,
        scope,
        action: actionOf(fields, after),
        details: { fields },
      });
      return { ...row, ...columnsOf(after) };
    });
  }

  /** With `erasesResponses`, also erases the responses in surveys of the workspace. Returns the names of job files to remove. */
  async erase(scope: RespondentScope, { erasesResponses }: { erasesResponses: boolean }): Promise<string[]> {
    const { workspaceId, respondentId } = scope;
    return this.store.transaction(async (repositories) => {
      const responses = erasesResponses
        ? await repositories.respondents.listResponses(workspaceId, respondentId)
        : [];
      const jobFiles: string[] = [];
      // First, while the responses still have what to search for: their external_id.
      for (const { survey_id: surveyId, response_id: responseId } of responses)
        jobFiles.push(...((await eraseLocked(repositories, surveyId, responseId))?.jobFiles ?? []));
      if (!(await repositories.respondents.erase(scope, respondentId))) throw notFound('respondent');
      await repositories.invitations.clearNotes(respondentId);
      await recordRespondentAudit({
        repositories,
        scope,
        action: 'erased',
        ...(erasesResponses ? { details: { responses: responses.length } } : {}),
      });
      return jobFiles;
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
      await recordRespondentAudit({
        repositories,
        scope,
        action: 'exported',
        details: { responses: responses.length },
      });
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
    throw invalid('email', requiredField('unless external_id is given'));
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

const recordRespondentAudit = ({
  repositories: { audit },
  scope,
  action,
  details,
}: {
  repositories: Repositories;
  scope: RespondentScope;
  action: string;
  details?: Record<string, unknown> | undefined;
}): Promise<void> =>
  audit.record({
    by: scope,
    action: `respondent.${action}`,
    objectType: 'respondent',
    objectId: scope.respondentId,
    ...(details === undefined ? {} : { details }),
  });

const MAX_RESPONDENT_ROWS = 100_000;
const MAX_FILE_PROBLEMS = 20;
const MAX_LISTED_COLUMNS = 200;

interface ImportRequest extends OpenOptions {
  chunks: AsyncIterable<Buffer>;
  updateExisting: boolean;
  /** One invalid row rejects the whole file. */
  atomic: boolean;
  dryRun: boolean;
  /** The meaning of columns whose header does not say it: a field, an attribute, or '' to leave the column out. */
  columnNames: ReadonlyMap<string, string>;
}

type CreatedRow = { row: number; outcome: 'created'; /** null: dry run. */ respondentId: number | null };

/** The outcome of a row. */
export type RowOutcome =
  | CreatedRow
  | { row: number; outcome: 'updated' | 'unchanged'; respondentId: number }
  | { row: number; outcome: 'failed'; problems: RowProblem[] };

export interface RespondentImportOutcome {
  file: Pick<SourceFile, 'format' | 'delimiter'>;
  columns: RespondentColumn[];
  /** One for every row, in file order. */
  rows: RowOutcome[];
  notes: string[];
}

/** The error for columns that make the whole file unusable. Its member `columns` has the headers that are given, which `column_names` can rename. */
function unusableColumns(problems: ErrorDetail[], columns: readonly { header: string }[] | null): AppError {
  const error = invalidFields(problems.slice(0, MAX_FILE_PROBLEMS));
  if (columns === null) return error;
  const { kind, code, message, details } = error;
  const headers = columns.slice(0, MAX_LISTED_COLUMNS).map(({ header }) => header.slice(0, 200));
  return new AppError(kind, code, message, details, {}, { columns: headers });
}

/** Imports respondents from files. */
export class RespondentImportService {
  constructor(
    private readonly store: Store,
    private readonly clock: Clock,
    private readonly workbooks: WorkbookReaderPool,
  ) {}

  /**
   * Imports a file. Every row is checked against the workspace before the first one is written, so a dry run reports
   * the same outcomes.
   */
  async import(scope: WorkspaceScope, request: ImportRequest): Promise<RespondentImportOutcome> {
    return withUploadedFile(request.chunks, async (bytes, folder) => {
      const file = await openDataFile(bytes, request, this.workbooks);
      checkWidth(file);
      const { columns, problems } = mapRespondentColumns(file.columns, request.columnNames);
      if (problems.length > 0) throw unusableColumns(problems, request.dryRun ? file.columns : null);

      const spool = new RowSpool<RespondentInput>(folder);
      let read: Map<number, RowOutcome | null>;
      try {
        read = await readRows(file, columns, spool);
      } finally {
        await spool.close();
      }
      const rows = await this.store.transaction((repositories) =>
        this.writeRows({ repositories, scope, importRequest: request, outcomes: read, spool }),
      );
      return {
        file: { format: file.format, delimiter: file.delimiter },
        columns,
        rows,
        notes: [...file.notes],
      };
    });
  }

  private async writeRows({
    repositories,
    scope,
    importRequest: { updateExisting, atomic, dryRun },
    outcomes,
    spool,
  }: {
    repositories: Repositories;
    scope: WorkspaceScope;
    importRequest: ImportRequest;
    outcomes: Map<number, RowOutcome | null>;
    spool: RowSpool<RespondentInput>;
  }): Promise<RowOutcome[]> {
    const { respondentImports } = repositories;
    await respondentImports.lockWorkspace(scope);
    const claimed = new Map<number, number>();
    for await (const respondents of spool.chunks()) {
      const known = await respondentImports.lockKnown(scope, respondents);
      for (const person of respondents) {
        const byExternalId =
          person.externalId === null ? undefined : known.byExternalId.get(person.externalId);
        const byEmail = person.email === null ? undefined : known.byEmail.get(emailKey(person.email));
        const resolution = resolveRespondentRow({
          input: person,
          byExternalId: byExternalId ?? null,
          byEmail: byEmail ?? null,
          updateExisting,
        });
        outcomes.set(
          person.row,
          outcomeOf(person.row, rejectRepeatedRespondent(resolution, person.row, claimed)),
        );
      }
    }
    const rows = [...outcomes.values()].filter((outcome) => outcome !== null);
    const errors = rows.flatMap((one) =>
      one.outcome === 'failed' ? [{ row: one.row, details: one.problems }] : [],
    );
    if (dryRun) return rows;
    if (atomic && errors.length > 0) throw invalidRowsError(errors);

    const now = this.clock.now();
    const written = { created: 0, updated: 0 };
    for await (const respondents of spool.chunks()) {
      const created: { person: RespondentInput; outcome: CreatedRow }[] = [];
      const changed: RespondentInput[] = [];
      const changedIds: number[] = [];
      for (const person of respondents) {
        const outcome = requireValue(outcomes.get(person.row), 'outcome of a row');
        if (outcome.outcome === 'created') created.push({ person, outcome });
        if (outcome.outcome !== 'updated') continue;
        changed.push(person);
        changedIds.push(outcome.respondentId);
      }
      const ids = await respondentImports.insertMany(
        scope,
        created.map(({ person }) => person),
        now,
      );
      for (const [index, { outcome }] of created.entries()) outcome.respondentId = ids[index] ?? null;
      await respondentImports.updateMany({
        inWorkspace: scope,
        respondentIds: changedIds,
        respondents: changed,
        now,
      });
      written.created += created.length;
      written.updated += changed.length;
    }
    if (written.created + written.updated > 0) {
      await repositories.audit.record({
        by: scope,
        action: 'respondents.imported',
        objectType: 'workspace',
        objectId: scope.workspaceId,
        details: written,
      });
    }
    return rows;
  }
}

/** Reads every row. Valid rows go to the spool, with the outcome null until it is known. */
async function readRows(
  file: SourceFile,
  columns: readonly RespondentColumn[],
  spool: RowSpool<RespondentInput>,
): Promise<Map<number, RowOutcome | null>> {
  const outcomes = new Map<number, RowOutcome | null>();
  const firstRows = { email: new Map<string, number>(), external_id: new Map<string, number>() };
  for await (const rows of batchRows(file, MAX_RESPONDENT_ROWS)) {
    for (const source of rows) {
      const { given, problems } = readRespondentRow(columns, source);
      const { row } = given;
      const names = [
        ['email', given.email === null ? null : emailKey(given.email)],
        ['external_id', given.externalId],
      ] as const;
      for (const [column, name] of names) {
        if (name === null) continue;
        const first = firstRows[column].get(name);
        if (first === undefined) firstRows[column].set(name, row);
        else problems.push({ column, message: duplicateOf(`the ${column} of row ${first}`) });
      }
      outcomes.set(row, problems.length > 0 ? { row, outcome: 'failed', problems } : null);
      if (problems.length === 0) await spool.add(given);
    }
  }
  return outcomes;
}

/** Two rows may identify one respondent in different ways; only the first is used. */
function rejectRepeatedRespondent(
  resolution: RowResolution,
  row: number,
  claimed: Map<number, number>,
): RowResolution {
  if (!('respondentId' in resolution)) return resolution;
  const first = claimed.get(resolution.respondentId);
  if (first === undefined) {
    claimed.set(resolution.respondentId, row);
    return resolution;
  }
  const message = `is respondent ${resolution.respondentId}, as row ${first} is`;
  return { outcome: 'failed', problem: { column: '', message } };
}

function outcomeOf(row: number, resolution: RowResolution): RowOutcome {
  switch (resolution.outcome) {
    case 'created':
      return { row, outcome: 'created', respondentId: null };
    case 'failed':
      return { row, outcome: 'failed', problems: [resolution.problem] };
    default:
      return { row, ...resolution };
  }
}

import { enqueueSnapshots } from '../../datasets/column-snapshots.ts';
import type { SurveyScope } from '../../../domain/access/scopes.ts';
import type { StoredAnswers } from '../../../domain/questions/answers/codec.ts';
import { ColumnCatalog } from '../../../domain/dataset/column-catalog.ts';
import {
  type AnswerStates,
  answerState,
  createEditPatch,
  type EditableAnswers,
  type ResponsePatch,
  type ResponseStatus,
} from '../../../domain/responses/response-row.ts';
import type { ColumnCounts, DataFileReport } from '../../../domain/import/import-report.ts';
import { type ColumnMatch, matchColumns, NO_HEADER_REASON } from '../../../domain/import/match-columns.ts';
import type { ValuesAs } from '../../../domain/import/read-cell.ts';
import { withoutDeclaredMissing } from '../../../domain/import/missing-marks.ts';
import type { NumberScan } from '../../../domain/import/number-scan.ts';
import { ImportRowReader } from '../../../domain/import/row-reader.ts';
import { adaptTypedCells } from '../../../domain/import/statistics-cells.ts';
import { openDataFile, type OpenOptions } from '../../../importers/open-data-file.ts';
import type { WorkbookReaderPool } from '../../../importers/xlsx/xlsx-source.ts';
import type { Clock } from '../../../lib/clock.ts';
import { formatAlternatives, quote } from '../../../lib/error-messages.ts';
import { invalidFields } from '../../../lib/errors.ts';
import type { Ids } from '../../../lib/ids.ts';
import { requireEntry } from '../../../lib/require-value.ts';
import { truncateText } from '../../../lib/truncate-text.ts';
import type { EditableRow } from '../../../repositories/data-changes.ts';
import type { Repositories } from '../../../repositories/repositories.ts';
import type { NewResponse } from '../../../repositories/responses.ts';
import type { Store } from '../../../repositories/store.ts';
import type { PreparedDefinitionCache } from '../../surveys/survey-definitions.ts';
import { type DataChangeService, lockForQuotas, type OpenChange } from '../changes/data-changes.ts';
import { requireAcceptingDefinition } from '../response-rows.ts';
import {
  type CheckedRows,
  checkRows,
  checkWidth,
  inferDecimalMarks,
  invalidRowsError,
  type OnExisting,
  type ReadingOptions,
  resolveTimeZone,
  RowSpool,
  type SpooledRow,
  testNotes,
  withUploadedFile,
} from './import-check.ts';

const TOKEN_CHARACTERS = 32;

interface WriteInto {
  surveyId: number;
  surveyVersion: number;
  /** Questions that the file has columns for. */
  questionCodes: readonly string[];
  /** Whether the file has the response status. */
  hasStatus: boolean;
  /** Whether the file has the duration, which then is not computed. */
  hasDuration: boolean;
  now: Date;
  ids: Ids;
}

interface WrittenRows {
  created: number;
  /** Responses created by others after the rows were checked. */
  existing: number;
  updated: number;
  unchanged: number;
}

/** Writes spooled rows: creates new responses and updates existing ones. */
export async function writeRows({
  repositories,
  change,
  spool,
  into,
}: {
  repositories: Repositories;
  change: OpenChange | null;
  spool: RowSpool;
  into: WriteInto;
}): Promise<WrittenRows> {
  const written: WrittenRows = { created: 0, existing: 0, updated: 0, unchanged: 0 };
  if (change !== null) await lockForQuotas(repositories, into.surveyId, () => knownIds(spool));
  for await (const rows of spool.chunks()) {
    const created = rows.filter(({ responseId }) => responseId === null);
    const results = await repositories.responses.insertMany(created.map((row) => newResponse(row, into)));
    const createdIds = results.filter(({ created }) => created).map((one) => one.response_id);
    await change?.recordCreated(createdIds, into.now);
    written.created += createdIds.length;
    written.existing += results.length - createdIds.length;
    if (change !== null && created.length < rows.length) {
      const updated = await updateRows({ repositories, change, rows, into });
      written.updated += updated.updated;
      written.unchanged += updated.unchanged;
    }
  }
  await enqueueSnapshots(repositories, into.surveyId);
  return written;
}

async function knownIds(spool: RowSpool): Promise<number[]> {
  const ids: number[] = [];
  for await (const rows of spool.chunks()) ids.push(...rows.flatMap(({ responseId }) => responseId ?? []));
  return ids;
}

/** Updates existing responses; ignores the other rows. */
async function updateRows({
  repositories: { dataChanges },
  change,
  rows,
  into,
}: {
  repositories: Repositories;
  change: OpenChange;
  rows: readonly SpooledRow[];
  into: WriteInto;
}): Promise<{ updated: number; unchanged: number }> {
  const byId = new Map(
    rows.flatMap((row) => (row.responseId === null ? [] : [[row.responseId, row] as const])),
  );
  const locked = await dataChanges.lockRows(into.surveyId, [...byId.keys()]);
  const patches = locked.flatMap((response) => {
    const patch = patchOf(response, requireEntry(byId, response.response_id, 'row of response'), into);
    return patch === null ? [] : [{ responseId: response.response_id, ...patch }];
  });
  await change.patchResponses(patches);
  return { updated: patches.length, unchanged: locked.length - patches.length };
}

/** Answers of questions in the file are replaced; a deleted response is restored. */
function patchOf(
  response: EditableRow,
  row: SpooledRow,
  { questionCodes, hasStatus }: WriteInto,
): { before: ResponsePatch; after: ResponsePatch; cells: number } | null {
  const editable: EditableAnswers = response;
  const states = new Map<string, AnswerStates[string]>();
  for (const code of questionCodes) {
    const state = answerState(row.answers, code);
    const [answer = null] = state;
    const [now = null] = answerState(response.answers, code);
    // If the question has no answer before and after, the reason stays unchanged.
    if (answer === null && now === null) continue;
    states.set(code, state);
  }
  const edit = createEditPatch(editable, Object.fromEntries(states));
  const { status, statusReason } = row.metadata;
  const before: ResponsePatch = { ...edit?.before };
  const after: ResponsePatch = { ...edit?.after };
  if (hasStatus && status !== response.response_status) {
    Object.assign(before, { status: response.response_status, statusReason: response.status_reason });
    Object.assign(after, { status, statusReason });
  }
  if (response.deleted_at !== null) {
    before.deletedAt = response.deleted_at;
    after.deletedAt = null;
  }
  if (Object.keys(after).length === 0) return null;
  return { before, after, cells: Object.keys(edit?.after.answers ?? {}).length };
}

function newResponse(row: SpooledRow, into: WriteInto): NewResponse {
  const { metadata } = row;
  const givenStart = metadata.startedAt === null ? null : new Date(metadata.startedAt);
  const givenEnd = metadata.completedAt === null ? null : new Date(metadata.completedAt);
  // Without an end in the file a response ends now, but never before its start.
  const end = givenEnd ?? (givenStart !== null && givenStart > into.now ? givenStart : into.now);
  const completedAt = metadata.status === 'partial' ? null : end;
  const startedAt = givenStart ?? completedAt ?? into.now;
  const measuredSeconds =
    givenStart === null || givenEnd === null || givenEnd < givenStart
      ? null
      : (givenEnd.getTime() - givenStart.getTime()) / 1000;
  return {
    surveyId: into.surveyId,
    submissionId: metadata.submissionId,
    responseToken: into.ids.token(TOKEN_CHARACTERS),
    status: metadata.status,
    statusReason: metadata.statusReason,
    endReason: metadata.endReason ?? row.endReason,
    isTest: metadata.isTest ?? false,
    surveyVersion: into.surveyVersion,
    linkId: null,
    waveId: null,
    externalId: metadata.externalId,
    language: metadata.language,
    lastPageId: null,
    startedAt,
    completedAt,
    durationSeconds: metadata.durationSeconds ?? (into.hasDuration ? null : measuredSeconds),
    answers: withoutPrototype(row.answers),
    hidden: null,
  };
}

/** Without a prototype, as answers are stored: a code such as `constructor` is a plain key. */
const withoutPrototype = (answers: StoredAnswers): StoredAnswers =>
  Object.assign(Object.create(null) as StoredAnswers, answers);

interface ImportRequest extends OpenOptions, ReadingOptions {
  fileName: string;
  chunks: AsyncIterable<Buffer>;
  values: ValuesAs;
  status: ResponseStatus;
  /** Zone of timestamps without an offset; null: that of the file, else of the survey. */
  timeZone: string | null;
  onExisting: OnExisting;
  /** One invalid row refuses all. */
  atomic: boolean;
  /** What an invalid cell does: its row has an error, or it is left empty. */
  invalidCells: 'error' | 'empty';
  dryRun: boolean;
}

export interface ImportOutcome extends DataFileReport, WrittenRows {
  /** Columns of the file, including trailing columns with values but no header. */
  columns: (ColumnMatch & ColumnCounts)[];
  /** Question columns that the file does not have. */
  missingColumns: string[];
  changeId: number | null;
}

const MAX_MISSING_COLUMNS = 200;
/** A column without a header. */
const UNNAMED: ColumnMatch = {
  header: '',
  entry: null,
  columnCode: null,
  matchedBy: null,
  reason: NO_HEADER_REASON,
  nearest: [],
};

/** Imports the rows of data files as responses. */
export class ResponseImportService {
  private readonly store: Store;
  private readonly changes: DataChangeService;
  private readonly definitions: PreparedDefinitionCache;
  private readonly clock: Clock;
  private readonly ids: Ids;
  private readonly workbooks: WorkbookReaderPool;

  constructor(dependencies: {
    store: Store;
    changes: DataChangeService;
    definitions: PreparedDefinitionCache;
    clock: Clock;
    ids: Ids;
    workbooks: WorkbookReaderPool;
  }) {
    this.store = dependencies.store;
    this.changes = dependencies.changes;
    this.definitions = dependencies.definitions;
    this.clock = dependencies.clock;
    this.ids = dependencies.ids;
    this.workbooks = dependencies.workbooks;
  }

  /** Checks all rows before writing; the import is one change of the data. */
  async import(scope: SurveyScope, request: ImportRequest): Promise<ImportOutcome> {
    return withUploadedFile(request.chunks, async (bytes, folder) => {
      const prepared = await requireAcceptingDefinition(this.store, this.definitions, scope.surveyId);
      const source = await openDataFile(bytes, request, this.workbooks);
      checkWidth(source);
      const file = withoutDeclaredMissing(source, request.missingValues);
      const derived = await this.store.read.derivedColumns.loadCurrent(scope.surveyId);
      const timeZone = request.timeZone ?? resolveTimeZone(file, derived.timeZone);
      const catalog = new ColumnCatalog(prepared.definition);
      const matches = matchColumns(file, catalog).map((match) =>
        derived.columns.some(
          ({ column_code: code }) => code.toLowerCase() === match.header.trim().toLowerCase(),
        )
          ? { ...match, reason: 'is computed from other columns and cannot be imported', nearest: [] }
          : match,
      );
      if (matches.every(({ entry }) => entry?.origin.kind !== 'question')) throw nothingMatched(matches);

      const hasNumbers = matches.some(
        ({ entry }) => entry?.spec.type === 'number' && entry.origin.kind === 'question',
      );
      const { decimalMarks, columns: numbers } = await inferDecimalMarks(file, request, hasNumbers);
      const reader = new ImportRowReader(prepared, matches, {
        values: request.values,
        codesFirst: file.format === 'sav',
        status: request.status,
        timeZone,
        maxColumns: file.rowWidth,
        decimalMarks,
        leavesInvalidEmpty: request.invalidCells === 'empty',
      });
      const has = (code: string) => matches.some(({ entry }) => entry?.spec.columnCode === code);
      const spool = new RowSpool(folder);
      const { onExisting } = request;
      const known = (submissions: string[], responses: number[]) =>
        this.store.read.responses.findExistingIds(scope.surveyId, submissions, responses);
      const now = this.clock.now();
      let checked: CheckedRows;
      try {
        const check = { matches, reader, onExisting, now, known, spool };
        checked = await checkRows(adaptTypedCells(file, matches), check);
      } finally {
        await spool.close();
      }
      const { report } = checked;
      if (request.atomic && !request.dryRun && report.failed > 0) throw invalidRowsError(report.errors);

      const written = await this.write({
        scope,
        importRequest: request,
        checked,
        spool,
        into: {
          surveyId: scope.surveyId,
          surveyVersion: prepared.definition.version,
          questionCodes: reader.plans.map(({ preparedQuestion: { question } }) => question.code),
          hasStatus: has('response_status') || matches.some(({ role }) => role === 'submitted_at'),
          hasDuration: has('duration_seconds'),
          now,
          ids: this.ids,
        },
      });
      return {
        file,
        timeZone,
        notes: [
          ...file.notes,
          ...notesOnNumbers(matches, numbers),
          ...notesOf(checked),
          ...testNotes(checked),
        ],
        columns: report.columns.map((counts, index) => ({ ...(matches[index] ?? UNNAMED), ...counts })),
        missingColumns: missingColumns(catalog, matches),
        rows: report.rows,
        cells: report.cells,
        failed: report.failed,
        errors: report.errors,
        ...written,
        existing: checked.existing + written.existing,
      };
    });
  }

  private async write({
    scope,
    importRequest: { dryRun, fileName },
    checked,
    spool,
    into,
  }: {
    scope: SurveyScope;
    importRequest: ImportRequest;
    checked: CheckedRows;
    spool: RowSpool;
    into: WriteInto;
  }): Promise<WrittenRows & { changeId: number | null }> {
    // The effect on existing responses is only known by writing them; new ones need not be written for a dry run.
    if (dryRun && checked.updates === 0)
      return { created: checked.created, existing: 0, updated: 0, unchanged: 0, changeId: null };
    const details = { file_name: truncateText(fileName, 200), created: checked.created };
    const request = { operation: 'import', columnCodes: [], details, dryRun } as const;
    const { result, changeId } = await this.changes.run(scope, request, (repositories, change) =>
      writeRows({ repositories, change, spool, into }),
    );
    return { ...result, changeId };
  }
}

/** Says how numbers that can be read in two ways were read. */
function notesOnNumbers(matches: readonly ColumnMatch[], columns: readonly NumberScan[]): string[] {
  return columns.flatMap((column, index) => {
    const { header, entry } = matches[index] ?? UNNAMED;
    const { notation } = column;
    if (entry?.spec.type !== 'number' || notation.kind !== 'ambiguous') return [];
    return [
      `${header}: ${quote(notation.example)} is read as ${column.read(notation.example) ?? ''}; send the field decimal if another mark begins decimals`,
    ];
  });
}

function notesOf({ existingDeleted: deleted }: CheckedRows): string[] {
  if (deleted === 0) return [];
  const rows =
    deleted === 1
      ? 'One row belongs to a response that was'
      : `${deleted} rows belong to responses that were`;
  return [`${rows} deleted, and stay deleted; on_existing=update restores them`];
}

/** Question columns without a match in the file. A multiple choice may be matched by its set. */
function missingColumns(catalog: ColumnCatalog, matches: readonly ColumnMatch[]): string[] {
  const there = new Set(
    matches.flatMap(({ entry }) => (entry?.origin.kind === 'question' ? [entry.origin.questionColumns] : [])),
  );
  return catalog.columns
    .filter(
      ({ origin, spec }) => origin.kind === 'question' && !there.has(origin.questionColumns) && !spec.retired,
    )
    .map(({ spec }) => spec.columnCode)
    .slice(0, MAX_MISSING_COLUMNS);
}

function nothingMatched(matches: readonly ColumnMatch[]) {
  const details = matches.slice(0, 20).map(({ header, reason, nearest }) => ({
    field: 'file',
    message: `column ${quote(header)} ${reason ?? 'does not contain answers'}${formatAlternatives({ similar: nearest })}`,
  }));
  const message =
    'must have at least 1 column of the survey: the first row must contain column codes or labels';
  return invalidFields([{ field: 'file', message }, ...details]);
}

import type { SurveyScope } from '../../../domain/access/scopes.ts';
import { ColumnCatalog } from '../../../domain/dataset/columns/column-catalog.ts';
import type { ResponseStatus } from '../../../domain/dataset/response-row.ts';
import type { CellCounts, ColumnCounts, RowError } from '../../../domain/import/import-report.ts';
import { type ColumnMatch, matchColumns, NO_HEADER_REASON } from '../../../domain/import/match-columns.ts';
import type { ValuesAs } from '../../../domain/import/read-cell.ts';
import { ImportRowReader } from '../../../domain/import/row-reader.ts';
import type { SourceFile } from '../../../domain/import/source-file.ts';
import { type OpenOptions, openDataFile } from '../../../importers/open-data-file.ts';
import type { WorkbookReaderPool } from '../../../importers/xlsx/workbook-reader-pool.ts';
import { formatAlternatives, quote } from '../../../lib/error-messages.ts';
import type { Clock } from '../../../lib/clock.ts';
import { invalidFields } from '../../../lib/errors.ts';
import type { Ids } from '../../../lib/ids.ts';
import type { Store } from '../../../repositories/store.ts';
import { requireAcceptingDefinition } from '../require-accepting-definition.ts';
import type { DataChangeService } from '../changes/data-changes.ts';
import {
  type CheckedRows,
  checkRows,
  checkWidth,
  type OnExisting,
  testNotes,
  resolveTimeZone,
} from './import-check.ts';
import { withUploadedFile } from './import-folder.ts';
import type { PreparedDefinitionCache } from '../../surveys/prepared-definition-cache.ts';
import { invalidRowsError } from './invalid-rows-error.ts';
import { RowSpool } from './row-spool.ts';
import { type WriteInto, writeRows, type WrittenRows } from './write-rows.ts';

interface ImportRequest extends OpenOptions {
  fileName: string;
  chunks: AsyncIterable<Buffer>;
  values: ValuesAs;
  status: ResponseStatus;
  /** Zone of timestamps without an offset; null: that of the file, else of the survey. */
  timeZone: string | null;
  onExisting: OnExisting;
  /** One invalid row refuses all. */
  atomic: boolean;
  dryRun: boolean;
}

export interface ImportOutcome extends WrittenRows {
  file: Pick<SourceFile, 'format' | 'delimiter' | 'layout' | 'columns'>;
  timeZone: string;
  notes: string[];
  /** Columns of the file, including trailing columns with values but no header. */
  columns: (ColumnMatch & ColumnCounts)[];
  /** Question columns that the file does not have. */
  missingColumns: string[];
  rows: number;
  cells: CellCounts;
  failed: number;
  /** The first errors. */
  errors: RowError[];
  changeId: number | null;
}

const MAX_MISSING_COLUMNS = 200;
/** A column without a header. */
const UNNAMED: ColumnMatch = {
  ...{ header: '', entry: null, columnCode: null, matchedBy: null, reason: NO_HEADER_REASON, nearest: [] },
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
      const file = await openDataFile(bytes, request, this.workbooks);
      checkWidth(file);
      const derived = await this.store.read.derivedColumns.current(scope.surveyId);
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

      const reader = new ImportRowReader(prepared, matches, {
        values: request.values,
        status: request.status,
        format: file.format,
        delimiter: file.delimiter,
        timeZone,
        maxColumns: file.rowWidth,
      });
      const has = (code: string) => matches.some(({ entry }) => entry?.spec.columnCode === code);
      const spool = new RowSpool(folder);
      const { onExisting } = request;
      const known = (submissions: string[], responses: number[]) =>
        this.store.read.responses.known(scope.surveyId, submissions, responses);
      const now = this.clock.now();
      let checked: CheckedRows;
      try {
        checked = await checkRows(file, { matches, reader, onExisting, now, known, spool });
      } finally {
        await spool.close();
      }
      const { report } = checked;
      if (request.atomic && !request.dryRun && report.failed > 0) throw invalidRowsError(report.errors);

      const written = await this.write(scope, request, checked, spool, {
        surveyId: scope.surveyId,
        surveyVersion: prepared.definition.version,
        questionCodes: reader.plans.map(({ preparedQuestion: { question } }) => question.code),
        hasStatus: has('response_status') || matches.some(({ role }) => role === 'submitted_at'),
        hasDuration: has('duration_seconds'),
        now,
        ids: this.ids,
      });
      return {
        file,
        timeZone,
        notes: [...file.notes, ...notesOf(checked), ...testNotes(checked)],
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

  private async write(
    scope: SurveyScope,
    { dryRun, fileName }: ImportRequest,
    checked: CheckedRows,
    spool: RowSpool,
    into: WriteInto,
  ): Promise<WrittenRows & { changeId: number | null }> {
    // The effect on existing responses is only known by writing them; new ones need not be written for a dry run.
    if (dryRun && checked.updates === 0)
      return { created: checked.created, existing: 0, updated: 0, unchanged: 0, changeId: null };
    const details = { file_name: fileName.slice(0, 200), created: checked.created };
    const request = { operation: 'import', columnCodes: [], details, dryRun } as const;
    const { result, changeId } = await this.changes.run(scope, request, (repositories, change) =>
      writeRows(repositories, change, spool, into),
    );
    return { ...result, changeId };
  }
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

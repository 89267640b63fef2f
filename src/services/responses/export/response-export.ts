import { setImmediate as nextTurn } from 'node:timers/promises';
import type { SurveyScope } from '../../../domain/access/scopes.ts';
import {
  binaryColumnsOfSet,
  type CatalogColumn,
  type ColumnCatalog,
  DELETED_COLUMN,
} from '../../../domain/dataset/column-catalog.ts';
import type { Cell, ColumnSpec } from '../../../domain/columns/column-spec.ts';
import { WAVE_COLUMN } from '../../../domain/responses/metadata-columns.ts';
import type { Dataset } from '../../../domain/dataset/dataset.ts';
import type { InclusionCounts } from '../../../domain/dataset/filter/select-rows.ts';
import {
  createReasonReaders,
  createRowReader,
  type ReasonReader,
} from '../../../domain/dataset/read-cells.ts';
import { type StackedLoop, stackLoop } from '../../../domain/dataset/stacked-loop.ts';
import type { ResponseRow } from '../../../domain/responses/response-row.ts';
import { CsvCellEncoder, csvCellFormatter, type CsvOptions, writeCsv } from '../../../exporters/csv.ts';
import { type CellConverter, type FileColumn, LocalTimestamps } from '../../../exporters/file-column.ts';
import { isTextColumn, maxTextBytes, responseSetsOf, savName, toSavColumn } from './sav-column.ts';
import { writeSav } from '../../../exporters/sav/sav-file.ts';
import { MAX_STRING_BYTES, type SavCell, SavReport, stringWidth } from '../../../exporters/sav/sav-layout.ts';
import { writeResponsesWorkbook } from '../../../exporters/responses-workbook.ts';
import { MAX_ROWS } from '../../../exporters/xlsx-file.ts';
import type { Clock } from '../../../lib/clock.ts';
import { unknownObject } from '../../../lib/error-messages.ts';
import { invalid, notFound, unprocessable } from '../../../lib/errors.ts';
import { requireItem, requireValue } from '../../../lib/require-value.ts';
import type { TextSource } from '../../../repositories/response-data.ts';
import type { Store } from '../../../repositories/store.ts';
import {
  requireColumn,
  requireWeightColumn,
  type ResponseSelection,
} from '../../datasets/requested-columns.ts';
import type {
  ResponseReader,
  RowChunk,
  SelectedRows,
  SyncSelection,
} from '../../datasets/response-reader.ts';

const ROWS_PER_TURN = 20_000;
/** Rows of responses by item that are written without a pause, about. */
const STACKED_ROWS = 250;

/**
 * The width in bytes of each text column by its code: of the longest text, and by the question settings at least what they allow. The longest
 * text of all responses is used, so that another filter rarely changes the layout.
 */
async function computeTextWidths({
  store,
  surveyId,
  entries,
  dataset,
  bySettings,
  sourcesOf,
}: {
  store: Store;
  surveyId: number;
  entries: readonly CatalogColumn[];
  dataset: Dataset;
  bySettings: boolean;
  /** The columns whose texts a column has. */
  sourcesOf: StackedLoop['sourcesOf'];
}): Promise<ReadonlyMap<string, number>> {
  const texts = entries.filter(isTextColumn);
  const longest = new Map<string, number>();
  const sources: { columnCode: string; source: TextSource }[] = [];
  for (const entry of texts) {
    const { columnCode } = entry.spec;
    const own = sourcesOf(entry).flatMap((source) => textSource(source) ?? []);
    if (own.length > 0) sources.push(...own.map((source) => ({ columnCode, source })));
    else if (entry.origin.kind === 'derived')
      longest.set(columnCode, await longestDerivedBytes(entry, dataset));
    else longest.set(columnCode, maxTextBytes(entry));
  }
  const stored = await store.readOnlySnapshot(({ responseData }) =>
    responseData.findLongestTexts(
      surveyId,
      sources.map(({ source }) => source),
    ),
  );
  for (const [index, { columnCode }] of sources.entries())
    longest.set(
      columnCode,
      Math.max(longest.get(columnCode) ?? 0, requireItem(stored, index, 'longest text')),
    );
  return new Map(
    texts.map((entry) => {
      const { columnCode } = entry.spec;
      const longestBytes = longest.get(columnCode) ?? 0;
      const allowedBytes = bySettings ? maxTextBytes(entry) : 0;
      // Texts from before a limit was lowered are longer than it allows.
      return [columnCode, longestBytes > allowedBytes ? toStringWidth(longestBytes) : allowedBytes];
    }),
  );
}

/** A longer text than SPSS supports gets its real width, so that the export reports it as cut. */
function toStringWidth(longestBytes: number): number {
  return Math.max(stringWidth(longestBytes), longestBytes > MAX_STRING_BYTES ? longestBytes : 0);
}

/** null: texts are not stored in responses, or have a known length. */
function textSource({ spec, origin, loadCodes }: CatalogColumn): TextSource | null {
  if (origin.kind === 'metadata') return { kind: 'metadata', code: loadCodes[0] ?? spec.columnCode };
  if (origin.kind === 'derived' || spec.type !== 'text') return null;
  const { code } = origin.questionColumns.question;
  return { kind: spec.columnCode === code ? 'answer' : 'other', code };
}

async function longestDerivedBytes(entry: CatalogColumn, dataset: Dataset): Promise<number> {
  const column = dataset.column(entry);
  let longest = 0;
  for (let row = 0, rows = dataset.rowCount; row < rows; row += 1) {
    if (row % ROWS_PER_TURN === ROWS_PER_TURN - 1) await nextTurn();
    const cell = column.cell(row);
    if (cell !== null) longest = Math.max(longest, Buffer.byteLength(String(cell)));
  }
  return longest;
}

interface ExportRequest extends ResponseSelection, SyncSelection, ColumnChoice {
  /** IANA time zone of timestamps (not of answers); null: that of the survey. */
  timeZone: string | null;
  /** Progress callback with the number of responses written. */
  onRows?: OnRows;
}

interface SavRequest extends ExportRequest {
  /** Width of text columns: by the longest text, or by the question settings. */
  stringWidth: 'data' | 'settings';
}

/** Number of losses by kind, where the format cannot represent the data. */
export type ExportNotes = ReadonlyMap<string, number>;

/** A file with the responses that it counts. */
interface CountedFile<Chunk> {
  chunks: AsyncIterable<Chunk>;
  counted: InclusionCounts;
  surveyName: string;
}

interface ExportSelection extends SelectedRows {
  surveyName: string;
  /** null: a row for each response. */
  stacked: StackedLoop | null;
  timestamps: LocalTimestamps;
}

/** Exports response data. All errors are thrown before the first byte. */
export class ResponseExportService {
  constructor(
    private readonly store: Store,
    private readonly responses: ResponseReader,
    private readonly clock: Clock,
  ) {}

  async exportCsv(scope: SurveyScope, request: ExportRequest & CsvOptions): Promise<CountedFile<string>> {
    const selected = await this.selectResponses(scope, request);
    const columns = toFileColumns(selected.columns, request);
    const cells = new CsvCellEncoder(request);
    const headers = columns.map(({ header }) => header);
    const texts = columns.map((column) => csvCellFormatter(column, cells, selected.timestamps));
    const chunks = writeCsv(headers, readCellRows(selected, listEntries(columns), texts), request);
    return { chunks, counted: selected.counted, surveyName: selected.surveyName };
  }

  async exportXlsx(scope: SurveyScope, request: ExportRequest): Promise<CountedFile<Buffer>> {
    const selected = await this.selectResponses(scope, request);
    const columns = toFileColumns(selected.columns, request);
    refuseTooManyRows(selected.total * (selected.stacked?.itemCount ?? 1));
    const rows = <Read>(readers: readonly CellConverter<Read>[]) =>
      readCellRows(selected, listEntries(columns), readers);
    const { surveyName, timestamps, counted } = selected;
    const details = {
      title: surveyName,
      createdAt: this.clock.now(),
      timestamps,
      notes: inclusionNotes(counted),
    };
    return { chunks: writeResponsesWorkbook(columns, rows, details), counted, surveyName };
  }

  /** `notes`: values that were cut and names that were changed. The file lists them in its documents. */
  async exportSav(
    scope: SurveyScope,
    request: SavRequest,
  ): Promise<CountedFile<Buffer> & { notes: ExportNotes }> {
    const selected = await this.selectResponses(scope, request, expandSets);
    const { columns, dataset, stacked, timestamps, counted, surveyName } = selected;
    const bySettings = request.stringWidth === 'settings';
    const widths = await computeTextWidths({
      store: this.store,
      surveyId: scope.surveyId,
      entries: columns,
      dataset,
      bySettings,
      sourcesOf: stacked?.sourcesOf ?? ((entry) => [entry]),
    });
    const parts = columns.map((entry) =>
      toSavColumn(entry, widths.get(entry.spec.columnCode) ?? 0, timestamps),
    );
    const report = new SavReport();
    const chunks = writeSav(
      {
        variables: parts.map(({ variable }) => variable),
        fileLabel: surveyName,
        createdAt: this.clock.now(),
        // Responses may be deleted while the file is written.
        caseCount: null,
        // The weight is the last column.
        weight: request.weightColumn === null ? null : savName(requireItem(columns, -1, 'column')),
        responseSets: responseSetsOf(columns),
        timeZone: timestamps.timeZone,
        documents: inclusionNotes(counted),
      },
      readCellRows<SavCell>(
        selected,
        columns,
        parts.map(({ read }) => read),
      ),
      report,
    );
    return { chunks, notes: countLosses(report), counted, surveyName };
  }

  private async selectResponses(
    scope: SurveyScope,
    request: ExportRequest,
    expand: (catalog: ColumnCatalog, entries: CatalogColumn[]) => CatalogColumn[] = (_, entries) => entries,
  ): Promise<ExportSelection> {
    const survey = await this.store.read.responseData.findExportedSurvey(scope.surveyId);
    if (survey === null) throw notFound('survey');
    let stacked: StackedLoop | null = null;
    const columns = (catalog: ColumnCatalog) => {
      const chosen = selectColumns(catalog, request);
      stacked = chosen.stacked;
      return expand(chosen.stacked?.catalog ?? catalog, chosen.columns);
    };
    // Stacked rows are made of whole responses.
    const isCellsOnly = request.stack === null;
    const selection = { ...request, columns, sort: null, start: null, limit: null, isCellsOnly };
    const selected = await this.responses.readRows(scope, selection);
    const chunks = request.onRows === undefined ? selected.chunks : withRowProgress(selected, request.onRows);
    return {
      ...selected,
      stacked,
      chunks: stacked === null ? chunks : stackChunks(chunks, stacked),
      surveyName: survey.survey_name,
      // An anonymous survey is exported in its time zone: in another zone the rounded days would differ.
      timestamps: survey.is_anonymous
        ? new LocalTimestamps(survey.time_zone, true)
        : new LocalTimestamps(request.timeZone ?? survey.time_zone, false),
    };
  }
}

function listEntries(columns: readonly FileColumn[]): CatalogColumn[] {
  return columns.map(({ entry }) => entry);
}

/** Throws 422 for more rows than a worksheet has. Columns never exceed the limit, even when each occurs twice. */
export function refuseTooManyRows(responses: number): void {
  // One row is the header.
  const limit = MAX_ROWS - 1;
  if (responses <= limit) return;
  const [found, fit] = [responses, limit].map((count) => count.toLocaleString('en-US'));
  const message = `${found} responses exceed the ${fit} rows of a sheet; use csv or spss, or set a filter`;
  throw unprocessable('too_large_for_format', message);
}

/** Notes on the counted responses; each fits the 80 bytes of a document line in .sav. */
function inclusionNotes(counted: InclusionCounts): string[] {
  return [
    `Responses: ${counted.responses}`,
    `Test responses: ${counted.test_responses_included} included, ${counted.test_responses_excluded} excluded`,
    `Confirmed quality flags: ${counted.quality_included} included, ${counted.quality_excluded} excluded`,
  ];
}

function countLosses(report: SavReport): ExportNotes {
  const counts = new Map<string, number>();
  for (const { loss, count } of report.listLines()) counts.set(loss, (counts.get(loss) ?? 0) + count);
  return counts;
}

/**
 * Reads the cells of the selected responses in chunks of rows and yields to the event loop in between. `readers` is parallel to `entries`.
 * Each row is valid until the next one of its chunk is read.
 */
async function* readCellRows<Read>(
  { chunks }: Pick<SelectedRows, 'chunks'>,
  entries: readonly CatalogColumn[],
  readers: readonly CellConverter<Read>[],
): AsyncGenerator<Iterable<readonly Read[]>> {
  let readRow: ReturnType<typeof createRowReader> | null = null;
  let lastStored: Dataset | null = null;
  const reasons = createReasonReaders(entries);
  for await (const { rows, dataset, stored } of chunks) {
    if (readRow === null || stored !== lastStored) readRow = createRowReader(entries, dataset, stored);
    lastStored = stored;
    yield convertRows(rows, { readRow, reasons }, readers);
    await nextTurn();
  }
}

function* convertRows<Read>(
  rows: readonly ResponseRow[],
  {
    readRow,
    reasons,
  }: { readRow: ReturnType<typeof createRowReader>; reasons: readonly (ReasonReader | null)[] },
  readers: readonly CellConverter<Read>[],
): Generator<readonly Read[]> {
  const cells = new Array<Cell>(readers.length).fill(null);
  const line = new Array<Read>(readers.length);
  for (const row of rows) {
    readRow(row, cells);
    readers.forEach((readCell, position) => {
      line[position] = readCell(cells[position] ?? null, reasons[position]?.(row) ?? null);
    });
    yield line;
  }
}

type CellContent = 'code' | 'label' | 'both';

/** The columns of a file and the content of their cells. */
interface ColumnChoice {
  /** null: every column. */
  columns: readonly string[] | null;
  values: CellContent;
  headers: CellContent;
  /** A multiple choice as one 0/1 column per option, as one column of chosen values, or both. */
  multiple: 'columns' | 'set' | 'both';
  /** Added as the last column of the file; null: no weight. */
  weightColumn: string | null;
  /** The code of a loop: the file has a row for each response and item. null: a row for each response. */
  stack: string | null;
  /** Adds a column that marks deleted responses. */
  includeDeleted?: boolean;
}

/** Returns the columns of the file, and what makes its rows of a loop. Throws errors of the choice. */
export function selectColumns(
  catalog: ColumnCatalog,
  choice: ColumnChoice,
): { columns: CatalogColumn[]; stacked: StackedLoop | null } {
  if (choice.stack === null) return { columns: resolveColumns(catalog, choice), stacked: null };
  const stacked = stackLoop(catalog, choice.stack);
  if (stacked === null)
    throw invalid('stack', unknownObject({ kind: 'loop', idOrCode: choice.stack, scope: 'in this survey' }));
  // Derived columns are computed for responses.
  const columns = resolveColumns(stacked.catalog, choice).map((entry) =>
    entry.origin.kind === 'derived' ? requireColumn(catalog, entry.spec.columnCode, 'columns') : entry,
  );
  return { columns, stacked };
}

async function* stackChunks(
  chunks: AsyncIterable<RowChunk>,
  { stack, itemCount }: StackedLoop,
): AsyncGenerator<RowChunk> {
  const responses = Math.max(1, Math.floor(STACKED_ROWS / itemCount));
  for await (const chunk of chunks)
    for (let start = 0; start < chunk.rows.length; start += responses)
      yield { ...chunk, rows: chunk.rows.slice(start, start + responses).flatMap(stack) };
}

/** Resolves the columns in the order of the file. Throws errors of the choice. */
function resolveColumns(catalog: ColumnCatalog, choice: ColumnChoice): CatalogColumn[] {
  const { columns, multiple } = choice;
  const named =
    columns === null
      ? listAllColumns(catalog, multiple)
      : columns.map((code, index) => requireColumn(catalog, code, `columns[${index}]`));
  const chosen = choice.includeDeleted === true ? [...named, DELETED_COLUMN] : named;
  if (choice.weightColumn === null) return chosen;
  const weight = requireWeightColumn(catalog, choice.weightColumn);
  return [...chosen.filter(({ spec }) => spec.columnCode !== weight.spec.columnCode), weight];
}

function listAllColumns(catalog: ColumnCatalog, multiple: ColumnChoice['multiple']): CatalogColumn[] {
  const seen = new Set<string>();
  return catalog.columns.flatMap((entry) => {
    const { origin } = entry;
    if (origin.kind !== 'question' || entry.spec.type !== 'binary' || multiple === 'columns') return [entry];
    const code = origin.questionColumns.question.code;
    const sets = seen.has(code)
      ? []
      : origin.questionColumns.sets.map((spec) =>
          requireValue(catalog.find(spec.columnCode), 'column of a set'),
        );
    seen.add(code);
    return multiple === 'set' ? sets : [...sets, entry];
  });
}

/** Replaces sets by their 0/1 columns; each column occurs once. */
function expandSets(catalog: ColumnCatalog, entries: readonly CatalogColumn[]): CatalogColumn[] {
  const single = entries.flatMap((entry) => {
    const { origin } = entry;
    if (origin.kind !== 'question' || origin.part !== 'set') return [entry];
    return binaryColumnsOfSet(origin.questionColumns, origin.index).map(({ columnCode }) =>
      requireValue(catalog.find(columnCode), 'column of a set'),
    );
  });
  return [...new Set(single)];
}

/** With `both`, columns with value labels occur twice. */
function toFileColumns(entries: readonly CatalogColumn[], choice: ColumnChoice): FileColumn[] {
  return entries.flatMap((entry): FileColumn[] => {
    const { spec } = entry;
    const header = formatHeader(spec, choice.headers);
    const hasLabels = spec.values.length > 0;
    const reasonsAs = choice.values === 'label' ? 'label' : 'code';
    if (!hasLabels || choice.values === 'code') return [{ header, entry, showAs: 'code', reasonsAs }];
    if (choice.values === 'label') return [{ header, entry, showAs: 'label', reasonsAs }];
    // Among the metadata only waves have names given by authors, and need a second column.
    if (spec.source === 'metadata' && spec.columnCode !== WAVE_COLUMN)
      return [{ header, entry, showAs: 'code', reasonsAs }];
    const second = choice.headers === 'label' ? header : `${spec.columnCode}_label`;
    return [
      { header, entry, showAs: 'code', reasonsAs: 'code' },
      { header: second, entry, showAs: 'label', reasonsAs: 'label' },
    ];
  });
}

function formatHeader(spec: ColumnSpec, shown: CellContent): string {
  if (shown === 'code') return spec.columnCode;
  return shown === 'label' ? spec.label : `${spec.columnCode}: ${spec.label}`;
}

/** Progress callback in responses. If it throws, the export ends. */
export type OnRows = (done: number, total: number) => void;

/** Passes the chunks through and reports progress as they are consumed. */
async function* withRowProgress(
  { chunks, total }: Pick<SelectedRows, 'chunks' | 'total'>,
  onRows: OnRows,
): AsyncGenerator<RowChunk> {
  let done = 0;
  for await (const chunk of chunks) {
    onRows(done, total);
    yield chunk;
    done += chunk.rows.length;
  }
  onRows(done, total);
}

import { setImmediate as nextTurn } from 'node:timers/promises';
import type { WorkspaceScope } from '../../../domain/access/scopes.ts';
import { type CatalogColumn, ColumnCatalog } from '../../../domain/dataset/column-catalog.ts';
import {
  FileScan,
  planSurvey,
  type SurveyPlan,
  type SurveyVariable,
  withScannedColumns,
} from '../../../domain/import/survey-plan.ts';
import { ConvertedCell } from '../../../domain/import/cell-outcome.ts';
import { withoutDeclaredMissing } from '../../../domain/import/missing-marks.ts';
import type { ColumnCounts, DataFileReport } from '../../../domain/import/import-report.ts';
import type { ColumnMatch } from '../../../domain/import/match-columns.ts';
import { ImportRowReader, type RowOptions } from '../../../domain/import/row-reader.ts';
import type { SourceFile, SourceRow } from '../../../domain/import/source-file.ts';
import { prepareDefinition } from '../../../domain/survey/logic/prepare-definition.ts';
import { MAX_QUESTIONS } from '../../../domain/survey/survey-export.ts';
import type { ImportedSurvey } from '../../../domain/survey/survey-import.ts';
import { type OpenOptions, openDataFile } from '../../../importers/open-data-file.ts';
import type { WorkbookReaderPool } from '../../../importers/xlsx/xlsx-source.ts';
import { runYielding } from '../../../lib/concurrency.ts';
import { sizeAtMost } from '../../../lib/error-messages.ts';
import type { Clock } from '../../../lib/clock.ts';
import { unprocessable } from '../../../lib/errors.ts';
import type { Ids } from '../../../lib/ids.ts';
import { requireItem } from '../../../lib/require-value.ts';
import { truncateText } from '../../../lib/truncate-text.ts';
import type { Store } from '../../../repositories/store.ts';
import {
  batchRows,
  checkRows,
  checkWidth,
  type ReadingOptions,
  resolveTimeZone,
  RowSpool,
  testNotes,
  withUploadedFile,
} from './import-check.ts';
import { publishSurvey } from '../../surveys/survey-publishing.ts';
import { readSurveyFile, writeSurvey } from '../../surveys/survey-transfer.ts';
import { writeRows } from './response-import.ts';

interface DataFileRequest extends OpenOptions, ReadingOptions {
  fileName: string;
  chunks: AsyncIterable<Buffer>;
  /** null: the name in the file. */
  surveyName: string | null;
  /** Zone of timestamps without an offset; null: that of the file, else UTC. */
  timeZone: string | null;
  publish: boolean;
  dryRun: boolean;
}

export interface DataFileOutcome extends DataFileReport {
  /** null for a dry run. */
  surveyId: number | null;
  surveyName: string;
  publishedVersion: number | null;
  variables: (SurveyVariable & ColumnCounts & { header: string; label: string | null })[];
  questions: number;
}

const MAX_NAME_CHARACTERS = 500;

/** Creates surveys from data files: variables become questions, rows become responses. */
export class DataFileSurveyService {
  constructor(
    private readonly store: Store,
    private readonly clock: Clock,
    private readonly ids: Ids,
    private readonly workbooks: WorkbookReaderPool,
  ) {}

  /** Creates survey, publication and responses in one transaction. */
  async create(scope: WorkspaceScope, request: DataFileRequest): Promise<DataFileOutcome> {
    return withUploadedFile(request.chunks, async (bytes, folder) => {
      const source = await openDataFile(bytes, request, this.workbooks);
      checkWidth(source);
      const opened = withoutDeclaredMissing(source, request.missingValues);
      const timeZone = request.timeZone ?? resolveTimeZone(opened);
      const scan = new FileScan(opened, timeZone);
      for await (const rows of batchRows(opened)) for (const { cells } of rows) scan.add(cells);
      scan.finish(opened, request.decimalMark);
      const file = withScannedColumns(opened, scan);
      checkWidth(file);
      const surveyName = chooseSurveyName(request, file);
      const plan = await runYielding(planSurvey({ file, scan, surveyName, timeZone }));
      if (plan.questionCount > MAX_QUESTIONS)
        throw unprocessable(
          'too_many_questions',
          `file: ${sizeAtMost(MAX_QUESTIONS, 'question', plan.questionCount)}`,
        );
      // Each of these steps takes long for thousands of questions.
      const survey = await readSurveyFile(plan.document);
      await nextTurn();
      const prepared = prepareDefinition(survey.definition);
      await nextTurn();
      const matches = matchPlannedColumns(file, plan, new ColumnCatalog(survey.definition));
      await nextTurn();
      // Cells are converted already: codes do not take precedence over values.
      const options: RowOptions = {
        values: 'code',
        codesFirst: false,
        status: 'complete',
        timeZone,
        maxColumns: null,
        decimalMarks: [],
        leavesInvalidEmpty: true,
      };
      const reader = new ImportRowReader(prepared, matches, options);
      const writes = !request.dryRun && request.publish;
      const spool = writes ? new RowSpool(folder) : null;
      const known = () => Promise.resolve([]);
      const now = this.clock.now();
      const check = { matches, reader, onExisting: 'skip', now, known, spool } as const;
      let checked;
      try {
        checked = await checkRows(convertFile(file, plan), check);
      } finally {
        await spool?.close();
      }
      const { report } = checked;
      const notes = [...file.notes, ...plan.notes, ...testNotes(checked)];
      if (!request.publish)
        notes.push(
          'The survey is not published, so its responses were not imported: import them after publishing',
        );
      const written = request.dryRun ? null : await this.write({ scope, survey, request, spool, matches });
      return {
        surveyId: written?.surveyId ?? null,
        surveyName,
        publishedVersion: written?.version ?? null,
        file,
        timeZone,
        variables: plan.variables.map((variable, index) => ({
          ...variable,
          ...requireItem(report.columns, index, 'column report'),
          header: requireItem(file.columns, index, 'column').header,
          label: requireItem(file.columns, index, 'column').label,
        })),
        questions: plan.questionCount,
        rows: report.rows,
        cells: report.cells,
        created: request.publish ? checked.created : 0,
        failed: report.failed,
        errors: report.errors,
        notes,
      };
    });
  }

  private write({
    scope,
    survey,
    request,
    spool,
    matches,
  }: {
    scope: WorkspaceScope;
    survey: ImportedSurvey;
    request: DataFileRequest;
    spool: RowSpool | null;
    matches: readonly ColumnMatch[];
  }): Promise<{ surveyId: number; version: number | null }> {
    return this.store.transaction(async (repositories) => {
      const details = { file_name: truncateText(request.fileName, 200) };
      const row = await writeSurvey({ repositories, scope, survey, action: 'imported', details });
      const combinedColumns = { ...scope, surveyId: row.survey_id };
      if (spool === null) return { surveyId: row.survey_id, version: null };
      const { version } = await publishSurvey({
        repositories,
        scope: combinedColumns,
        ids: this.ids,
        now: this.clock.now(),
      });
      const { created } = await writeRows({
        repositories,
        change: null,
        spool,
        into: {
          surveyId: row.survey_id,
          surveyVersion: version,
          questionCodes: [],
          hasStatus: false,
          hasDuration: matches.some(({ columnCode }) => columnCode === 'duration_seconds'),
          now: this.clock.now(),
          ids: this.ids,
        },
      });
      await repositories.audit.record({
        by: scope,
        action: 'responses.added',
        objectType: 'survey',
        objectId: row.survey_id,
        details: { created },
      });
      return { surveyId: row.survey_id, version };
    });
  }
}

function chooseSurveyName({ surveyName, fileName }: DataFileRequest, file: SourceFile): string {
  const label = 'fileLabel' in file && typeof file.fileLabel === 'string' ? file.fileLabel : '';
  const name = surveyName ?? (label.trim() || fileName.replace(/\.[^.]*$/, '').trim());
  return truncateText(name, MAX_NAME_CHARACTERS).toWellFormed().trim() || 'Imported data';
}

/** Matches for the columns of the file, then for columns combined from several of them. */
function matchPlannedColumns(file: SourceFile, plan: SurveyPlan, catalog: ColumnCatalog): ColumnMatch[] {
  const base = { matchedBy: null, reason: null, nearest: [] };
  const find = (code: string | null): CatalogColumn | null =>
    code === null ? null : (catalog.find(code) ?? null);
  const columns = plan.variables.map(({ columnCode, use }, index): ColumnMatch => {
    const { header, role } = requireItem(file.columns, index, 'column');
    if (use === 'answer') return { ...base, header, entry: null, columnCode, countsAs: 'part' };
    const ofLayout = use === 'metadata' ? role : undefined;
    return { ...base, header, entry: find(columnCode), columnCode, role: ofLayout };
  });
  const combinedColumns = plan.combinedColumns.map(({ header, columnCode }): ColumnMatch => {
    return { ...base, header, entry: find(columnCode), columnCode, countsAs: 'none' };
  });
  return [...columns, ...combinedColumns];
}

/** The file with its cells converted for the new columns. */
function convertFile(file: SourceFile, { variables, combinedColumns }: SurveyPlan): SourceFile {
  const convertRow = ({ row, cells, source = cells, outcomes: earlier }: SourceRow): SourceRow => {
    const outcomes = new Map(earlier);
    const converted = variables.map(({ convert }, index) => {
      const result = convert(cells[index] ?? null, cells);
      if (!(result instanceof ConvertedCell)) return result;
      outcomes.set(index, result.outcome);
      return result.cell;
    });
    return {
      row,
      cells: [...converted, ...combinedColumns.map(({ combine }) => combine(cells))],
      source,
      outcomes,
    };
  };
  return {
    ...file,
    async *rows() {
      for await (const rows of file.rows()) yield rows.map(convertRow);
    },
  };
}

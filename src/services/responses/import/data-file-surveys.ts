import type { WorkspaceScope } from '../../../domain/access/scopes.ts';
import { type CatalogColumn, ColumnCatalog } from '../../../domain/dataset/columns/column-catalog.ts';
import type { ColumnCounts, RowError } from '../../../domain/import/import-report.ts';
import type { ColumnMatch } from '../../../domain/import/match-columns.ts';
import { ImportRowReader } from '../../../domain/import/row-reader.ts';
import type { SourceFile } from '../../../domain/import/source-file.ts';
import {
  columnScans,
  planSurvey,
  type SurveyPlan,
  type SurveyVariable,
} from '../../../domain/import/survey-plan.ts';
import { prepareDefinition } from '../../../domain/survey/prepared-definition.ts';
import { MAX_QUESTIONS } from '../../../domain/survey/transfer/survey-export.ts';
import type { ImportedSurvey } from '../../../domain/survey/transfer/survey-import.ts';
import { type OpenOptions, openDataFile } from '../../../importers/open-data-file.ts';
import type { Clock } from '../../../lib/clock.ts';
import { unprocessable } from '../../../lib/errors.ts';
import type { Ids } from '../../../lib/ids.ts';
import type { Store } from '../../../repositories/store.ts';
import { checkRows, checkWidth, inTurns } from './import-check.ts';
import { withUploaded } from './import-folder.ts';
import { RowSpool } from './row-spool.ts';
import { publishSurvey } from '../../surveys/survey-publishing.ts';
import { readSurveyFile, writeSurvey } from '../../surveys/survey-transfer.ts';
import { writeRows } from './write-rows.ts';

interface DataFileRequest extends OpenOptions {
  fileName: string;
  chunks: AsyncIterable<Buffer>;
  /** null: as the file calls itself. */
  surveyName: string | null;
  publish: boolean;
  dryRun: boolean;
}

export interface DataFileOutcome {
  /** null: a dry run. */
  surveyId: number | null;
  surveyName: string;
  publishedVersion: number | null;
  file: Pick<SourceFile, 'format' | 'delimiter'>;
  variables: (SurveyVariable & ColumnCounts & { header: string; label: string | null })[];
  questions: number;
  rows: number;
  created: number;
  failed: number;
  errors: RowError[];
  notes: string[];
}

const MAX_NAME_CHARACTERS = 500;

/** Data files become surveys: their variables as questions, their rows as responses. */
export class DataFileSurveyService {
  private readonly store: Store;
  private readonly clock: Clock;
  private readonly ids: Ids;

  constructor(store: Store, clock: Clock, ids: Ids) {
    this.store = store;
    this.clock = clock;
    this.ids = ids;
  }

  /** Survey, publication and responses in one transaction: all of it or nothing. */
  async create(scope: WorkspaceScope, request: DataFileRequest): Promise<DataFileOutcome> {
    return withUploaded(request.chunks, async (bytes, folder) => {
      const file = await openDataFile(bytes, request);
      checkWidth(file);
      const scans = columnScans(file);
      for await (const rows of inTurns(file)) {
        for (const { cells } of rows) scans.forEach((scan, index) => scan.add(cells[index] ?? null));
      }
      const surveyName = nameOf(request, file);
      const plan = planSurvey(file, scans, surveyName);
      if (plan.questionCount > MAX_QUESTIONS)
        throw unprocessable(
          'too_many_questions',
          `file: makes ${plan.questionCount} questions; at most ${MAX_QUESTIONS} are allowed`,
        );
      const survey = readSurveyFile(plan.document);
      const prepared = prepareDefinition(survey.definition);
      const matches = matchesOf(file, plan, new ColumnCatalog(survey.definition));
      // Values that are written as they are: neither codes before values, nor a ' taken off.
      const options = { values: 'code', status: 'complete', format: 'xlsx', delimiter: null } as const;
      const reader = new ImportRowReader(prepared, matches, options);
      const writes = !request.dryRun && request.publish;
      const spool = writes ? new RowSpool(folder) : null;
      const known = () => Promise.resolve([]);
      const now = this.clock.now();
      const check = { matches, reader, onExisting: 'skip', now, known, spool } as const;
      let checked;
      try {
        checked = await checkRows(converted(file, plan), check);
      } finally {
        await spool?.close();
      }
      const { report } = checked;
      const notes = [...file.notes, ...plan.notes];
      if (!request.publish)
        notes.push('The survey is not published, so it has no responses: import them when it is');
      const written = request.dryRun ? null : await this.write(scope, survey, request, spool, matches);
      return {
        surveyId: written?.surveyId ?? null,
        surveyName,
        publishedVersion: written?.version ?? null,
        file: { format: file.format, delimiter: file.delimiter },
        variables: plan.variables.map((variable, index) => ({
          ...variable,
          ...report.columns[index]!,
          header: file.columns[index]!.header,
          label: file.columns[index]!.label,
        })),
        questions: plan.questionCount,
        rows: report.rows,
        created: request.publish ? checked.created : 0,
        failed: report.failed,
        errors: report.errors,
        notes,
      };
    });
  }

  private write(
    scope: WorkspaceScope,
    survey: ImportedSurvey,
    request: DataFileRequest,
    spool: RowSpool | null,
    matches: readonly ColumnMatch[],
  ): Promise<{ surveyId: number; version: number | null }> {
    return this.store.transaction(async (repositories) => {
      const details = { file_name: request.fileName.slice(0, 200) };
      const row = await writeSurvey(repositories, scope, survey, 'imported', details);
      const made = { ...scope, surveyId: row.survey_id };
      if (spool === null) return { surveyId: row.survey_id, version: null };
      const { version } = await publishSurvey(repositories, made, this.ids, this.clock.now());
      const { created } = await writeRows(repositories, null, spool, {
        surveyId: row.survey_id,
        surveyVersion: version,
        questionCodes: [],
        hasStatus: false,
        hasDuration: matches.some(({ columnCode }) => columnCode === 'duration_seconds'),
        now: this.clock.now(),
        ids: this.ids,
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

function nameOf({ surveyName, fileName }: DataFileRequest, file: SourceFile): string {
  const label = 'fileLabel' in file && typeof file.fileLabel === 'string' ? file.fileLabel : '';
  const name = surveyName ?? (label.trim() || fileName.replace(/\.[^.]*$/, '').trim());
  return name.slice(0, MAX_NAME_CHARACTERS).toWellFormed().trim() || 'Imported data';
}

function matchesOf(file: SourceFile, plan: SurveyPlan, catalog: ColumnCatalog): ColumnMatch[] {
  return plan.variables.map(({ columnCode }, index): ColumnMatch => {
    const entry: CatalogColumn | null = columnCode === null ? null : (catalog.find(columnCode) ?? null);
    const { header } = file.columns[index]!;
    return { header, entry, columnCode, matchedBy: null, reason: null, nearest: [] };
  });
}

/** The file with its cells as the new columns take them. */
function converted(file: SourceFile, { variables }: SurveyPlan): SourceFile {
  return {
    ...file,
    async *rows() {
      for await (const rows of file.rows()) {
        yield rows.map(({ row, cells }) => ({
          row,
          cells: variables.map(({ convert }, index) => convert(cells[index] ?? null)),
        }));
      }
    },
  };
}

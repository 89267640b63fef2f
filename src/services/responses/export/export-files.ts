import { z } from 'zod';
import type { SurveyScope } from '../../../domain/access/scopes.ts';
import type { InclusionCounts, UpdateWindow } from '../../../domain/dataset/filter/select-rows.ts';
import { titleFileName } from '../../../domain/files/title-file-name.ts';
import { RESPONSE_STATUSES } from '../../../domain/responses/response-row.ts';
import type { AuditEntry } from '../../../repositories/audit.ts';
import type { Store } from '../../../repositories/store.ts';
import type { ResponseSelection } from '../../datasets/requested-columns.ts';
import type { ResponseReader } from '../../datasets/response-reader.ts';
import type { GeneratedFile, JobService } from '../../jobs.ts';
import {
  type ExportNotes,
  type OnRows,
  refuseTooManyRows,
  selectColumns,
  type ResponseExportService,
} from './response-export.ts';

/** Characters of JSON. Of longer filters the audit log has only the length. */
const MAX_FILTER_CHARACTERS = 4_000;

/** The audit entry of exported responses or files: selection and counts, without values. */
export function exportAuditEntry({
  scope,
  action,
  responseSelection: { status, includeTest, includeConfirmed, filter },
  facts,
}: {
  scope: SurveyScope;
  action: 'exported' | 'files_downloaded';
  responseSelection: ResponseSelection;
  facts: { responses: number; [name: string]: unknown };
}): AuditEntry {
  return {
    by: scope,
    action: `responses.${action}`,
    objectType: 'survey',
    objectId: scope.surveyId,
    details: {
      ...facts,
      status,
      include_test: includeTest,
      include_confirmed: includeConfirmed,
      ...filterFacts(filter),
    },
  };
}

function filterFacts(filter: unknown): Record<string, unknown> {
  if (filter === undefined || filter === null) return { filter: null };
  const { length } = JSON.stringify(filter);
  return length > MAX_FILTER_CHARACTERS ? { filter_length: length } : { filter };
}

const FORMATS = {
  csv: { contentType: 'text/csv', charset: '; charset=utf-8', extension: 'csv' },
  xlsx: {
    contentType: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    charset: '',
    extension: 'xlsx',
  },
  spss: { contentType: 'application/x-spss-sav', charset: '', extension: 'sav' },
} as const;
export const EXPORT_FORMATS = ['csv', 'xlsx', 'spss'] as const satisfies (keyof typeof FORMATS)[];
export const EXPORT_CONTENT_TYPES: string[] = Object.values(FORMATS).map(({ contentType }) => contentType);
export const CELL_CONTENTS = ['code', 'label', 'both'] as const;

/** Job kind of a response export. */
export const EXPORT_JOB = 'response_export';

/** The complete request, as stored with a job. */
export const exportFileSchema = z.strictObject({
  format: z.enum(EXPORT_FORMATS),
  status: z.array(z.enum(RESPONSE_STATUSES)),
  filter: z.unknown().default(undefined),
  includeTest: z.boolean().nullable(),
  /** Exports queued by earlier versions include confirmed low-quality responses. */
  includeConfirmed: z.boolean().default(true),
  columns: z.array(z.string()).nullable(),
  values: z.enum(CELL_CONTENTS),
  headers: z.enum(CELL_CONTENTS),
  multiple: z.enum(['columns', 'set', 'both']),
  weightColumn: z.string().nullable(),
  timeZone: z.string().nullable(),
  stringWidth: z.enum(['data', 'settings']),
  delimiter: z.string(),
  bom: z.boolean(),
  escapeFormulas: z.boolean(),
  /** Only responses written since then, in milliseconds since 1970. */
  sinceMs: z.number().nullable().default(null),
  includeDeleted: z.boolean().default(false),
  /** The code of the loop of which the file has a row for each item. */
  stack: z.string().nullable().default(null),
});
export type ExportFileRequest = z.output<typeof exportFileSchema>;

/** Exports responses in any format, directly or as a job. */
export class ExportFileService {
  private readonly maxRowsInline: number;

  /** Exports of more than `maxRowsInline` responses run as a job. */
  constructor(
    private readonly store: Store,
    private readonly exports: ResponseExportService,
    private readonly responses: ResponseReader,
    private readonly jobs: JobService,
    longFromRows: number,
  ) {
    this.maxRowsInline = longFromRows;
  }

  /** Records the export in the audit log before the first byte. `updatedUntil`: start of the next export when a copy is synchronized. */
  async createFile(
    scope: SurveyScope,
    request: ExportFileRequest,
    onRows?: OnRows,
  ): Promise<GeneratedFile & { notes: ExportNotes; counted: InclusionCounts; updatedUntil: Date }> {
    const { contentType, charset, extension } = FORMATS[request.format];
    const window = await this.resolveWindow(scope, request);
    const exportRequest = { ...request, window, ...(onRows === undefined ? {} : { onRows }) };
    const { surveyName, ...opened } = await this.open(scope, exportRequest);
    const { format, columns, sinceMs, includeDeleted } = request;
    const facts = {
      format,
      responses: opened.counted.responses,
      columns: columns?.length ?? 'all',
      ...(request.stack !== null && { stack: request.stack }),
      updated_since: sinceMs === null ? null : new Date(sinceMs).toISOString(),
      include_deleted: includeDeleted,
    };
    await this.store.read.audit.record(
      exportAuditEntry({ scope, action: 'exported', responseSelection: request, facts }),
    );
    return {
      contentType: contentType + charset,
      fileName: `${titleFileName(surveyName, `survey-${scope.surveyId}`)}.${extension}`,
      updatedUntil: new Date(window.untilMs),
      ...opened,
    };
  }

  /** Whether the export should run as a job. Throws the errors of the request. */
  async needsJob(scope: SurveyScope, request: ExportFileRequest): Promise<boolean> {
    const selected = await this.responses.readRows(scope, {
      ...request,
      window: await this.resolveWindow(scope, request),
      columns: (catalog) => selectColumns(catalog, request).columns,
      sort: null,
      start: null,
      limit: null,
    });
    if (request.format === 'xlsx') refuseTooManyRows(selected.total);
    return selected.total > this.maxRowsInline;
  }

  /** Returns the job id. */
  startJob(scope: SurveyScope, request: ExportFileRequest, requestId: string): Promise<number> {
    const { organizationId, userId, surveyId } = scope;
    return this.jobs.start({
      organizationId,
      userId,
      surveyId,
      kind: EXPORT_JOB,
      payload: request,
      requestId,
    });
  }

  private resolveWindow(scope: SurveyScope, { sinceMs }: ExportFileRequest): Promise<UpdateWindow> {
    return this.responses.resolveWindow(scope, { sinceMs, untilMs: null });
  }

  private async open(
    scope: SurveyScope,
    request: ExportFileRequest & { window: UpdateWindow; onRows?: OnRows },
  ) {
    const none: ExportNotes = new Map();
    switch (request.format) {
      case 'csv':
        return { ...(await this.exports.exportCsv(scope, request)), notes: none };
      case 'xlsx':
        return { ...(await this.exports.exportXlsx(scope, request)), notes: none };
      case 'spss':
        return this.exports.exportSav(scope, request);
    }
  }
}

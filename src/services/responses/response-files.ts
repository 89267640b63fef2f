import type { SurveyScope } from '../../domain/access/scopes.ts';
import type { InclusionCounts } from '../../domain/dataset/filter/select-rows.ts';
import { RESPONSE_STATUSES } from '../../domain/responses/response-row.ts';
import { CsvCellEncoder, writeCsv } from '../../exporters/csv.ts';
import { type ZipEntry, writeZip } from '../../exporters/zip.ts';
import { notFound } from '../../lib/errors.ts';
import { getTimeZone } from '../../lib/time-zone.ts';
import type { FileStorage } from '../../providers/files/file-storage.ts';
import type { FilePlace, FileRow, FileSelection } from '../../repositories/response-files.ts';
import type { Store } from '../../repositories/store.ts';
import type { ResponseSelection } from '../datasets/requested-columns.ts';
import type { ResponseReader } from '../datasets/response-reader.ts';
import { exportAuditEntry } from './export/export-files.ts';

const ROWS_PER_READ = 500;
const EVERYTHING: FileSelection = { status: RESPONSE_STATUSES, includeTest: true };
const MANIFEST_CSV = { delimiter: ',', bom: false, escapeFormulas: true };
const MANIFEST_HEADERS = [
  'file_id',
  'response_id',
  'question_code',
  'name_in_archive',
  'file_name',
  'content_type',
  'size_bytes',
  'sha256',
];

/** Files uploaded by respondents, for users with access to their responses. */
export class ResponseFileService {
  constructor(
    private readonly store: Store,
    private readonly storage: FileStorage,
    private readonly responses: ResponseReader,
  ) {}

  /** Ordered by response, one more than `limit` if there are more; `total` counts all matching files. */
  async list({
    scope,
    selection,
    after,
    limit,
  }: {
    scope: SurveyScope;
    selection: FileSelection;
    after: FilePlace | null;
    limit: number;
  }): Promise<{ found: FileRow[]; total: number }> {
    return this.store.snapshot(async ({ responseFiles }) => {
      const found = await responseFiles.listPage({
        surveyId: scope.surveyId,
        selection,
        after,
        limit: limit + 1,
      });
      return { found, total: await responseFiles.count(scope.surveyId, selection) };
    });
  }

  /** Records the download in the audit log. */
  async open(scope: SurveyScope, fileId: string): Promise<{ file: FileRow; chunks: AsyncIterable<Buffer> }> {
    const file = await this.store.read.responseFiles.findNamed(scope.surveyId, fileId);
    const chunks = file === null ? null : await this.storage.get(file.stored_name);
    if (file === null || chunks === null) throw notFound('file');
    await this.store.read.audit.record({
      by: scope,
      action: 'responses.file_downloaded',
      objectType: 'survey',
      objectId: scope.surveyId,
      details: { file_id: file.file_id, response_id: file.response_id, size_bytes: file.size_bytes },
    });
    return { file, chunks };
  }

  /**
   * The files of the selected responses as a ZIP with a manifest at the end, read and compressed while it is consumed. Records the download
   * in the audit log.
   */
  async openArchive(
    scope: SurveyScope,
    selection: ResponseSelection,
  ): Promise<{ chunks: AsyncIterable<Buffer>; counted: InclusionCounts }> {
    const { ids, counted } = await this.responses.listIds(scope, selection);
    await this.store.read.audit.record(
      exportAuditEntry({
        scope,
        action: 'files_downloaded',
        responseSelection: selection,
        facts: { responses: counted.responses },
      }),
    );
    return { chunks: writeZip(this.generateEntries(scope.surveyId, new Set(ids))), counted };
  }

  private async *generateEntries(
    surveyId: number,
    responseIds: ReadonlySet<number>,
  ): AsyncGenerator<ZipEntry> {
    const cells = new CsvCellEncoder(MANIFEST_CSV);
    const manifest: string[][] = [];
    const names = new ArchiveNames();
    const survey = await this.store.read.responseData.findSurveyState(surveyId);
    const zone = survey?.day_zone == null ? null : getTimeZone(survey.day_zone);
    for await (const file of this.filesInOrder(surveyId)) {
      if (!responseIds.has(file.response_id)) continue;
      const chunks = await this.storage.get(file.stored_name);
      // A file missing from the storage is listed without a name and does not fail the archive.
      const name = chunks === null ? null : names.next(file);
      manifest.push(
        [
          file.file_id,
          file.response_id,
          file.question_code,
          name,
          file.original_name,
          file.content_type,
          file.size_bytes,
          file.sha256,
        ].map((value) => cells.encodeCell(value)),
      );
      if (chunks === null || name === null) continue;
      const compress = /^text\/|json/.test(file.content_type);
      const createdMs = file.created_at.getTime();
      const modifiedAt = new Date(zone === null ? createdMs : zone.startOfDayMs(createdMs));
      yield { name, chunks, sizeBytes: file.size_bytes, modifiedAt, compress };
    }
    yield {
      name: 'manifest.csv',
      chunks: encodeTexts(writeCsv(MANIFEST_HEADERS, toPages(manifest), MANIFEST_CSV)),
      sizeBytes: null,
      modifiedAt: new Date(0),
      compress: true,
    };
  }

  private async *filesInOrder(surveyId: number): AsyncGenerator<FileRow> {
    let after: FilePlace | null = null;
    for (;;) {
      const files: FileRow[] = await this.store.read.responseFiles.listPage({
        surveyId,
        selection: EVERYTHING,
        after,
        limit: ROWS_PER_READ,
      });
      yield* files;
      const last = files.at(-1);
      if (last === undefined || files.length < ROWS_PER_READ) return;
      after = { responseId: last.response_id, fileId: last.file_id };
    }
  }
}

/** `response-12/Q5/1-photo.jpg`: unique whatever the names of the files, and safe on every file system. */
class ArchiveNames {
  private responseId: number | null = null;
  private counts = new Map<string, number>();

  /** Expects files ordered by response. */
  next(file: FileRow): string {
    if (file.response_id !== this.responseId) this.counts = new Map();
    this.responseId = file.response_id;
    const count = (this.counts.get(file.question_code) ?? 0) + 1;
    this.counts.set(file.question_code, count);
    return `response-${file.response_id}/${file.question_code}/${count}-${file.original_name}`;
  }
}

async function* toPages(lines: readonly string[][]): AsyncGenerator<string[][]> {
  for (let start = 0; start < lines.length; start += ROWS_PER_READ)
    yield await Promise.resolve(lines.slice(start, start + ROWS_PER_READ));
}

async function* encodeTexts(texts: AsyncIterable<string>): AsyncGenerator<Buffer> {
  for await (const text of texts) yield Buffer.from(text);
}

import { z } from 'zod';
import type { ReportScope } from '../../domain/access/scopes.ts';
import { titleFileName } from '../../domain/files/title-file-name.ts';
import type { DeckSlide } from '../../domain/reports/deck.ts';
import { notFound } from '../../lib/errors.ts';
import type { Store } from '../../repositories/store.ts';
import type { Author } from '../dashboards/chart-source.ts';
import type { GeneratedFile, JobService } from '../jobs.ts';
import type { OpenDeck, DeckBuilder } from './deck/deck-builder.ts';
import { reportObject } from './reports.ts';
import { REPORT_FORMATS, type ReportFormat, type WriterThreads } from './report-writer.ts';

const CONTENT_TYPES: Readonly<Record<ReportFormat, string>> = {
  pdf: 'application/pdf',
  pptx: 'application/vnd.openxmlformats-officedocument.presentationml.presentation',
};
export const contentTypeOf = (format: ReportFormat): string => CONTENT_TYPES[format];

/** Job kind of a report file. */
export const REPORT_JOB = 'report_export';

/** Job payload. */
export const reportFileSchema = z.strictObject({
  reportId: z.int(),
  format: z.enum(REPORT_FORMATS),
});

/** Larger reports are exported as a job. */
const MAX_SLIDES_INLINE = 60;

/** Progress in slides of the report. */
type OnSlide = (done: number, total: number) => void;

interface ReportFileRequest {
  by: Author;
  scope: ReportScope;
  format: ReportFormat;
  signal: AbortSignal;
  onSlide?: OnSlide | undefined;
}

/** Exports a report as a file, directly or as a job. */
export class ReportFileService {
  private readonly store: Store;
  private readonly decks: DeckBuilder;
  private readonly threads: WriterThreads;
  private readonly jobs: JobService;

  constructor(dependencies: { store: Store; decks: DeckBuilder; threads: WriterThreads; jobs: JobService }) {
    this.store = dependencies.store;
    this.decks = dependencies.decks;
    this.threads = dependencies.threads;
    this.jobs = dependencies.jobs;
  }

  /**
   * Computes figures while the file is written. Stops when the signal aborts. Records the export in the audit log before the first byte.
   */
  async createFile({
    by,
    scope,
    format,
    signal,
    onSlide = () => undefined,
  }: ReportFileRequest): Promise<GeneratedFile> {
    const { reports } = this.store.read;
    const [report, slides] = await Promise.all([reports.find(scope), reports.listSlides(scope)]);
    if (report === null) throw notFound('report');
    await this.store.read.audit.record(
      reportObject.auditEntry(scope, 'exported', { format, slides: slides.length }),
    );
    const open = async () => {
      const deck = await this.decks.open(by, report, slides);
      return { head: deck.head, slides: reportProgress(deck, onSlide) };
    };
    return {
      contentType: contentTypeOf(format),
      fileName: `${titleFileName(report.report_name, 'report')}.${format}`,
      chunks: this.threads.write(format, open, signal),
    };
  }

  async needsJob(scope: ReportScope): Promise<boolean> {
    return (await this.store.read.reports.countSlides(scope)) > MAX_SLIDES_INLINE;
  }

  /** Returns the job id. */
  startJob(scope: ReportScope, format: ReportFormat, requestId: string): Promise<number> {
    const { organizationId, userId, reportId } = scope;
    const payload = { reportId, format } satisfies z.output<typeof reportFileSchema>;
    return this.jobs.start({
      organizationId,
      userId,
      surveyId: null,
      reportId,
      kind: REPORT_JOB,
      payload,
      requestId,
    });
  }
}

async function* reportProgress(deck: OpenDeck, onSlide: OnSlide): AsyncGenerator<DeckSlide> {
  for await (const slide of deck.slides) {
    onSlide(deck.slidesDone(), deck.slideCount);
    yield slide;
  }
}

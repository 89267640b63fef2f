import type { Config } from '../../config.ts';
import type { StoredAnswers } from '../../domain/questions/answers/codec.ts';
import { typeOf } from '../../domain/questions/registry.ts';
import type { PreparedDefinition } from '../../domain/survey/prepared-definition.ts';
import type { Clock } from '../../lib/clock.ts';
import { limitReached, unknownObject } from '../../lib/error-messages.ts';
import { AppError, type ErrorDetail, invalidFields } from '../../lib/errors.ts';
import { splitIntoParts } from '../../providers/files/file-storage.ts';
import type { Repositories } from '../../repositories/repositories.ts';
import type { Store } from '../../repositories/store.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
const MEGABYTE = 1024 * 1024;
/** Bytes of a file that are counted before they are stored; also the memory of one upload. */
const PART_BYTES = MEGABYTE;

/** Bytes; 0: no limit. */
type UploadLimitSettings = Config['uploadLimits'];

/** Limits what respondents store: bytes per survey and day, and bytes stored per organization. */
export class UploadLimits {
  constructor(
    private readonly store: Store,
    private readonly clock: Clock,
    private readonly limits: UploadLimitSettings,
  ) {}

  /**
   * Passes the file's chunks on, each counted first, so that the limits hold for any number of parallel uploads. The
   * file's row must exist. Throws 429 `upload_limit_reached` until the next day (UTC), or 507 `upload_storage_full`.
   */
  async *countChunks(
    surveyId: number,
    fileId: string,
    chunks: AsyncIterable<Buffer>,
  ): AsyncGenerator<Buffer, undefined> {
    for await (const part of splitIntoParts(chunks, PART_BYTES)) {
      await this.count(surveyId, fileId, part.length);
      yield part;
    }
    return undefined;
  }

  /** Deletes the row of a file whose bytes were deleted, and subtracts them from the organization's usage. */
  async releaseFile(surveyId: number, fileId: string): Promise<void> {
    await this.store.transaction(({ responseFiles }) => responseFiles.removeFile(surveyId, fileId));
  }

  /** Deletes the counts of past days. */
  async removePastDays(): Promise<void> {
    // Keeps yesterday: the clocks of processes differ.
    const yesterday = new Date(this.clock.now().getTime() - DAY_MS);
    await this.store.read.responseFiles.removeUploadDaysBefore(dayOf(yesterday));
  }

  private async count(surveyId: number, fileId: string, bytes: number): Promise<void> {
    const { surveyDailyBytes, organizationBytes } = this.limits;
    const now = this.clock.now();
    await this.store.transaction(async ({ responseFiles }) => {
      await responseFiles.setOrganizationBytes(surveyId, fileId, bytes);
      if (
        !(await responseFiles.addUploadToDay({
          surveyId,
          day: dayOf(now),
          bytes,
          limitBytes: surveyDailyBytes,
        }))
      )
        throw surveyLimitReached(now, surveyDailyBytes);
      if (!(await responseFiles.addUploadToOrganization(surveyId, bytes, organizationBytes)))
        throw new AppError(
          'insufficient_storage',
          'upload_storage_full',
          'This survey cannot store more files: the storage of its organization is full',
        );
    });
  }
}

const dayOf = (date: Date): string => date.toISOString().slice(0, 10);

function surveyLimitReached(now: Date, limitBytes: number): AppError {
  const seconds = Math.ceil((DAY_MS - (now.getTime() % DAY_MS)) / 1000);
  return new AppError(
    'too_many_requests',
    'upload_limit_reached',
    `${limitReached({ owner: 'This survey', max: limitBytes / MEGABYTE, unit: 'MB of files', units: 'MB of files' })} per day; upload the file again after midnight UTC`,
    [],
    { 'Retry-After': String(seconds) },
  );
}

interface NamedFile {
  questionCode: string;
  field: string;
  fileId: string;
}

/** Returns every file that valid answers name. Cheap for surveys without file questions. */
function listNamedFiles(prepared: PreparedDefinition, answers: StoredAnswers): NamedFile[] {
  const named: NamedFile[] = [];
  for (const questionCode of Object.keys(answers)) {
    const known = prepared.byCode.get(questionCode);
    const answer = answers[questionCode];
    if (known === undefined || !Array.isArray(answer)) continue;
    if (typeOf(known.question).uploadRules === undefined) continue;
    for (const [index, fileId] of (answer as string[]).entries())
      named.push({ questionCode, field: `${known.field}[${index}]`, fileId });
  }
  return named;
}

/**
 * Throws 400 if an answer names a file that was not uploaded for this response and question. The caller has locked
 * the response.
 */
export async function checkFiles({
  repositories: { responseFiles },
  surveyId,
  responseId,
  prepared,
  answers,
}: {
  repositories: Pick<Repositories, 'responseFiles'>;
  surveyId: number;
  responseId: number;
  prepared: PreparedDefinition;
  answers: StoredAnswers;
}): Promise<void> {
  const named = listNamedFiles(prepared, answers);
  if (named.length === 0) return;
  const rows = await responseFiles.listOfResponse(surveyId, responseId);
  const questionOf = new Map(rows.map((row) => [row.file_id, row.question_code]));
  const problems = named.filter(({ fileId, questionCode }) => questionOf.get(fileId) !== questionCode);
  if (problems.length > 0) throw invalidFields(problems.map(unknownFileProblem));
}

/** Returns a problem for each named file: before the response exists, no file can have been uploaded for it. */
export function problemsOfFilesBeforeStart(
  prepared: PreparedDefinition,
  answers: StoredAnswers,
): ErrorDetail[] {
  return listNamedFiles(prepared, answers).map(unknownFileProblem);
}

const unknownFileProblem = ({ field, fileId }: NamedFile): ErrorDetail => ({
  field,
  message: unknownObject({ kind: 'file', idOrCode: fileId, scope: 'for this response and question' }),
});

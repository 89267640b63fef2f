import type { PreparedDefinition } from '../../domain/survey/prepared-definition.ts';
import type { StoredAnswer, StoredAnswers } from '../../domain/answers/codec.ts';
import { conflict, invalid, notFound } from '../../lib/errors.ts';
import { quote } from '../../lib/quote.ts';
import type { Ids } from '../../lib/ids.ts';
import type { FileStorage } from '../../providers/files/file-storage.ts';
import type { FileRow } from '../../repositories/response-files.ts';
import type { Store } from '../../repositories/store.ts';
import type { CollectionService } from './collection.ts';
import { openIncomingFile } from './incoming-file.ts';
import type { UploadLimits } from './upload-limits.ts';

export interface UploadedFile {
  questionCode: string;
  fileName: string;
  chunks: AsyncIterable<Buffer>;
}

/** Files that a respondent adds to a response that has begun, before they hand it in. */
export class FileUploadService {
  private readonly store: Store;
  private readonly storage: FileStorage;
  private readonly collection: CollectionService;
  private readonly limits: UploadLimits;
  private readonly ids: Ids;

  constructor(
    store: Store,
    storage: FileStorage,
    collection: CollectionService,
    limits: UploadLimits,
    ids: Ids,
  ) {
    this.store = store;
    this.storage = storage;
    this.collection = collection;
    this.limits = limits;
    this.ids = ids;
  }

  /**
   * Streams a file into the store. The row is written first and the bytes follow, so that whatever breaks in between is found again.
   * The same file sent twice, as after a lost reply, is kept once: `created` is then false.
   */
  async upload(
    linkToken: string,
    responseToken: string,
    given: UploadedFile,
  ): Promise<{ file: FileRow; created: boolean }> {
    const { surveyId, responseId, rules, present } = await this.collection.withPartialResponse(
      linkToken,
      responseToken,
      async ({ repositories, link: link, response, prepared }) => ({
        surveyId: link.surveyId,
        responseId: response.response_id,
        rules: rulesOf(prepared, given.questionCode),
        present: await repositories.responseFiles.listOfResponse(link.surveyId, response.response_id),
      }),
    );
    const incoming = await openIncomingFile(given.fileName, given.chunks, rules);
    const { fileName, contentType } = incoming;
    const room = (files: FileRow[]) => filesOfQuestion(files, given.questionCode).length < rules.maxFiles;
    // What may be a file sent again is looked at to its end.
    if (
      !room(present) &&
      !filesOfQuestion(present, given.questionCode).some((one) => one.original_name === fileName)
    )
      throw tooManyFiles(rules.maxFiles);

    const fileId = this.ids.uuid();
    const storedName = this.ids.uuid();
    await this.store.read.responseFiles.announce({
      surveyId,
      fileId,
      responseId,
      questionCode: given.questionCode,
      storedName,
      originalName: fileName,
      contentType,
    });
    try {
      await this.storage.put(storedName, this.limits.countChunks(surveyId, fileId, incoming.chunks));
      const facts = incoming.digest();
      const result = await this.collection.withPartialResponse(
        linkToken,
        responseToken,
        async ({ repositories }) => {
          const files = await repositories.responseFiles.listOfResponse(surveyId, responseId);
          const again = filesOfQuestion(files, given.questionCode).find(
            (one) => one.sha256 === facts.sha256 && one.original_name === fileName,
          );
          if (again !== undefined) return { file: again, created: false };
          if (!room(files)) throw tooManyFiles(rules.maxFiles);
          return {
            file: await repositories.responseFiles.markStored(surveyId, fileId, facts),
            created: true,
          };
        },
      );
      if (!result.created) await this.discard(surveyId, fileId, storedName);
      return result;
    } catch (error) {
      // Should this fail too, the sweep does it.
      await this.discard(surveyId, fileId, storedName).catch(() => undefined);
      throw error;
    }
  }

  /** What this response has so far, handed in or not. */
  async list(linkToken: string, responseToken: string): Promise<FileRow[]> {
    return this.collection.withPartialResponse(
      linkToken,
      responseToken,
      ({ repositories, link: link, response }) =>
        repositories.responseFiles.listOfResponse(link.surveyId, response.response_id),
    );
  }

  /** Also takes the file out of the saved answer. */
  async remove(linkToken: string, responseToken: string, fileId: string): Promise<void> {
    const { surveyId, file } = await this.collection.withPartialResponse(
      linkToken,
      responseToken,
      async ({ repositories, link: link, response }) => {
        const files = await repositories.responseFiles.listOfResponse(link.surveyId, response.response_id);
        const found = files.find((one) => one.file_id === fileId);
        if (found === undefined) throw notFound('file');
        await repositories.responseFiles.markDeleted(link.surveyId, fileId);
        const answers = withoutFile(response.answers, found);
        if (answers !== null)
          await repositories.responses.saveAnswers(link.surveyId, response.response_id, answers, null);
        return { surveyId: link.surveyId, file: found };
      },
    );
    // It is gone for everybody already; its bytes the sweep can remove as well.
    await this.discard(surveyId, fileId, file.stored_name).catch(() => undefined);
  }

  private async discard(surveyId: number, fileId: string, storedName: string): Promise<void> {
    await this.storage.remove(storedName);
    await this.limits.releaseFile(surveyId, fileId);
  }
}

interface UploadRules {
  maxFiles: number;
  maxSizeMb: number;
  allowedExtensions: readonly string[] | null;
}

function rulesOf(prepared: PreparedDefinition, questionCode: string): UploadRules {
  const known = prepared.byCode.get(questionCode);
  if (known === undefined || known.retired)
    throw invalid('question_code', `${quote(questionCode)} is no question of this survey`);
  const { question } = known;
  if (question.type !== 'file_upload')
    throw invalid('question_code', `${question.code} is of type ${question.type} and takes no files`);
  const {
    max_files: maxFiles,
    max_size_mb: maxSizeMb,
    allowed_extensions: allowedExtensions,
  } = question.settings;
  return { maxFiles, maxSizeMb, allowedExtensions };
}

const filesOfQuestion = (files: readonly FileRow[], questionCode: string): FileRow[] =>
  files.filter((file) => file.question_code === questionCode);

const tooManyFiles = (maxFiles: number) =>
  conflict(
    'too_many_files',
    `This question takes at most ${maxFiles} file${maxFiles === 1 ? '' : 's'}; remove one first`,
  );

/** The changed answer alone; null when the file was not named. */
function withoutFile(answers: StoredAnswers, file: FileRow): StoredAnswers | null {
  const answer: StoredAnswer | null = answers[file.question_code] ?? null;
  if (!Array.isArray(answer) || !answer.includes(file.file_id)) return null;
  const rest = (answer as string[]).filter((id) => id !== file.file_id);
  return { [file.question_code]: rest.length === 0 ? null : rest };
}

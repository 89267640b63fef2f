import { createHash } from 'node:crypto';
import { TextDecoder } from 'node:util';
import type { StoredAnswer, StoredAnswers } from '../../domain/questions/answers/codec.ts';
import { checkFile, sanitizeFileName } from '../../domain/files/check-file.ts';
import type { UploadRules } from '../../domain/questions/question-type.ts';
import { typeOf } from '../../domain/questions/registry.ts';
import type { PreparedDefinition } from '../../domain/survey/prepared-definition.ts';
import { fileTooLarge, limitReached, unknownObject } from '../../lib/error-messages.ts';
import { conflict, invalid, notFound } from '../../lib/errors.ts';
import type { Ids } from '../../lib/ids.ts';
import type { FileStorage } from '../../providers/files/file-storage.ts';
import type { FileRow } from '../../repositories/response-files.ts';
import type { Store } from '../../repositories/store.ts';
import { readHead, withHead } from '../file-head.ts';
import type { CollectionService } from './collection.ts';
import type { UploadLimits } from './uploaded-files.ts';

const MEGABYTE = 1024 * 1024;

interface FileRules {
  maxSizeMb: number;
  /** null: the default extensions. */
  allowedExtensions: readonly string[] | null;
}

/**
 * A file that is checked while it is streamed. Its first bytes show its type; size, checksum and text validity are
 * known at the end.
 */
interface IncomingFile {
  fileName: string;
  contentType: string;
  /** Throws as soon as the file exceeds the size limit, or a text file contains no valid text. */
  chunks: AsyncIterable<Buffer>;
  /** Call after the chunks were read. */
  digest(): { sizeBytes: number; sha256: string };
}

/** Reads the first bytes and rejects empty files and disallowed types before anything is stored. */
async function openIncomingFile(
  givenName: string,
  chunks: AsyncIterable<Buffer>,
  rules: FileRules,
): Promise<IncomingFile> {
  const name = sanitizeFileName(givenName);
  if (name === '') throw invalid('file', 'must have a name');
  const iterator = chunks[Symbol.asyncIterator]();
  try {
    const head = await readHead(iterator);
    if (head.length === 0) throw invalid('file', 'must not be empty');
    const { fileTypeFromBuffer } = await import('file-type');
    const checked = checkFile(name, await fileTypeFromBuffer(head), rules.allowedExtensions);
    if (!checked.ok) throw invalid('file', checked.message);
    const meter = new StreamChecker(rules.maxSizeMb * MEGABYTE, checked.text);
    return {
      fileName: checked.fileName,
      contentType: checked.contentType,
      chunks: checkedChunks(head, iterator, meter),
      digest: () => meter.digest(),
    };
  } catch (error) {
    await iterator.return?.();
    throw error;
  }
}

async function* checkedChunks(
  head: Buffer,
  rest: AsyncIterator<Buffer>,
  meter: StreamChecker,
): AsyncGenerator<Buffer> {
  for await (const chunk of withHead(head, rest)) {
    meter.update(chunk);
    yield chunk;
  }
  meter.finish();
}

/** Control characters except tab, line feed, form feed and carriage return: no text contains them. */
const NOT_TEXT = /(?![\t\n\f\r])\p{Cc}/u;

class StreamChecker {
  private readonly decoder: TextDecoder | null;
  private readonly hash = createHash('sha256');
  private sizeBytes = 0;

  constructor(
    private readonly maxBytes: number,
    text: boolean,
  ) {
    this.decoder = text ? new TextDecoder('utf-8', { fatal: true }) : null;
  }

  update(chunk: Buffer): void {
    this.sizeBytes += chunk.length;
    if (this.sizeBytes > this.maxBytes) throw fileTooLarge('file', this.maxBytes / MEGABYTE);
    this.hash.update(chunk);
    this.checkText(chunk);
  }

  finish(): void {
    this.checkText(undefined);
  }

  digest(): { sizeBytes: number; sha256: string } {
    return { sizeBytes: this.sizeBytes, sha256: this.hash.copy().digest('hex') };
  }

  private checkText(chunk: Buffer | undefined): void {
    if (this.decoder === null) return;
    let text: string;
    try {
      text = chunk === undefined ? this.decoder.decode() : this.decoder.decode(chunk, { stream: true });
    } catch {
      throw invalid('file', 'must be UTF-8 text, according to its name; save it as UTF-8');
    }
    if (NOT_TEXT.test(text)) throw invalid('file', 'must be a text, according to its name');
  }
}

interface UploadedFile {
  questionCode: string;
  fileName: string;
  chunks: AsyncIterable<Buffer>;
}

/** Uploads, lists and deletes files of a partial response. */
export class FileUploadService {
  constructor(
    private readonly store: Store,
    private readonly storage: FileStorage,
    private readonly collection: CollectionService,
    private readonly limits: UploadLimits,
    private readonly ids: Ids,
  ) {}

  /**
   * Streams a file into the store. The row is written before the bytes, so that the clean-up finds interrupted
   * uploads. A file that is sent twice, for example after a lost reply, is stored once; `created` is then false.
   */
  async upload(
    linkToken: string,
    responseToken: string,
    given: UploadedFile,
  ): Promise<{ file: FileRow; created: boolean }> {
    const { surveyId, responseId, rules, present } = await this.collection.withPartialResponse(
      linkToken,
      responseToken,
      async ({ repositories, link, response, prepared }) => ({
        surveyId: link.surveyId,
        responseId: response.response_id,
        rules: rulesOf(prepared, given.questionCode),
        present: await repositories.responseFiles.listOfResponse(link.surveyId, response.response_id),
      }),
    );
    const incoming = await openIncomingFile(given.fileName, given.chunks, rules);
    const { fileName, contentType } = incoming;
    const hasRoom = (files: FileRow[]) => filesOfQuestion(files, given.questionCode).length < rules.maxFiles;
    // A file with the same name may be a repeated upload, so it is read to the end.
    if (
      !hasRoom(present) &&
      !filesOfQuestion(present, given.questionCode).some((one) => one.original_name === fileName)
    )
      throw tooManyFiles(rules.maxFiles);

    const fileId = this.ids.uuid();
    const storedName = this.ids.uuid();
    await this.store.read.responseFiles.create({
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
          const duplicate = filesOfQuestion(files, given.questionCode).find(
            (one) => one.sha256 === facts.sha256 && one.original_name === fileName,
          );
          if (duplicate !== undefined) return { file: duplicate, created: false };
          if (!hasRoom(files)) throw tooManyFiles(rules.maxFiles);
          return {
            file: await repositories.responseFiles.markStored(surveyId, fileId, facts),
            created: true,
          };
        },
      );
      if (!result.created) await this.discard(surveyId, fileId, storedName);
      return result;
    } catch (error) {
      // The clean-up task deletes it if this fails too.
      await this.discard(surveyId, fileId, storedName).catch(() => undefined);
      throw error;
    }
  }

  /** Returns the stored files of the response, whether an answer names them or not. */
  async list(linkToken: string, responseToken: string): Promise<FileRow[]> {
    return this.collection.withPartialResponse(linkToken, responseToken, ({ repositories, link, response }) =>
      repositories.responseFiles.listOfResponse(link.surveyId, response.response_id),
    );
  }

  /** Deletes a file and removes it from the saved answer. */
  async remove(linkToken: string, responseToken: string, fileId: string): Promise<void> {
    const { surveyId, file } = await this.collection.withPartialResponse(
      linkToken,
      responseToken,
      async ({ repositories, link, response }) => {
        const files = await repositories.responseFiles.listOfResponse(link.surveyId, response.response_id);
        const found = files.find((one) => one.file_id === fileId);
        if (found === undefined) throw notFound('file');
        await repositories.responseFiles.markDeleted(link.surveyId, fileId);
        const answers = withoutFile(response.answers, found);
        if (answers !== null)
          await repositories.responses.saveAnswers({
            surveyId: link.surveyId,
            responseId: response.response_id,
            answers,
            removed: [],
            lastPageId: null,
            presentation: null,
          });
        return { surveyId: link.surveyId, file: found };
      },
    );
    // The row is already marked as deleted; the clean-up task deletes the bytes if this fails.
    await this.discard(surveyId, fileId, file.stored_name).catch(() => undefined);
  }

  private async discard(surveyId: number, fileId: string, storedName: string): Promise<void> {
    await this.storage.remove(storedName);
    await this.limits.releaseFile(surveyId, fileId);
  }
}

function rulesOf(prepared: PreparedDefinition, questionCode: string): UploadRules {
  const known = prepared.byCode.get(questionCode);
  if (known === undefined || known.retired)
    throw invalid(
      'question_code',
      unknownObject({ kind: 'question', idOrCode: questionCode, scope: 'in this survey' }),
    );
  const { question } = known;
  const rules = typeOf(question).uploadRules?.(question);
  if (rules === undefined)
    throw invalid(
      'question_code',
      `must be a file_upload question; ${question.code} is of type ${question.type}`,
    );
  return rules;
}

const filesOfQuestion = (files: readonly FileRow[], questionCode: string): FileRow[] =>
  files.filter((file) => file.question_code === questionCode);

const tooManyFiles = (maxFiles: number) =>
  conflict(
    'too_many_files',
    `${limitReached({ owner: 'This question', max: maxFiles, unit: 'file' })}; remove one first`,
  );

/** Returns only the changed answer; null if no answer names the file. */
function withoutFile(answers: StoredAnswers, file: FileRow): StoredAnswers | null {
  const answer: StoredAnswer | null = answers[file.question_code] ?? null;
  if (!Array.isArray(answer) || !answer.includes(file.file_id)) return null;
  const rest = (answer as string[]).filter((id) => id !== file.file_id);
  return { [file.question_code]: rest.length === 0 ? null : rest };
}

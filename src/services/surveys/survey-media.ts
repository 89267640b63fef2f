import type { SurveyScope } from '../../domain/access/scopes.ts';
import { captionsProblem } from '../../domain/files/captions.ts';
import {
  MEDIA_TOKEN_CHARACTERS,
  mediaAddress,
  type MediaKind,
  mediaKind,
  type MediaType,
  parseMediaAddress,
  SURVEY_MEDIA_PATH,
} from '../../domain/questions/media-address.ts';
import type { Clock } from '../../lib/clock.ts';
import { fileTooLarge, limitReached } from '../../lib/error-messages.ts';
import { AppError, conflict, invalid, notFound } from '../../lib/errors.ts';
import type { Ids } from '../../lib/ids.ts';
import type { ByteRange, FileStorage } from '../../providers/files/file-storage.ts';
import type { Store } from '../../repositories/store.ts';
import type { SurveyMediaRow } from '../../repositories/survey-media.ts';
import type { DeletedRetention } from '../deleted-retention.ts';
import { readHead, withHead } from '../file-head.ts';
import { collectBytes } from '../pictures.ts';
import { lockSurvey, surveyAuditEntry } from './survey-lock.ts';

const MEGABYTE = 1024 * 1024;
export const MAX_MEDIA_MB = 50;
const MAX_CAPTIONS_BYTES = MEGABYTE;
export const MAX_SURVEY_MEDIA = 100;
const FIELD = 'media';
const DAY_MS = 24 * 60 * 60 * 1000;
/** Files that no survey refers to are deleted this long after their upload or last known use. */
const UNUSED_AFTER_MS = DAY_MS;
const FILES_PER_BATCH = 200;

/** By the extension that the content of a file has. */
const TYPES: ReadonlyMap<string, MediaType> = new Map([
  ['mp3', 'mp3'],
  ['m4a', 'm4a'],
  ['oga', 'ogg'],
  ['ogg', 'ogg'],
  ['opus', 'ogg'],
  ['mp4', 'mp4'],
  ['m4v', 'mp4'],
  ['webm', 'webm'],
  ['vtt', 'vtt'],
]);

export interface UploadedSurveyMedia {
  /** Path of the address on this server, `/media/<token>.<type>`. */
  address: string;
  kind: MediaKind;
  sizeBytes: number;
}

/** Sound, video and captions that authors upload for questions. Anyone who has the address of a file can open it. */
export class SurveyMediaService {
  constructor(
    private readonly store: Store,
    private readonly storage: FileStorage,
    private readonly ids: Ids,
    private readonly clock: Clock,
    private readonly retention: DeletedRetention,
    /** Bytes that an organization can store; 0: no limit. */
    private readonly organizationBytes: number,
  ) {}

  /**
   * Stores a file. Does not change the survey: a question gets the address afterwards. The row is written before the bytes, so that the
   * clean-up finds interrupted uploads.
   */
  async add(scope: SurveyScope, chunks: AsyncIterable<Buffer>): Promise<UploadedSurveyMedia> {
    const file = await openMedia(chunks);
    const token = this.ids.token(MEDIA_TOKEN_CHARACTERS);
    const storedName = this.ids.uuid();
    const { organizationId, surveyId, userId } = scope;
    try {
      await this.store.transaction(async (repositories) => {
        await lockSurvey(repositories, scope);
        if ((await repositories.surveyMedia.count(surveyId)) >= MAX_SURVEY_MEDIA)
          throw conflict(
            'too_many_media',
            limitReached({
              owner: 'A survey',
              max: MAX_SURVEY_MEDIA,
              unit: 'uploaded sound, video and caption file',
            }),
          );
        await repositories.surveyMedia.create({
          token,
          organizationId,
          surveyId,
          userId,
          type: file.type,
          storedName,
        });
      });
    } catch (error) {
      await file.chunks.return(undefined);
      throw error;
    }
    try {
      let sizeBytes = 0;
      await this.storage.put(
        storedName,
        withinLimit(file.chunks, (size) => (sizeBytes = size)),
      );
      await this.store.transaction(async (repositories) => {
        await repositories.surveyMedia.markStored(token, sizeBytes);
        if (
          !(await repositories.responseFiles.addUploadToOrganization(
            surveyId,
            sizeBytes,
            this.organizationBytes,
          ))
        )
          throw storageFull();
        await repositories.audit.record(
          surveyAuditEntry(scope, 'media_added', { media_type: file.type, size_bytes: sizeBytes }),
        );
      });
      return { address: mediaAddress(token, file.type), kind: mediaKind(file.type), sizeBytes };
    } catch (error) {
      await this.store.read.surveyMedia.markDeleted(token);
      throw error;
    }
  }

  /** Finds the file of an address such as `<token>.mp4`. Throws 404 for an unknown one. */
  async find(name: string): Promise<SurveyMediaRow> {
    const parsed = parseMediaAddress(`${SURVEY_MEDIA_PATH}/${name}`);
    const row = parsed === null ? null : await this.store.read.surveyMedia.find(parsed.token, parsed.type);
    if (row === null) throw notFound('file');
    return row;
  }

  /** Opens a file, or a part of it. Throws 404 if its bytes are missing. */
  async read({ stored_name: name }: SurveyMediaRow, range?: ByteRange): Promise<AsyncIterable<Buffer>> {
    const chunks = await this.storage.get(name, range);
    if (chunks === null) throw notFound('file');
    return chunks;
  }

  /** Deletes files that no survey refers to. Returns their number. Safe in several processes at once. */
  async deleteUnused(): Promise<number> {
    const usedBefore = new Date(this.clock.now().getTime() - UNUSED_AFTER_MS);
    const deletedAfter = this.retention.restorableSince();
    for (const organizationId of await this.store.read.surveyMedia.listOrganizationsToCheck(usedBefore))
      await this.store.transaction(({ surveyMedia }) =>
        surveyMedia.markUnused(organizationId, usedBefore, deletedAfter),
      );
    return this.removeDeleted();
  }

  private async removeDeleted(): Promise<number> {
    for (let removed = 0; ;) {
      const files = await this.store.read.surveyMedia.listDeleted(FILES_PER_BATCH);
      for (const { media_token: token, stored_name: storedName } of files) {
        await this.storage.remove(storedName);
        await this.store.transaction(({ surveyMedia }) => surveyMedia.remove(token));
      }
      removed += files.length;
      if (files.length < FILES_PER_BATCH) return removed;
    }
  }
}

/** Detects the type by the content. Throws 400 for other types, and for captions that are not WebVTT. */
async function openMedia(
  chunks: AsyncIterable<Buffer>,
): Promise<{ type: MediaType; chunks: AsyncGenerator<Buffer> }> {
  const iterator = chunks[Symbol.asyncIterator]();
  try {
    const head = await readHead(iterator);
    if (head.length === 0) throw invalid(FIELD, 'must not be empty');
    const { fileTypeFromBuffer } = await import('file-type');
    const found = await fileTypeFromBuffer(head);
    const type = TYPES.get(found?.ext ?? '');
    if (type === undefined)
      throw invalid(
        FIELD,
        `must be sound (MP3, M4A, OGG), a video (MP4, WebM) or captions (WebVTT)${
          found === undefined ? '' : `; by its content this is ${found.mime}`
        }`,
      );
    const whole = withHead(head, iterator);
    return { type, chunks: type === 'vtt' ? checkedCaptions(whole) : whole };
  } catch (error) {
    await iterator.return?.();
    throw error;
  }
}

async function* checkedCaptions(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const bytes = await collectBytes(FIELD, chunks, MAX_CAPTIONS_BYTES);
  const problem = captionsProblem(decodeText(bytes));
  if (problem !== null) throw invalid(FIELD, problem);
  yield bytes;
}

function decodeText(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw invalid(FIELD, 'must be a text in UTF-8');
  }
}

async function* withinLimit(
  chunks: AsyncIterable<Buffer>,
  onSize: (sizeBytes: number) => void,
): AsyncGenerator<Buffer> {
  let size = 0;
  for await (const chunk of chunks) {
    size += chunk.length;
    if (size > MAX_MEDIA_MB * MEGABYTE) throw fileTooLarge(FIELD, MAX_MEDIA_MB);
    onSize(size);
    yield chunk;
  }
}

const storageFull = () =>
  new AppError('insufficient_storage', 'upload_storage_full', 'The file storage of the organization is full');

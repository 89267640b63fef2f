import type { SurveyScope } from '../../domain/access/scopes.ts';
import { rebuildGif } from '../../domain/files/gif.ts';
import { keepEssentialChunks } from '../../domain/files/pictures.ts';
import {
  IMAGE_TOKEN_CHARACTERS,
  isUploadedImagePath,
  SURVEY_IMAGES_PATH,
} from '../../domain/questions/image-address.ts';
import type { Clock } from '../../lib/clock.ts';
import { limitReached } from '../../lib/error-messages.ts';
import { conflict, invalid, notFound } from '../../lib/errors.ts';
import type { Ids } from '../../lib/ids.ts';
import type { Store } from '../../repositories/store.ts';
import type { SurveyImageRow } from '../../repositories/survey-images.ts';
import type { SurveyImageType } from '../../repositories/tables/surveys.ts';
import type { DeletedRetention } from '../deleted-retention.ts';
import { collectBytes, MAX_PIXELS, reencodePicture } from '../pictures.ts';
import { lockSurvey, surveyAuditEntry } from './survey-lock.ts';

export const MAX_SURVEY_IMAGE_BYTES = 2 * 1024 * 1024;
export const MAX_SURVEY_IMAGES = 200;
const FIELD = 'image';
const JPEG_QUALITY = 90;
/** Pixels as other pictures; all frames decoded are 240 MB in a browser that keeps them. */
const GIF_LIMITS = { maxPixels: MAX_PIXELS, maxFrames: 500, maxTotalPixels: 60_000_000 };
const DAY_MS = 24 * 60 * 60 * 1000;
/** Images that no survey refers to are deleted this long after their upload or last known use. */
const UNUSED_AFTER_MS = DAY_MS;

export interface UploadedSurveyImage {
  /** Path of the address on this server, `/images/<token>`. */
  address: string;
  contentType: SurveyImageType;
  sizeBytes: number;
}

/** Images that authors upload for questions and options. Anyone who has the address of an image can open it. */
export class SurveyImageService {
  constructor(
    private readonly store: Store,
    private readonly ids: Ids,
    private readonly clock: Clock,
    private readonly retention: DeletedRetention,
  ) {}

  /** Stores an image. Does not change the survey: a question or an option gets the address afterwards. */
  async add(scope: SurveyScope, chunks: AsyncIterable<Buffer>): Promise<UploadedSurveyImage> {
    const image = await readSurveyImage(await collectBytes(FIELD, chunks, MAX_SURVEY_IMAGE_BYTES));
    const token = this.ids.token(IMAGE_TOKEN_CHARACTERS);
    const { organizationId, surveyId, userId } = scope;
    await this.store.transaction(async (repositories) => {
      await lockSurvey(repositories, scope);
      if ((await repositories.surveyImages.count(surveyId)) >= MAX_SURVEY_IMAGES)
        throw conflict(
          'too_many_images',
          limitReached({ owner: 'A survey', max: MAX_SURVEY_IMAGES, unit: 'uploaded image' }),
        );
      await repositories.surveyImages.create({ token, organizationId, surveyId, userId, ...image });
      await repositories.audit.record(
        surveyAuditEntry(scope, 'image_added', {
          content_type: image.content_type,
          size_bytes: image.picture.length,
        }),
      );
    });
    return {
      address: `${SURVEY_IMAGES_PATH}/${token}`,
      contentType: image.content_type,
      sizeBytes: image.picture.length,
    };
  }

  /** Throws 404 for an unknown token. */
  async open(token: string): Promise<SurveyImageRow> {
    // Other texts, such as one with NUL, are not for the database.
    const image = isUploadedImagePath(`${SURVEY_IMAGES_PATH}/${token}`)
      ? await this.store.read.surveyImages.find(token)
      : null;
    if (image === null) throw notFound('image');
    return image;
  }

  /** Deletes images that no survey refers to. Returns their number. Safe in several processes at once. */
  async deleteUnused(): Promise<number> {
    const usedBefore = new Date(this.clock.now().getTime() - UNUSED_AFTER_MS);
    const deletedAfter = this.retention.restorableSince();
    let deleted = 0;
    for (const organizationId of await this.store.read.surveyImages.listOrganizationsToCheck(usedBefore))
      deleted += await this.store.transaction(({ surveyImages }) =>
        surveyImages.deleteUnused(organizationId, usedBefore, deletedAfter),
      );
    return deleted;
  }
}

/**
 * Detects the type by the content. JPEG and PNG lose everything but their pixels (location, camera, comments), and photographs are rotated
 * upright. GIF keeps its frames and loses everything else. WebP is stored as it is, because it may be animated. Throws 400 for other types, SVG among them, which can
 * contain scripts.
 */
async function readSurveyImage(bytes: Buffer): Promise<SurveyImageRow> {
  if (bytes.length === 0) throw invalid(FIELD, 'must not be empty');
  const { fileTypeFromBuffer } = await import('file-type');
  const mime = (await fileTypeFromBuffer(bytes))?.mime;
  switch (mime) {
    case 'image/gif': {
      const rebuilt = rebuildGif(bytes, GIF_LIMITS);
      if (!rebuilt.ok) throw invalid(FIELD, rebuilt.problem);
      return { content_type: mime, picture: rebuilt.bytes };
    }
    case 'image/webp':
      // Decodes it to refuse damaged files.
      await reencodePicture(FIELD, bytes, ({ picture }) => picture.rawPixels());
      return { content_type: mime, picture: bytes };
    case 'image/jpeg':
      return {
        content_type: mime,
        picture: await reencodePicture(FIELD, bytes, async ({ picture }) =>
          withinLimit(await picture.jpeg(JPEG_QUALITY)),
        ),
      };
    case 'image/png':
    case 'image/apng':
      return {
        content_type: 'image/png',
        picture: await reencodePicture(FIELD, bytes, async ({ picture }) => {
          const encoded = await picture.png();
          const stripped = keepEssentialChunks(bytes);
          return encoded.length < stripped.length ? encoded : stripped;
        }),
      };
    default:
      throw invalid(
        FIELD,
        `must be a PNG, JPEG, GIF or WebP image${mime === undefined ? '' : `; by its content this is ${mime}`}`,
      );
  }
}

/** A JPEG that was compressed more than ours can grow. */
function withinLimit(picture: Buffer): Buffer {
  if (picture.length > MAX_SURVEY_IMAGE_BYTES)
    throw invalid(FIELD, 'has too many details for an image of at most 2 MB; make it smaller');
  return picture;
}

import { z } from 'zod';
import { multipart } from '../../http/multipart.ts';
import { idParam } from '../../http/paging.ts';
import { dataReply } from '../../http/reply.ts';
import { MAX_MEDIA_MB, MAX_SURVEY_MEDIA } from '../../services/surveys/survey-media.ts';
import { defineRoute } from '../define-route.ts';
import { onSurvey, surveyQuery } from '../guards.ts';

/** The largest file plus the other parts of the form. */
const MAX_BODY_BYTES = MAX_MEDIA_MB * 1024 * 1024 + 100_000;

const surveyMediaSchema = z
  .strictObject({
    media_url: z.string().describe('Address of the file on this server, for `media_url` or `media_captions`'),
    kind: z.enum(['audio', 'video', 'captions']),
    size_bytes: z.int(),
  })
  .meta({
    id: 'SurveyMedia',
    examples: [
      { media_url: '/media/q3Vb8sYt1KxZ0mNw5RcE7uJh2LfD9gPa.mp4', kind: 'video', size_bytes: 1_482_004 },
    ],
  });

export const surveyMediaRoute = defineRoute({
  method: 'post',
  path: '/api/surveys/:surveyId/media',
  operationId: 'addSurveyMedia',
  summary: 'Upload sound or video',
  description:
    'Stores sound, a video or captions for a question. Send multipart/form-data with the file in `media`: MP3, M4A, OGG, MP4, WebM or WebVTT ' +
    `(detected from the content), at most ${MAX_MEDIA_MB} MB, captions at most 1 MB; at most ${MAX_SURVEY_MEDIA} files per survey. The file is stored as it is, with its metadata. ` +
    'It counts for the storage of the organization.\n\n' +
    'Then set `media_url` of the reply as `question_settings.media_url`, or as a language of `question_settings.media_captions`. Anyone with the address can open the ' +
    'file, without an account; the address cannot be guessed and its content never changes. It answers range requests, so that players ' +
    'can seek. A file is deleted a day after the last survey stopped referring to it, in its draft and in all published versions.',
  access: onSurvey('edit'),
  params: z.strictObject({ surveyId: idParam }),
  query: surveyQuery,
  body: multipart('media', z.strictObject({}), { fileName: 'spot.mp4', fields: {} }),
  maxBodyBytes: MAX_BODY_BYTES,
  needsFreeDisk: 'files',
  reply: dataReply(surveyMediaSchema),
  status: 201,
  errors: {
    409: `\`too_many_media\`: the survey already has ${MAX_SURVEY_MEDIA} uploaded files`,
    413: `The file is larger than ${MAX_MEDIA_MB} MB, or captions than 1 MB`,
    507: '`upload_storage_full`: the file storage of the organization is full',
  },
  async handler({ services, scope, body }) {
    const media = await services.surveyMedia.add(scope, body.chunks);
    return { media_url: media.address, kind: media.kind, size_bytes: media.sizeBytes };
  },
});

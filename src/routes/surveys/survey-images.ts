import { z } from 'zod';
import { multipart } from '../../http/multipart.ts';
import { idParam } from '../../http/paging.ts';
import { dataReply } from '../../http/reply.ts';
import { MAX_SURVEY_IMAGE_BYTES, MAX_SURVEY_IMAGES } from '../../services/surveys/survey-images.ts';
import { defineRoute } from '../define-route.ts';
import { onSurvey, surveyQuery } from '../guards.ts';

/** The largest image plus the other parts of the form. */
const MAX_BODY_BYTES = MAX_SURVEY_IMAGE_BYTES + 100_000;

const surveyImageSchema = z
  .strictObject({
    image_url: z
      .string()
      .describe('Address of the image on this server, for `image_url` of a question or `option_image`'),
    content_type: z.enum(['image/png', 'image/jpeg', 'image/gif', 'image/webp']),
    size_bytes: z.int().describe('Size of the stored image'),
  })
  .meta({
    id: 'SurveyImage',
    examples: [
      {
        image_url: '/images/q3Vb8sYt1KxZ0mNw5RcE7uJh2LfD9gPa',
        content_type: 'image/png',
        size_bytes: 18_204,
      },
    ],
  });

export const surveyImageRoute = defineRoute({
  method: 'post',
  path: '/api/surveys/:surveyId/images',
  operationId: 'addSurveyImage',
  summary: 'Upload an image for a question',
  description:
    'Stores an image for a question or an option. Send multipart/form-data with the file in `image`: PNG, JPEG, GIF or WebP (detected from ' +
    `the content), at most 2 MB; at most ${MAX_SURVEY_IMAGES} images per survey. JPEG, PNG and GIF are stored without metadata such as location and camera. A GIF has at most 500 frames.\n\n` +
    'Then set `image_url` of the reply as `question_settings.image_url` or `option_image`. Anyone with the address can open the image, ' +
    'without an account; the address cannot be guessed and its content never changes. Copies of the survey on the same server show the ' +
    'image too. An image is deleted a day after the last survey stopped referring to it, in its draft and in all published versions.',
  access: onSurvey('edit'),
  params: z.strictObject({ surveyId: idParam }),
  query: surveyQuery,
  body: multipart('image', z.strictObject({}), { fileName: 'cup.png', fields: {} }),
  maxBodyBytes: MAX_BODY_BYTES,
  needsFreeDisk: 'files',
  reply: dataReply(surveyImageSchema),
  status: 201,
  errors: {
    409: `\`too_many_images\`: the survey already has ${MAX_SURVEY_IMAGES} uploaded images`,
    413: 'The file is larger than 2 MB',
  },
  async handler({ services, scope, body }) {
    const image = await services.surveyImages.add(scope, body.chunks);
    return { image_url: image.address, content_type: image.contentType, size_bytes: image.sizeBytes };
  },
});

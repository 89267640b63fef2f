import { Readable } from 'node:stream';
import { z } from 'zod';
import { idParam } from '../../http/paging.ts';
import { multipart } from '../../http/multipart.ts';
import { dataReply, emptyReply, fileReply, listReply, withReply } from '../../http/reply.ts';
import type { ReportImageRow } from '../../repositories/reports.ts';
import { MAX_IMAGE_BYTES } from '../../services/reports/reports.ts';
import { onReport, reportQuery } from '../guards.ts';
import { defineRoute } from '../define-route.ts';
import { ofReport } from './report-schemas.ts';

/** The largest image plus the other parts of the form. */
const MAX_BODY_BYTES = MAX_IMAGE_BYTES + 100_000;
const CONTENT_TYPES = ['image/png', 'image/jpeg'] as const;

const ofImage = ofReport.extend({ imageId: idParam });

const imageSchema = z
  .strictObject({
    image_id: z.int(),
    content_type: z.enum(CONTENT_TYPES),
    width: z.int().describe('Pixels'),
    height: z.int(),
    size_bytes: z.int(),
    created_at: z.iso.datetime(),
  })
  .meta({ id: 'ReportImage' });

const presentImage = (row: ReportImageRow): z.input<typeof imageSchema> => ({
  image_id: row.image_id,
  content_type: row.content_type,
  width: row.width,
  height: row.height,
  size_bytes: row.size_bytes,
  created_at: row.created_at.toISOString(),
});

export const imageRoutes = [
  defineRoute({
    method: 'get',
    path: '/api/reports/:reportId/images',
    operationId: 'listReportImages',
    summary: 'List images of a report',
    description: 'Returns images in upload order.',
    access: onReport('view'),
    params: ofReport,
    query: reportQuery,
    reply: listReply(imageSchema),
    async handler({ services, scope }) {
      const items = (await services.reportImages.list(scope)).map(presentImage);
      return { items, limit: items.length, total: items.length, nextCursor: null };
    },
  }),
  defineRoute({
    method: 'post',
    path: '/api/reports/:reportId/images',
    operationId: 'addReportImage',
    summary: 'Upload an image',
    description:
      'Send multipart/form-data with the file in `image`: PNG, JPEG or WebP (detected from the content), at most 10 MB and 24 ' +
      'megapixels. The image is rotated upright, scaled to at most 2,400 pixels per side and re-encoded, which removes all ' +
      'metadata such as location and camera. Slides refer to it by `image_id`, report settings by `logo_image_id`.',
    access: onReport('edit'),
    params: ofReport,
    query: reportQuery,
    body: multipart('image', z.strictObject({})),
    maxBodyBytes: MAX_BODY_BYTES,
    reply: dataReply(imageSchema),
    status: 201,
    errors: {
      409: 'The report already has 100 images, or 50 MB of images',
      413: 'The file is larger than 10 MB',
    },
    handler: async ({ services, scope, body }) =>
      presentImage(await services.reportImages.add(scope, body.chunks)),
  }),
  defineRoute({
    method: 'get',
    path: '/api/reports/:reportId/images/:imageId',
    operationId: 'getReportImage',
    summary: 'Get an image',
    description: 'Returns the processed image as PNG or JPEG. It never changes, so it can be cached.',
    access: onReport('view'),
    params: ofImage,
    query: reportQuery,
    reply: fileReply(...CONTENT_TYPES),
    async handler({ services, scope, params }) {
      const image = await services.reportImages.get(scope, params.imageId);
      const headers = {
        'Cache-Control': 'private, max-age=86400',
        'Content-Security-Policy': "sandbox; default-src 'none'",
        'Content-Length': String(image.picture.length),
      };
      const extension = image.content_type === 'image/png' ? 'png' : 'jpg';
      const reply = {
        contentType: image.content_type,
        filename: `image-${image.image_id}.${extension}`,
        inline: true,
        chunks: Readable.from([image.picture]),
      };
      return withReply(reply, { headers });
    },
  }),
  defineRoute({
    method: 'delete',
    path: '/api/reports/:reportId/images/:imageId',
    operationId: 'deleteReportImage',
    summary: 'Delete an image',
    description: 'Deletes an image that is neither on a slide nor the logo.',
    access: onReport('edit'),
    params: ofImage,
    query: reportQuery,
    reply: emptyReply,
    errors: { 409: '`image_in_use`: a slide or the logo uses the image' },
    handler: ({ services, scope, params }) => services.reportImages.delete(scope, params.imageId),
  }),
];

import { Readable } from 'node:stream';
import { z } from 'zod';
import { multipart } from '../../http/multipart.ts';
import { withDocumentedSchema } from '../../http/openapi.ts';
import { idNumber, idParam } from '../../http/paging.ts';
import { dataReply, emptyReply, fileReply, listReply, withReply } from '../../http/reply.ts';
import { contradictingFields } from '../../lib/error-messages.ts';
import { jsonObject } from '../../lib/json-value.ts';
import type { ReportImageRow } from '../../repositories/reports.ts';
import { MAX_IMAGE_BYTES } from '../../services/reports/reports.ts';
import { defineRoute } from '../define-route.ts';
import { onReport, readOnly, reportQuery } from '../guards.ts';
import {
  anySlideContent,
  ofReport,
  ofSlide,
  presentReportWithSlides,
  presentSlide,
  reportWithSlidesSchema,
  slideSchema,
  slideType,
  slideUnion,
} from './reports.ts';

const MAX_BODY_BYTES = 2_000_000;

const title = z.string().trim().max(500).nullish();
const content = withDocumentedSchema(jsonObject, anySlideContent);
const slidePosition = z.int().positive().max(10_000);
const positionFields = {
  position: slidePosition.optional().describe('Position in the report, from 1; later slides move back'),
  slide_order: slidePosition.optional().describe('Alias of `position`, with the name of the reply field'),
};

const CONTENT =
  'The fields of `slide_content` depend on `slide_type`; unknown fields are rejected.\n\n' +
  '- title, section: `{subtitle?}`\n' +
  '- text: `{text}` in Markdown\n' +
  '- chart: `{charts, text?}` with one or two of `{chart_id}` (a dashboard chart, which the slide follows) or `{chart_type, chart_config}`; a ' +
  'single chart can be given without the list and without `chart_config`\n' +
  '- key-figures: `{figures: […], text?}` with elements of type variable or kpi\n' +
  '- table: `{survey_id, rows, columns?, nets?, show?, letters?, base?, weight_column?, filter?, include_test?, quality?}`, as for a crosstab\n' +
  '- image: `{image_id, alt?, caption?}` of an uploaded image\n' +
  '- appendix: `{survey_ids?, parts?}`, generated method description\n\n' +
  'Every slide can have speaker `notes`, every chart a `title`. Data are computed at export, with the permissions of the exporting user.';

function placeOf(input: { position?: number | undefined; slide_order?: number | undefined }) {
  const { position, slide_order: order } = input;
  if (position !== undefined && order !== undefined && position !== order)
    throw contradictingFields('position', position, `slide_order is ${order}`);
  return position ?? order;
}

/** The default type: text with content, title without. */
const typeWithout = (body: { slide_content?: Record<string, unknown> | undefined }) =>
  body.slide_content === undefined ? 'title' : 'text';

export const slideRoutes = [
  defineRoute({
    method: 'post',
    path: '/api/reports/:reportId/slides',
    operationId: 'createReportSlide',
    summary: 'Create a slide',
    description: 'Adds the slide at the end, or at `position`.\n\n' + `${CONTENT}`,
    access: onReport('edit'),
    params: ofReport,
    query: reportQuery,
    body: withDocumentedSchema(
      z.strictObject({
        slide_type: slideType.optional().describe('Default: text, or title without content'),
        slide_title: title,
        slide_content: content.optional(),
        ...positionFields,
      }),
      slideUnion('NewReportSlide', { slide_title: title, ...positionFields }),
    ),
    examples: {
      title: {
        slide_type: 'title',
        slide_title: 'Coffee at work 2026',
        slide_content: { subtitle: 'Results of the yearly study' },
      },
      text: {
        slide_type: 'text',
        slide_title: 'Summary',
        slide_content: { text: '- Most are satisfied\n- Taste matters most' },
      },
      chart: {
        slide_type: 'chart',
        slide_title: 'Satisfaction',
        slide_content: {
          charts: [
            { chart_type: 'bar', chart_config: { survey_id: 1, dimension: 'Q4', aggregation: 'percent' } },
          ],
        },
      },
      table: {
        slide_type: 'table',
        slide_title: 'Satisfaction by gender',
        slide_content: { survey_id: 1, rows: ['Q4'], columns: ['Q1'] },
      },
      appendix: {
        slide_type: 'appendix',
        slide_title: 'Method',
        slide_content: { survey_ids: [1], parts: ['sample', 'field'] },
      },
    },
    maxBodyBytes: MAX_BODY_BYTES,
    reply: dataReply(slideSchema),
    status: 201,
    errors: {
      409: 'The report already has 500 slides',
      422: 'The columns cannot be shown with this chart type',
    },
    handler: async ({ services, caller, scope, body }) =>
      presentSlide(
        await services.reportSlides.create(caller, scope, {
          type: body.slide_type ?? typeWithout(body),
          title: body.slide_title || null,
          content: body.slide_content ?? {},
          position: placeOf(body) ?? null,
        }),
      ),
  }),
  defineRoute({
    method: 'put',
    path: '/api/reports/:reportId/slides/reorder',
    operationId: 'reorderReportSlides',
    summary: 'Reorder slides',
    description: 'Requires the ids of all slides.',
    access: onReport('edit'),
    params: ofReport,
    query: reportQuery,
    body: z.strictObject({ slide_ids: z.array(idNumber).max(1_000) }),
    example: {
      slide_ids: [1, 3, 2, 4, 5],
    },
    reply: dataReply(reportWithSlidesSchema),
    async handler({ services, scope, body }) {
      await services.reportSlides.reorder(scope, body.slide_ids);
      return presentReportWithSlides(services, scope);
    },
  }),
  defineRoute({
    method: 'put',
    path: '/api/reports/:reportId/slides/:slideId',
    operationId: 'updateReportSlide',
    summary: 'Update a slide',
    description:
      'Omitted fields keep their values. `slide_content` is replaced as a whole and required with another `slide_type`.\n\n' +
      `${CONTENT}`,
    access: onReport('edit'),
    params: ofSlide,
    query: reportQuery,
    body: z.strictObject({
      slide_type: slideType.optional(),
      slide_title: title,
      slide_content: content.optional(),
      ...positionFields,
      slide_id: readOnly,
    }),
    example: {
      slide_title: 'How satisfied are they?',
      position: 2,
    },
    maxBodyBytes: MAX_BODY_BYTES,
    reply: dataReply(slideSchema),
    errors: { 422: 'The columns cannot be shown with this chart type' },
    handler: async ({ services, caller, scope, params, body }) =>
      presentSlide(
        await services.reportSlides.update({
          by: caller,
          scope,
          slideId: params.slideId,
          changes: {
            type: body.slide_type,
            title: body.slide_title === '' ? null : body.slide_title,
            content: body.slide_content,
            position: placeOf(body),
          },
        }),
      ),
  }),
  defineRoute({
    method: 'delete',
    path: '/api/reports/:reportId/slides/:slideId',
    operationId: 'deleteReportSlide',
    summary: 'Delete a slide',
    description: 'Deletes the slide.',
    access: onReport('edit'),
    params: ofSlide,
    query: reportQuery,
    reply: emptyReply,
    handler: ({ services, scope, params }) => services.reportSlides.delete(scope, params.slideId),
  }),
  defineRoute({
    method: 'post',
    path: '/api/reports/:reportId/slides/:slideId/duplicate',
    operationId: 'duplicateReportSlide',
    summary: 'Duplicate a slide',
    description: 'Inserts the copy after the slide.',
    access: onReport('edit'),
    params: ofSlide,
    query: reportQuery,
    body: z.strictObject({}),
    reply: dataReply(slideSchema),
    status: 201,
    errors: { 409: 'The report already has 500 slides' },
    handler: async ({ services, scope, params }) =>
      presentSlide(await services.reportSlides.duplicate(scope, params.slideId)),
  }),
];

/** The largest image plus the other parts of the form. */
const MAX_IMAGE_BODY_BYTES = MAX_IMAGE_BYTES + 100_000;
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
  .meta({
    id: 'ReportImage',
    examples: [
      {
        image_id: 1,
        content_type: 'image/png',
        width: 1600,
        height: 900,
        size_bytes: 182044,
        created_at: '2026-10-06T08:05:00.000Z',
      },
    ],
  });

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
    body: multipart('image', z.strictObject({}), { fileName: 'office.png', fields: {} }),
    maxBodyBytes: MAX_IMAGE_BODY_BYTES,
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

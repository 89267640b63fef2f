import { z } from 'zod';
import { dataReply } from '../../http/reply.ts';
import { MAX_PREVIEW_SLIDES } from '../../services/reports/report-preview.ts';
import { defineRoute } from '../define-route.ts';
import { onReport, reportQuery } from '../guards.ts';
import { ofReport } from './reports.ts';

const text = z.string().nullable();
const source = z.array(z.string()).describe('Question, base, filter and weight');
const problem = text.describe('Why there is no content');

const tableSchema = z
  .strictObject({
    corner: z.string(),
    columns: z.array(z.strictObject({ label: z.string(), letter: text, heading: z.string().optional() })),
    rows: z.array(
      z.strictObject({
        label: z.string(),
        kind: z.enum(['heading', 'category', 'net', 'mean', 'base']),
        cells: z.array(z.strictObject({ text: z.string(), letters: z.string() })),
      }),
    ),
    source,
  })
  .meta({ id: 'SlideTable' });

const slideSchema = z
  .strictObject({
    slide_type: z.enum(['title', 'section', 'text', 'chart', 'table', 'image', 'key-figures', 'method']),
    title: text,
    part: z
      .strictObject({ number: z.int(), total: z.int() })
      .nullable()
      .describe('Part of content split over several slides'),
    notes: z.string().describe('Speaker notes'),
    subtitle: text,
    text_html: text.describe('Text as HTML without scripts, styles and images'),
    charts: z.array(
      z.strictObject({
        title: text,
        svg: text.describe('SVG without scripts and styles'),
        value: text.describe('A single number'),
        table: tableSchema.nullable(),
        problem,
        alt: z.string(),
        source,
      }),
    ),
    figures: z.array(z.strictObject({ label: z.string(), value: text, problem, change: text, source })),
    table: tableSchema.nullable(),
    image: z.strictObject({ url: z.string(), alt: z.string(), caption: text }).nullable(),
    problem,
    methods: z.array(
      z.strictObject({
        heading: z.string(),
        facts: z.array(z.tuple([z.string(), z.string()])).describe('Names and values'),
        paragraphs: z.array(z.string()),
        table: tableSchema.nullable(),
      }),
    ),
  })
  .meta({ id: 'PreviewSlide' });

const EXAMPLE = {
  shown_slides: 1,
  slides: [
    {
      slide_type: 'text' as const,
      title: 'Summary',
      part: null,
      notes: '',
      subtitle: null,
      text_html: '<ul>\n<li>Most are satisfied</li>\n</ul>\n',
      charts: [],
      figures: [],
      table: null,
      image: null,
      problem: null,
      methods: [],
    },
  ],
};

export const previewRoute = defineRoute({
  method: 'get',
  path: '/api/reports/:reportId/preview',
  operationId: 'previewReport',
  summary: 'Preview the slides of a report',
  description:
    `Returns the first ${MAX_PREVIEW_SLIDES} slides as the files of the report have them, for the screen; long tables and texts are several slides. ` +
    'Data are computed now, with the permissions of the caller; content that cannot be computed has a `problem`. What a type of slide does ' +
    'not have is null or empty.',
  access: onReport('view'),
  params: ofReport,
  query: reportQuery,
  reply: dataReply(
    z
      .strictObject({
        slides: z.array(slideSchema),
        shown_slides: z.int().describe('How many of the stored slides are shown'),
      })
      .meta({ id: 'ReportPreview', examples: [EXAMPLE] }),
  ),
  handler: ({ services, caller, scope, request }) =>
    services.reportPreviews.render(caller, scope, request.signal),
});

import { z } from 'zod';
import { LINK_TYPES } from '../../domain/survey/status.ts';
import {
  type Option,
  type Page,
  type Question,
  respondentDefinition,
  type SurveyDefinition,
} from '../../domain/survey/definition.ts';
import { pageLogicSchema } from '../../domain/questions/logic-schema.ts';
import {
  respondentSettings,
  respondentSettingsSchema,
  respondentTitle,
} from '../../domain/survey/survey-settings.ts';
import {
  publicLinkType,
  type ResolvedLink,
  respondentFactsFor,
} from '../../services/collection/link-resolver.ts';
import { arrangementSchema, loopSettings } from '../../domain/survey/block-input.ts';
import { expandPageTranslations } from '../../domain/survey/loops.ts';
import { blockSchema, presentBlockFields } from '../block-schemas.ts';
import { questionUnion } from '../question-schemas.ts';
import { anyone } from '../../http/access.ts';
import { multipart } from '../../http/multipart.ts';
import { dataReply, emptyReply, listReply, withReply } from '../../http/reply.ts';
import type { FileRow } from '../../repositories/response-files.ts';
import { defineRoute } from '../define-route.ts';

const optionSchema = z.strictObject({
  option_code: z.int(),
  option_value: z.string(),
  option_label: z.string(),
  option_image: z.string().nullable(),
  option_exclusive: z.boolean(),
  option_other: z.boolean(),
  option_anchor: z.boolean(),
});

const questionSchema = questionUnion(
  'RespondentQuestion',
  {
    question_id: z.int(),
    question_code: z.string(),
    question_text: z.string(),
    question_required: z.boolean(),
    options: z.array(optionSchema),
    question_cell: z
      .strictObject({ table_id: z.int(), column_code: z.string(), row_code: z.string() })
      .optional()
      .describe(
        'Of a cell of a side-by-side table: the `question_id` of the table, which comes before it, and its place',
      ),
  },
  { forRespondents: true },
);

/** A survey as respondents see it, without settings that concern only its authors. */
export const respondentSurveySchema = z
  .strictObject({
    survey_name: z.string().describe('The title for respondents: `title` of the settings, else the name'),
    survey_description: z.string().nullable(),
    survey_version: z.int(),
    link_type: z.enum(LINK_TYPES),
    respondent: z
      .strictObject({
        name: z.string().nullable(),
        attributes: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])),
      })
      .nullable()
      .describe('Data of the invited respondent that conditions and texts use; null in an anonymous survey'),
    is_preview: z.boolean().describe('The survey is a preview of the draft; answers are not counted'),
    survey_settings: respondentSettingsSchema,
    pages: z.array(
      z.strictObject({
        page_id: z.int(),
        page_title: z.string().nullable(),
        page_description: z.string().nullable(),
        page_logic: pageLogicSchema.nullable(),
        block_id: z.int().nullable(),
        shown_to_arm: z.string().nullable(),
        page_arrangement: arrangementSchema.nullable(),
        questions: z.array(questionSchema),
      }),
    ),
    blocks: z.array(
      blockSchema
        .omit({ block_title: true, block_loop: true, page_ids: true, retired: true, etag: true })
        .extend({
          repeats: loopSettings
            .pick({ max_items: true, order: true })
            .meta({ id: 'RespondentLoop' })
            .nullable()
            .describe('Of a loop: how many of the blocks within it are shown at most, one for each item'),
        }),
    ),
    survey_arrangement: arrangementSchema.nullable(),
    previous_questions: z
      .array(questionSchema)
      .describe(
        'The questions of an earlier survey to whose answers conditions and texts refer, without their texts, with codes such as `previous.Q3`',
      ),
  })
  .meta({ id: 'RespondentSurvey' });

type RespondentSurvey = z.input<typeof respondentSurveySchema>;

export function presentSurvey(definition: SurveyDefinition, link: ResolvedLink): RespondentSurvey {
  const shown = respondentDefinition(definition);
  return {
    survey_name: respondentTitle(definition.name, link.settings),
    survey_description: definition.description,
    survey_version: definition.version,
    link_type: publicLinkType(link),
    respondent: respondentFactsFor(link, definition),
    is_preview: link.isPreview,
    survey_settings: respondentSettings({
      ...link.settings,
      translations: expandPageTranslations(link.settings.translations, definition),
    }),
    pages: shown.pages.map(presentPage),
    blocks: shown.blocks.map((block) => ({
      ...presentBlockFields(block),
      repeats:
        block.repeats === undefined ? null : { max_items: block.repeats.max, order: block.repeats.order },
    })),
    survey_arrangement: shown.arrangement,
    previous_questions: (shown.previous?.questions ?? []).map(presentAskedQuestion),
  };
}

function presentPage(page: Page): RespondentSurvey['pages'][number] {
  return {
    page_id: page.id,
    page_title: page.title,
    page_description: page.description,
    page_logic: page.logic,
    block_id: page.blockId,
    shown_to_arm: page.arm,
    page_arrangement: page.arrangement,
    questions: page.questions.map(presentQuestion),
  };
}

/** Of a hidden question only the code and type are sent. */
type RespondentQuestion = z.input<typeof questionSchema>;

function presentQuestion(question: Question): RespondentQuestion {
  if (question.settings.hidden) {
    return {
      question_id: question.id,
      question_code: question.code,
      question_type: question.type,
      question_text: '',
      question_required: false,
      question_settings: { hidden: true },
      options: [],
    } as unknown as RespondentQuestion;
  }
  return presentAskedQuestion(question);
}

function presentAskedQuestion(question: Question): RespondentQuestion {
  return {
    question_id: question.id,
    question_code: question.code,
    question_type: question.type,
    question_text: question.text,
    question_required: question.required,
    question_settings: question.settings,
    options: question.options.map(presentOption),
    ...(question.cell && {
      question_cell: {
        table_id: question.cell.tableId,
        column_code: question.cell.columnCode,
        row_code: question.cell.rowCode,
      },
    }),
    // The compiler cannot relate the settings to the question type here.
  } as RespondentQuestion;
}

function presentOption(option: Option): z.input<typeof optionSchema> {
  return {
    option_code: option.code,
    option_value: option.value,
    option_label: option.label,
    option_image: option.image,
    option_exclusive: option.exclusive,
    option_other: option.other,
    option_anchor: option.anchor,
  };
}

const token = z.string().regex(/^[A-Za-z0-9_-]{8,64}$/, 'is not a link token');

export const linkParams = z.strictObject({ token });

export const responseParams = z.strictObject({
  token,
  responseToken: z.string().regex(/^[A-Za-z0-9]{16,64}$/, 'is not a response token'),
});

/** The largest max_size_mb of a question plus the other parts of the form. */
const MAX_BODY_BYTES = 101 * 1024 * 1024;

const fileSchema = z
  .strictObject({
    file_id: z.uuid(),
    question_code: z.string(),
    file_name: z.string().describe('The original name, sanitized'),
    content_type: z.string().describe('Detected from the content'),
    size_bytes: z.int(),
  })
  .meta({ id: 'UploadedFile' });

const presentFile = (file: FileRow): z.input<typeof fileSchema> => ({
  file_id: file.file_id,
  question_code: file.question_code,
  file_name: file.original_name,
  content_type: file.content_type,
  size_bytes: file.size_bytes,
});

const CLOSED = 'The survey is closed, or the response has already ended';

/** Files of a response in progress; its token allows adding and removing them until it is submitted. */
export const respondentFileRoutes = [
  defineRoute({
    method: 'post',
    path: '/api/public/s/:token/responses/:responseToken/files',
    operationId: 'uploadResponseFile',
    summary: 'Upload a file',
    description:
      'Send multipart/form-data with `question_code` before `file`.\n\n' +
      '- The type is detected from the content and has to match the file extension. Size, number and types are limited by the ' +
      'question (`max_size_mb`, `max_files`, `allowed_extensions`; by default pictures, audio, video and office documents). ' +
      'Text formats such as csv require `allowed_extensions` and UTF-8. HTML, SVG and executables are never allowed.\n' +
      '- Use the list of `file_id`s as the answer to the question. Uploading the same file again returns the stored one (200).\n' +
      '- Limits: megabytes per survey and day (UTC; 429 `upload_limit_reached`) and storage per organization (507).\n' +
      '- A file that no saved answer refers to is deleted after a day.',
    access: anyone,
    rateLimit: 'upload',
    needsFreeDisk: 'files',
    params: responseParams,
    body: multipart('file', z.strictObject({ question_code: z.string().min(1).max(100) }), {
      fileName: 'coffee-machine.jpg',
      fields: { question_code: 'Q12' },
    }),
    maxBodyBytes: MAX_BODY_BYTES,
    reply: dataReply(fileSchema),
    status: 201,
    alternateStatuses: { 200: 'The same file was already uploaded' },
    errors: {
      409: `${CLOSED}, or the question already has the maximum number of files`,
      413: 'The file is larger than the question allows',
      503: '`file_storage_unavailable`: files cannot be stored at the moment',
      507: '`upload_storage_full`: the file storage of the organization is full',
    },
    async handler({ services, params, body }) {
      const { file, created } = await services.fileUploads.upload(params.token, params.responseToken, {
        questionCode: body.fields.question_code,
        fileName: body.fileName,
        chunks: body.chunks,
      });
      return withReply(presentFile(file), { status: created ? 201 : 200 });
    },
  }),
  defineRoute({
    method: 'get',
    path: '/api/public/s/:token/responses/:responseToken/files',
    operationId: 'listUploadedFiles',
    summary: 'List uploaded files',
    description: 'Returns the files uploaded for the response, for example to resume on another device.',
    access: anyone,
    rateLimit: 'public',
    params: responseParams,
    reply: listReply(fileSchema),
    errors: { 409: CLOSED },
    async handler({ services, params }) {
      const files = await services.fileUploads.list(params.token, params.responseToken);
      return { items: files.map(presentFile), limit: files.length, total: files.length, nextCursor: null };
    },
  }),
  defineRoute({
    method: 'delete',
    path: '/api/public/s/:token/responses/:responseToken/files/:fileId',
    operationId: 'removeUploadedFile',
    summary: 'Delete an uploaded file',
    description: 'Deletes the file and removes it from the saved answer.',
    access: anyone,
    rateLimit: 'public',
    params: responseParams.extend({ fileId: z.uuid() }),
    reply: emptyReply,
    errors: { 409: CLOSED },
    async handler({ services, params }) {
      await services.fileUploads.remove(params.token, params.responseToken, params.fileId.toLowerCase());
    },
  }),
];

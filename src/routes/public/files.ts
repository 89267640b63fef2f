import { z } from 'zod';
import { anyone } from '../../http/access.ts';
import { multipart } from '../../http/multipart.ts';
import { data, empty, list, withReply } from '../../http/reply.ts';
import type { FileRow } from '../../repositories/response-files.ts';
import { defineRoute } from '../define-route.ts';
import { responseParams } from './respondent-params.ts';

/** The largest max_size_mb of a question, and what is around the file. */
const MAX_BODY_BYTES = 101 * 1024 * 1024;

const fileSchema = z
  .strictObject({
    file_id: z.uuid(),
    question_code: z.string(),
    file_name: z.string().describe('As it was sent, made harmless'),
    content_type: z.string().describe('By its content, whatever the client said'),
    size_bytes: z.int(),
  })
  .meta({ id: 'UploadedFile' });

const present = (file: FileRow): z.input<typeof fileSchema> => ({
  file_id: file.file_id,
  question_code: file.question_code,
  file_name: file.original_name,
  content_type: file.content_type,
  size_bytes: file.size_bytes,
});

const CLOSED = 'The survey is closed, or the response has already ended';

/** Files of a response that has begun: whoever has its token adds and removes them until it is handed in. */
export const respondentFileRoutes = [
  defineRoute({
    method: 'post',
    path: '/api/public/s/:token/responses/:responseToken/files',
    operationId: 'uploadResponseFile',
    summary: 'Upload a file',
    description:
      'multipart/form-data with `question_code` first and then `file`. What a file is, is judged by its content, and its extension has to ' +
      'agree; size, number and kinds are as the question says (`max_size_mb`, `max_files`, `allowed_extensions`; no kinds named: pictures, ' +
      'sound, film and office documents). Texts such as csv are taken where named, in UTF-8; HTML, SVG and programs never. ' +
      'The answer to the question is then the list of `file_id`s. The same file sent again is kept once (200 instead of 201). ' +
      'Limits: megabytes per survey and day (UTC; 429 `upload_limit_reached`) and per organization (507). ' +
      'A file that no saved answer names is removed after a day.',
    access: anyone,
    rateLimit: 'upload',
    needsFreeDisk: 'files',
    params: responseParams,
    body: multipart('file', z.strictObject({ question_code: z.string().min(1).max(100) })),
    maxBodyBytes: MAX_BODY_BYTES,
    reply: data(fileSchema),
    status: 201,
    alternateStatuses: { 200: 'It was here already' },
    errors: {
      409: `${CLOSED}, or the question has all the files it takes`,
      413: 'Larger than the question takes',
      503: 'Files cannot be stored at the moment (file_storage_unavailable)',
      507: 'The storage for files of the organization is full (upload_storage_full)',
    },
    async handler({ services, params, body }) {
      const { file, created } = await services.fileUploads.upload(params.token, params.responseToken, {
        questionCode: body.fields.question_code,
        fileName: body.fileName,
        chunks: body.chunks,
      });
      return withReply(present(file), { status: created ? 201 : 200 });
    },
  }),
  defineRoute({
    method: 'get',
    path: '/api/public/s/:token/responses/:responseToken/files',
    operationId: 'listUploadedFiles',
    summary: 'List uploaded files',
    description: 'For going on elsewhere, or after a reply was lost.',
    access: anyone,
    rateLimit: 'public',
    params: responseParams,
    reply: list(fileSchema),
    errors: { 409: CLOSED },
    async handler({ services, params }) {
      const files = await services.fileUploads.list(params.token, params.responseToken);
      return { items: files.map(present), limit: files.length, total: files.length, nextCursor: null };
    },
  }),
  defineRoute({
    method: 'delete',
    path: '/api/public/s/:token/responses/:responseToken/files/:fileId',
    operationId: 'removeUploadedFile',
    summary: 'Delete an uploaded file',
    description: 'The saved answer no longer names it either.',
    access: anyone,
    rateLimit: 'public',
    params: responseParams.extend({ fileId: z.uuid() }),
    reply: empty,
    errors: { 409: CLOSED },
    async handler({ services, params }) {
      await services.fileUploads.remove(params.token, params.responseToken, params.fileId.toLowerCase());
    },
  }),
];

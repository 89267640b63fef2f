import { z } from 'zod';
import { anyone } from '../../http/access.ts';
import { multipart } from '../../http/multipart.ts';
import { dataReply, emptyReply, listReply, withReply } from '../../http/reply.ts';
import type { FileRow } from '../../repositories/response-files.ts';
import { defineRoute } from '../define-route.ts';
import { responseParams } from './respondent-survey.ts';

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

const present = (file: FileRow): z.input<typeof fileSchema> => ({
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
    body: multipart('file', z.strictObject({ question_code: z.string().min(1).max(100) })),
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
      return withReply(present(file), { status: created ? 201 : 200 });
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
      return { items: files.map(present), limit: files.length, total: files.length, nextCursor: null };
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

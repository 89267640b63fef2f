import type { Request, Response } from 'express';
import multer, { type StorageEngine } from 'multer';
import type { Readable } from 'node:stream';
import type { z } from 'zod';
import { fileTooLarge, unknownField } from '../lib/error-messages.ts';
import { AppError, invalid, invalidFields, unsupportedMediaType } from '../lib/errors.ts';
import { checkText } from './parse-json.ts';
import { schemaWording } from '../lib/schema-problems.ts';
import { fromZodError } from './problem.ts';

const MAX_FIELDS = 20;
const MAX_FIELD_BYTES = 1_000;

/** Declares a body with one file and some fields. */
export class Multipart<Fields extends z.ZodObject> {
  constructor(
    readonly fileField: string,
    readonly fields: Fields,
    /** An upload for the API document. */
    readonly example: { fileName: string; fields: z.input<Fields> },
  ) {}
}

export function multipart<Fields extends z.ZodObject>(
  fileField: string,
  fields: Fields,
  example: { fileName: string; fields: z.input<Fields> },
): Multipart<Fields> {
  return new Multipart(fileField, fields, example);
}

/** Declares a body that is either one file with fields or JSON, depending on the Content-Type of the request. */
export class MultipartOrJson<Fields extends z.ZodObject, Json extends z.ZodObject> {
  constructor(
    readonly form: Multipart<Fields>,
    readonly json: Json,
  ) {}
}

export function multipartOrJson<Fields extends z.ZodObject, Json extends z.ZodObject>(
  form: Multipart<Fields>,
  json: Json,
): MultipartOrJson<Fields, Json> {
  return new MultipartOrJson(form, json);
}

export const isFormRequest = (request: Pick<Request, 'headers'>): boolean =>
  /^multipart\/form-data\s*;/i.test(request.headers['content-type'] ?? '');

/** A file that is being uploaded. Its fields precede it and are validated. */
export interface Upload<Fields> {
  fields: Fields;
  /** The name that the client sent. Untrusted. */
  fileName: string;
  /**
   * The bytes of the file, readable once, with a few chunks buffered at most. Ends after the whole body was received and validated;
   * otherwise throws, and the caller removes what it has stored.
   */
  chunks: AsyncIterable<Buffer>;
}

/** Limits of bodies have some space for the other parts of the form. */
const MEGABYTE = 1024 * 1024;

interface OpenUpload {
  upload: Upload<unknown>;
  /** Stops reading; the remaining body is ignored. */
  close: () => void;
}

/** Reads the body up to the beginning of the file. */
export function openUpload(
  request: Request,
  response: Response,
  { spec, maxBytes }: { spec: Multipart<z.ZodObject>; maxBytes: number },
): Promise<OpenUpload> {
  if (!isFormRequest(request)) {
    throw unsupportedMediaType(
      `Send the body as multipart/form-data, the file in the field ${spec.fileField}`,
    );
  }
  const bodyTooLarge = () => fileTooLarge(spec.fileField, Math.floor(maxBytes / MEGABYTE));
  if (Number(request.headers['content-length'] ?? 0) > maxBytes) throw bodyTooLarge();

  return new Promise((resolve, reject) => {
    let stream: Readable | null = null;
    let outcome: AppError | 'complete' | null = null;
    let signalComplete: () => void = () => undefined;
    const fail = (error: AppError) => {
      outcome ??= error;
      stream?.destroy(error);
      reject(error);
      signalComplete();
    };

    const storage: StorageEngine = {
      _handleFile(_request, file, done) {
        if (file.fieldname !== spec.fileField || stream !== null) {
          const message =
            stream === null
              ? `is not a file field; send the file as ${spec.fileField}`
              : 'only one file is allowed';
          fail(invalid(file.fieldname.slice(0, 60), message));
          return done(new Error('Refused'));
        }
        stream = file.stream;
        const fieldsBeforeFile = JSON.stringify(request.body);
        const bodyComplete = new Promise<void>((complete) => (signalComplete = complete));
        async function* chunks(): AsyncGenerator<Buffer> {
          try {
            for await (const chunk of file.stream) yield chunk as Buffer;
          } catch (error) {
            throw outcome instanceof AppError ? outcome : toBodyError(error);
          }
          done(null, {});
          if (outcome === null) await bodyComplete;
          if (outcome instanceof AppError) throw outcome;
          if (JSON.stringify(request.body) !== fieldsBeforeFile)
            throw invalid('', 'Send the fields before the file');
        }
        try {
          const fields = readFields(request.body, spec.fields);
          checkText(file.originalname, spec.fileField);
          const close = () => done(new Error('The upload is abandoned'));
          resolve({ upload: { fields, fileName: file.originalname, chunks: chunks() }, close });
        } catch (error) {
          done(new Error('Refused'));
          reject(error instanceof Error ? error : new Error(String(error)));
        }
      },
      _removeFile(_request, _file, done) {
        done(null);
      },
    };

    let received = 0;
    request.on('data', (chunk: Buffer) => {
      received += chunk.length;
      if (received > maxBytes) fail(bodyTooLarge());
    });
    const limits = { fields: MAX_FIELDS, fieldSize: MAX_FIELD_BYTES, fieldNestingDepth: 0, headerPairs: 20 };
    const parse = multer({ storage, limits, defParamCharset: 'utf8' }).any();
    parse(request, response, (error?: unknown) => {
      if (error !== undefined) return fail(toBodyError(error));
      outcome ??= 'complete';
      signalComplete();
      if (stream === null) reject(invalid(spec.fileField, 'is required: a file with a name'));
    });
  });
}

/** Converts errors of multer and of the connection. */
function toBodyError(error: unknown): AppError {
  if (error instanceof AppError) return error;
  if (error instanceof multer.MulterError) {
    return invalid(error.field?.slice(0, 60) ?? '', `${error.message.toLowerCase()}, in a multipart body`);
  }
  const message = error instanceof Error ? error.message : '';
  if (/aborted|closed|premature|end of form/i.test(message))
    return invalid('', 'The body ended before it was complete');
  return invalid('', `The body is not well-formed multipart/form-data: ${message.slice(0, 100)}`);
}

function readFields(body: unknown, schema: z.ZodObject): unknown {
  const given = Object.entries(body as Record<string, unknown>);
  for (const [name, value] of given) {
    if (!Object.hasOwn(schema.shape, name)) throw invalid(name.slice(0, 60), unknownField());
    if (typeof value === 'string') checkText(value, name);
  }
  const parsed = schema.safeParse(Object.fromEntries(given), { error: schemaWording });
  if (parsed.success) return parsed.data;
  const { details } = fromZodError(parsed.error);
  const beforeFile = ({ field, message }: { field: string; message: string }) =>
    message === 'is required'
      ? { field, message: 'is required, and must come before the file' }
      : { field, message };
  throw invalidFields(details.map(beforeFile));
}

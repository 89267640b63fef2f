import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll } from 'vitest';

export interface FakeS3 {
  readonly endpoint: string;
  /** By `/bucket/key`. */
  readonly objects: Map<string, Buffer>;
  /** Uploads in parts that were neither completed nor aborted. */
  readonly openUploads: Map<string, Map<number, Buffer>>;
  /** Answers 500 from now on. */
  broken: boolean;
}

const MIN_PART_BYTES = 5 * 1024 * 1024;

/** Call at the top of a test file: what of S3's wire format a store needs, on loopback, as strict as the real one. */
export function useFakeS3(credentials: { accessKeyId: string }): FakeS3 {
  const objects = new Map<string, Buffer>();
  const openUploads = new Map<string, Map<number, Buffer>>();
  const fake = { endpoint: '', objects, openUploads, broken: false };
  const server = createServer((request, response) => {
    void answer(request, response);
  });
  beforeAll(async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    fake.endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await bodyOf(request);
    const url = new URL(request.url ?? '/', 'http://s3');
    const problem = fake.broken
      ? { status: 500, code: 'InternalError' }
      : findRequestError(request, body, credentials.accessKeyId);
    if (problem !== null) return fail(response, problem.status, problem.code);
    const uploadId = url.searchParams.get('uploadId');
    const upload = uploadId === null ? undefined : openUploads.get(uploadId);
    if (uploadId !== null && upload === undefined) return fail(response, 404, 'NoSuchUpload');

    if (request.method === 'POST' && url.searchParams.has('uploads')) {
      const id = `upload-${openUploads.size + 1}`;
      openUploads.set(id, new Map());
      return xml(
        response,
        `<InitiateMultipartUploadResult><UploadId>${id}</UploadId></InitiateMultipartUploadResult>`,
      );
    }
    if (request.method === 'PUT' && upload !== undefined) {
      upload.set(Number(url.searchParams.get('partNumber')), body);
      response.writeHead(200, { ETag: etagOf(body) }).end();
      return;
    }
    if (request.method === 'POST' && upload !== undefined) {
      const named = [...body.toString().matchAll(/<Part>(.*?)<\/Part>/gs)].map(([, part]) => ({
        number: Number(/<PartNumber>(\d+)</.exec(part!)?.[1]),
        etag: /<ETag>(.*?)</.exec(part!)?.[1]?.replaceAll('&quot;', '"'),
      }));
      const parts = named.map(({ number }) => upload.get(number) ?? Buffer.alloc(0));
      const wrong = named.some(
        ({ number, etag }, index) => number !== index + 1 || etag !== etagOf(parts[index]!),
      );
      if (wrong || named.length === 0) return fail(response, 400, 'InvalidPart');
      if (parts.slice(0, -1).some((part) => part.length < MIN_PART_BYTES))
        return fail(response, 400, 'EntityTooSmall');
      openUploads.delete(uploadId!);
      objects.set(url.pathname, Buffer.concat(parts));
      return xml(
        response,
        '<CompleteMultipartUploadResult><ETag>"whole"</ETag></CompleteMultipartUploadResult>',
      );
    }
    if (request.method === 'PUT') {
      objects.set(url.pathname, body);
      response.writeHead(200, { ETag: etagOf(body) }).end();
      return;
    }
    if (request.method === 'DELETE') {
      if (uploadId === null) objects.delete(url.pathname);
      else openUploads.delete(uploadId);
      response.writeHead(204).end();
      return;
    }
    const found = objects.get(url.pathname);
    if (found === undefined) return fail(response, 404, 'NoSuchKey');
    const [, start, end] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '') ?? [];
    const part = start === undefined ? found : found.subarray(Number(start), Number(end) + 1);
    response
      .writeHead(start === undefined ? 200 : 206, { ETag: etagOf(found), 'Content-Length': part.length })
      .end(part);
  }

  return fake;
}

/** Checks for a version 4 signature, a correct body checksum and a length, as S3 requires. */
function findRequestError(request: IncomingMessage, body: Buffer, accessKeyId: string) {
  const { authorization = '', 'x-amz-content-sha256': checksum } = request.headers;
  if (!authorization.startsWith(`AWS4-HMAC-SHA256 Credential=${accessKeyId}/`))
    return { status: 403, code: 'InvalidAccessKeyId' };
  if (checksum !== 'UNSIGNED-PAYLOAD' && checksum !== createHash('sha256').update(body).digest('hex'))
    return { status: 400, code: 'XAmzContentSHA256Mismatch' };
  if (request.method === 'PUT' && request.headers['content-length'] === undefined)
    return { status: 411, code: 'MissingContentLength' };
  // Some S3-compatible stores do not support trailers.
  if (request.headers['x-amz-trailer'] !== undefined) return { status: 501, code: 'NotImplemented' };
  return null;
}

const etagOf = (body: Buffer): string => `"${createHash('md5').update(body).digest('hex')}"`;

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

function xml(response: ServerResponse, content: string, status = 200): void {
  response
    .writeHead(status, { 'Content-Type': 'application/xml' })
    .end(`<?xml version="1.0" encoding="UTF-8"?>${content}`);
}

function fail(response: ServerResponse, status: number, code: string): void {
  xml(response, `<Error><Code>${code}</Code><Message>${code}</Message></Error>`, status);
}

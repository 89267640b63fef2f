import { randomUUID } from 'node:crypto';
import { createServer, IncomingMessage, type Server, ServerResponse, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Express } from 'express';

/** Time for a rejected client to read the reply before the connection is closed. */
const REPLY_GRACE_MS = 2_000;

/** A request that Node could not parse. */
export interface RejectedRequest {
  request_id: string;
  status: number;
}

/**
 * The server of an Express application. Express sets the prototype of every request and response to its own, which costs V8 more
 * time than the rest of a small request and delays garbage collection. This server creates them with that prototype, so that setting it
 * has no effect. `onRejected` is called for requests that never reach the application.
 */
export function createExpressServer(
  app: Express,
  onRejected: (rejected: RejectedRequest) => void = () => undefined,
): Server {
  class Request extends IncomingMessage {}
  class Response extends ServerResponse {}
  Object.setPrototypeOf(Request.prototype, app.request);
  Object.setPrototypeOf(Response.prototype, app.response);
  app.request = Request.prototype as Express['request'];
  app.response = Response.prototype as Express['response'];
  const server = createServer({ IncomingMessage: Request, ServerResponse: Response }, app);
  // Node drops headers after the 2,000th, a second Host among them. Their size is bounded by --max-http-header-size.
  server.maxHeadersCount = 0;
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    const rejected = rejectMalformed(error, socket);
    if (rejected !== null) onRejected(rejected);
  });
  return server;
}

/** By the codes of Node's parser; anything else is malformed. */
const PARSER_ERRORS: ReadonlyMap<string, { status: number; code: string; message: string }> = new Map([
  [
    'HPE_HEADER_OVERFLOW',
    { status: 431, code: 'headers_too_large', message: 'The address and the headers are too long' },
  ],
  [
    'ERR_HTTP_REQUEST_TIMEOUT',
    { status: 408, code: 'request_timeout', message: 'The request was not received in time' },
  ],
]);
const MALFORMED = { status: 400, code: 'malformed_request', message: 'The request is not well-formed HTTP' };

/** Sends the error envelope instead of Node's empty reply. Returns null if the client has already disconnected. */
function rejectMalformed(error: NodeJS.ErrnoException, socket: Duplex): RejectedRequest | null {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return null;
  }
  const { status, code, message } = PARSER_ERRORS.get(error.code ?? '') ?? MALFORMED;
  const requestId = randomUUID();
  const body = JSON.stringify({ error: 1, message, code, details: [], request_id: requestId });
  socket.end(
    [
      `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
      'Content-Type: application/json; charset=utf-8',
      `Content-Length: ${Buffer.byteLength(body)}`,
      'Cache-Control: no-store',
      `X-Request-Id: ${requestId}`,
      'Connection: close',
      '',
      body,
    ].join('\r\n'),
  );
  // A client that keeps sending without reading would hold the connection open.
  const timer = setTimeout(() => socket.destroy(), REPLY_GRACE_MS);
  socket.once('close', () => clearTimeout(timer));
  return { request_id: requestId, status };
}

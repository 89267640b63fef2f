import type { Express } from 'express';
import { createServer, IncomingMessage, type Server, ServerResponse } from 'node:http';

/**
 * The server of an Express application. Express sets the prototype of every request and response to its own, which takes V8 longer
 * than all else that a small request needs and keeps what hangs on them alive for long. Here they are made with that prototype,
 * so that setting it changes nothing.
 */
export function createExpressServer(app: Express): Server {
  class Request extends IncomingMessage {}
  class Response extends ServerResponse {}
  Object.setPrototypeOf(Request.prototype, app.request);
  Object.setPrototypeOf(Response.prototype, app.response);
  app.request = Request.prototype as Express['request'];
  app.response = Response.prototype as Express['response'];
  return createServer({ IncomingMessage: Request, ServerResponse: Response }, app);
}

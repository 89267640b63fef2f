import type { RequestHandler } from 'express';
import helmet from 'helmet';
import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';

const policy = helmet({
  contentSecurityPolicy: {
    directives: {
      defaultSrc: ["'self'"],
      baseUri: ["'none'"],
      frameAncestors: ["'self'"],
      imgSrc: ["'self'", 'data:'],
      objectSrc: ["'none'"],
      scriptSrc: ["'self'"],
      styleSrc: ["'self'", "'unsafe-inline'"],
      // Plain http on a loopback address must keep working.
      upgradeInsecureRequests: null,
    },
  },
  crossOriginEmbedderPolicy: false,
});

/**
 * For every reply; pages that need more than their own scripts and styles widen the policy themselves. What helmet sets does not
 * depend on the request, so it is asked once.
 */
export function securityHeaders(): RequestHandler {
  const example = new ServerResponse(new IncomingMessage(new Socket()));
  policy(example.req, example, (error) => {
    if (error !== undefined) throw new Error('helmet failed', { cause: error });
  });
  const headers = example.getHeaderNames().map((name) => [name, String(example.getHeader(name))] as const);
  return (_request, response, next) => {
    for (const [name, value] of headers) response.setHeader(name, value);
    next();
  };
}

import { createRequire } from 'node:module';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import express, { type RequestHandler, Router } from 'express';

/**
 * Sends the API document, compressed if the client accepts gzip. `createDocument` runs at the first request, because it takes
 * longer than the rest of the start.
 */
export function sendApiDocument(createDocument: () => unknown): RequestHandler {
  let cached: { plain: Buffer; zipped: Buffer } | null = null;
  return (request, response) => {
    if (cached === null) {
      const plain = Buffer.from(JSON.stringify(createDocument()));
      cached = { plain, zipped: gzipSync(plain) };
    }
    response.type('application/json').setHeader('Vary', 'Accept-Encoding');
    if (request.acceptsEncodings('gzip') === false) {
      response.send(cached.plain);
      return;
    }
    response.setHeader('Content-Encoding', 'gzip').send(cached.zipped);
  };
}

/** Serves Swagger UI for the API document. All files come from this server, so the page works offline. */
export function createApiDocsRouter(): Router {
  const files = path.dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));
  const router = Router();
  router.get('/', (request, response) => {
    // The page refers to its files by relative URLs.
    if (!/^[^?]*\/(\?|$)/.test(request.originalUrl)) response.redirect(301, `${request.baseUrl}/`);
    else response.type('html').send(PAGE);
  });
  router.get('/docs.js', (_request, response) => {
    response.type('application/javascript').send(SCRIPT);
  });
  router.use(express.static(files, { index: false, maxAge: '1h' }));
  return router;
}

const PAGE = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Canvass API</title>
    <link rel="icon" type="image/png" href="favicon-32x32.png">
    <link rel="stylesheet" href="swagger-ui.css">
    <script src="swagger-ui-bundle.js" defer></script>
    <script src="docs.js" defer></script>
  </head>
  <body style="margin:0">
    <div id="swagger-ui"></div>
    <noscript>This page needs JavaScript. You can also open the <a href="/api/openapi.json">OpenAPI document</a>.</noscript>
  </body>
</html>
`;

const SCRIPT = `window.onload = () => {
  window.ui = SwaggerUIBundle({
    url: '/api/openapi.json',
    dom_id: '#swagger-ui',
    deepLinking: true,
    filter: true,
    docExpansion: 'list',
    validatorUrl: null,
    tryItOutEnabled: true,
    presets: [SwaggerUIBundle.presets.apis],
    layout: 'BaseLayout',
  });
};
`;

import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import express, { type RequestHandler, Router } from 'express';

/** Sends the API document. `createDocument` runs at the first request, because it takes longer than the rest of the start. */
export const sendApiDocument = (createDocument: () => unknown): RequestHandler =>
  sendCompressed('application/json', () => Promise.resolve(Buffer.from(JSON.stringify(createDocument()))));

/** Sends a body that never changes, compressed once, if the client accepts gzip. `read` runs at the first request. */
function sendCompressed(type: string, read: () => Promise<Buffer>): RequestHandler {
  let cached: Promise<{ plain: Buffer; zipped: Buffer }> | null = null;
  const readAndCompress = async () => {
    const plain = await read();
    return { plain, zipped: await promisify(gzip)(plain) };
  };
  return async (request, response) => {
    cached ??= readAndCompress();
    const { plain, zipped } = await cached.catch((error: unknown) => {
      // The next request tries again.
      cached = null;
      throw error;
    });
    response.type(type).setHeader('Vary', 'Accept-Encoding');
    if (request.acceptsEncodings('gzip') === false) {
      response.send(plain);
      return;
    }
    response.setHeader('Content-Encoding', 'gzip').send(zipped);
  };
}

const MAX_AGE_SECONDS = 3_600;
/** The large files of Swagger UI; the others are small or compressed images. */
const LARGE_FILES = ['swagger-ui-bundle.js', 'swagger-ui.css'];

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
  for (const file of LARGE_FILES) {
    const send = sendCompressed(path.extname(file), () => readFile(path.join(files, file)));
    router.get(`/${file}`, (request, response, next) => {
      response.setHeader('Cache-Control', `public, max-age=${MAX_AGE_SECONDS}`);
      return send(request, response, next);
    });
  }
  router.use(express.static(files, { index: false, maxAge: MAX_AGE_SECONDS * 1_000 }));
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

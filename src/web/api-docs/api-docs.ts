import { createRequire } from 'node:module';
import path from 'node:path';
import express, { Router } from 'express';

/** Swagger UI over our own document, from our own files: it works offline. */
export function apiDocsPage(): Router {
  const files = path.dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));
  const router = Router();
  router.get('/', (request, response, next) => {
    // The page's own files are named relative to it.
    if (!request.originalUrl.split('?')[0]!.endsWith('/')) response.redirect(301, `${request.baseUrl}/`);
    else next();
  });
  router.get('/swagger-initializer.js', (_request, response) => {
    response.type('application/javascript').send(INITIALIZER);
  });
  router.use(express.static(files, { index: 'index.html', maxAge: '1h' }));
  return router;
}

const INITIALIZER = `window.onload = () => {
  window.ui = SwaggerUIBundle({
    url: '/api/openapi.json',
    dom_id: '#swagger-ui',
    deepLinking: true,
    filter: true,
    docExpansion: 'none',
    validatorUrl: null,
    tryItOutEnabled: true,
    presets: [SwaggerUIBundle.presets.apis],
    layout: 'BaseLayout',
  });
};
`;

import cors from 'cors';
import express, { type ErrorRequestHandler, type Express, type RequestHandler } from 'express';
import type { Container } from './container.ts';
import { fromDatabaseError } from './db/errors.ts';
import type { Authenticate } from './http/authentication.ts';
import { cookies } from './http/cookies.ts';
import { requireOneHost } from './http/host-header.ts';
import { createMetrics } from './http/metrics.ts';
import { openApiDocument } from './http/openapi.ts';
import { forLog, fromHttpError, sendInternalError, sendProblem } from './http/problem.ts';
import { createRateLimits } from './http/rate-limits.ts';
import { requestIdOf, requestIds } from './http/request-facts.ts';
import { requestLog } from './http/request-log.ts';
import { mountRoutes } from './http/routers.ts';
import { securityHeaders } from './http/security-headers.ts';
import { endUnreadBody } from './http/unread-body.ts';
import { AppError, notFound } from './lib/errors.ts';
import { families, routes } from './routes/index.ts';
import { VERSION } from './version.ts';
import { apiDocsPage, apiDocument } from './web/api-docs/api-docs.ts';
import { checkoutPage } from './web/checkout/checkout-page.ts';
import { dashboardPages } from './web/dashboard/dashboard-pages.ts';
import { sendErrorPage, wantsErrorPage } from './web/errors/error-page.ts';
import { optOutPage } from './web/opt-out/opt-out-page.ts';
import { respondentPage } from './web/respondent/respondent-page.ts';
import { settingsPages } from './web/settings/settings-pages.ts';

/** The HTTP application: the order of everything a request meets. */
export function createApp(container: Container): Express {
  const { config, log, services } = container;
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.set('query parser', 'simple');
  app.set('case sensitive routing', true);
  app.set('trust proxy', config.trustProxyHops);

  const metrics =
    config.metricsToken === null
      ? null
      : createMetrics(
          config.metricsToken,
          () => services.jobs.counts(),
          () => services.datasets.memory,
          container.replicas,
        );
  const rateLimits = createRateLimits(config.rateLimits, container.sharedCounters?.counters);
  app.use(requestIds(container.ids));
  app.use(requestLog(log, metrics));
  app.use(securityHeaders());
  app.use(requireOneHost());
  if (config.allowedOrigins.length > 0)
    app.use(cors({ origin: config.allowedOrigins, credentials: true, maxAge: 600 }));
  app.use(cookies());
  const authenticate: Authenticate = (credential, from) => services.auth.authenticate(credential, from);
  mountRoutes(app, routes, {
    services,
    authenticate,
    rateLimits,
    idempotency: container.idempotency,
    checkFreeDisk: (use) => container.freeSpace[use].check(),
    publicUrl: config.publicUrl,
    allowedOrigins: config.allowedOrigins,
    checkReplies: config.environment === 'test',
    recheckStreamsEveryMs: config.environment === 'test' ? 100 : 5_000,
    streamTimeoutMs: config.streamTimeoutSeconds * 1_000,
  });

  const counted: RequestHandler = async (request, response, next) => {
    await rateLimits.count('public', request, response, null);
    next();
  };
  if (metrics !== null) app.get('/metrics', counted, metrics.handler);

  app.get(
    '/api/openapi.json',
    counted,
    apiDocument(() => openApiDocument(routes, families, VERSION)),
  );
  app.use('/api/docs', counted, apiDocsPage());
  app.use('/s', counted, respondentPage(services.respondentPages));
  app.use('/u', counted, optOutPage(services.optOuts));
  app.use('/checkout', counted, checkoutPage(services.checkoutPages, config));
  const pages = settingsPages();
  app.get('/', counted, pages.welcome);
  app.get(['/settings', '/settings/:section', '/join/:token', '/reset'], counted, pages.page);
  app.get('/settings/assets/:file', counted, pages.file);
  const dashboards = dashboardPages(services, authenticate, container.jobSignals.closed);
  app.get('/d/:orgSlug/:dashboardSlug', counted, dashboards.shared);
  app.get('/d/:orgSlug/:dashboardSlug/events', counted, dashboards.sharedChanges);
  app.get('/dashboards', counted, dashboards.list);
  app.get('/dashboards/assets/:file', counted, dashboards.file);
  app.get('/dashboards/:id', counted, dashboards.given);
  app.get('/dashboards/:id/events', counted, dashboards.givenChanges);

  app.use(async (request, response) => {
    await rateLimits.count('general', request, response, null);
    throw notFound('address');
  });
  const problems: ErrorRequestHandler = async (thrown: unknown, request, response, _next) => {
    // What failed before it was counted (another method, a malformed path) is counted here.
    const error: unknown = response.hasHeader('RateLimit-Limit')
      ? thrown
      : await rateLimits.count('general', request, response, null).then(
          () => thrown,
          (refusal: unknown) => refusal,
        );
    const requestId = requestIdOf(response);
    const known = error instanceof AppError ? error : (fromDatabaseError(error) ?? fromHttpError(error));
    container.storageState.noteError(error);
    response.locals.problemCode = known?.code;
    if (known === null || known.kind === 'unavailable')
      log.error({ request_id: requestId, error: forLog(error) }, 'request error');
    if (!response.headersSent && wantsErrorPage(request)) sendErrorPage(request, response, known, requestId);
    else if (known !== null) sendProblem(response, known, requestId);
    else sendInternalError(response, requestId);
    endUnreadBody(request, response);
  };
  app.use(problems);
  return app;
}

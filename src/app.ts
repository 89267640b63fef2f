import cors from 'cors';
import express, { type Express } from 'express';
import type { Container } from './container.ts';
import { fromDatabaseError } from './db/errors.ts';
import type { RouterDependencies } from './http/build-router.ts';
import { createMetrics } from './http/metrics.ts';
import { openApiDocument } from './http/openapi.ts';
import { parseCookies } from './middleware/authenticate.ts';
import { errorHandler, notFound } from './middleware/error-handler.ts';
import { requireOneHost } from './middleware/host-header.ts';
import { createRateLimits, type RateLimits } from './middleware/rate-limit.ts';
import { logRequests, requestId } from './middleware/request-log.ts';
import { receivePolicyReports } from './middleware/policy-reports.ts';
import { POLICY_REPORTS_PATH, securityHeaders } from './middleware/security-headers.ts';
import { createRouters, tags } from './routes/index.ts';
import type { Services } from './services/services.ts';
import { VERSION } from './version.ts';
import { sendApiDocument } from './web/api-docs/api-docs.ts';
import { createApiReferenceRouter } from './web/api-docs/api-reference.ts';
import { createCheckoutRouter } from './web/checkout/checkout-page.ts';
import { createDashboardPages } from './web/dashboard/dashboard-pages.ts';
import { sendErrorPage } from './web/errors/error-page.ts';
import { createHelpRouter } from './web/help/help-pages.ts';
import { createOptOutRouter } from './web/opt-out/opt-out-page.ts';
import { createRespondentRouter } from './web/respondent/respondent-page.ts';
import { createSurveyMediaRouter } from './web/survey-media/survey-media-router.ts';
import { createSurveyImageRouter } from './web/survey-images/survey-image-router.ts';
import { createStudioPages, STUDIO_PATHS } from './web/studio/studio-pages.ts';

/** Assembles the HTTP application. Middleware runs in the order of this function. */
export function createApp(container: Container): Express {
  const { config, log } = container;
  const metrics = metricsOf(container);
  const rateLimits = createRateLimits(config.rateLimits, container.sharedCounters?.counters);

  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.set('query parser', 'simple');
  app.set('case sensitive routing', true);
  app.set('trust proxy', config.trustProxyHops);

  app.use(requestId(container.ids));
  app.use(logRequests(container.requestLog, metrics));
  app.use(securityHeaders(config));
  app.use(requireOneHost());
  if (config.allowedOrigins.length > 0)
    app.use(cors({ origin: config.allowedOrigins, credentials: true, maxAge: 600 }));
  app.use(parseCookies());

  mountApi(app, routerDependencies(container, rateLimits));
  app.post(POLICY_REPORTS_PATH, rateLimits.public, receivePolicyReports(log));
  if (metrics !== null) app.get('/metrics', rateLimits.public, metrics.handler);
  mountPages(app, container, rateLimits);

  app.use(rateLimits.general, notFound);
  app.use(
    errorHandler({
      log,
      rateLimit: rateLimits.general,
      fromDatabaseError,
      recordError: (error) => container.storageState.recordError(error),
      sendPage: sendErrorPage,
    }),
  );
  return app;
}

/**
 * Mounts one router per family, the busiest first. `field` comes before `surveys`: its literal paths, such as `/api/surveys/links`, are
 * no survey ids. Routers whose paths have several first segments come last.
 */
export function mountApi(app: Express, dependencies: RouterDependencies<Services>): void {
  const routers = createRouters(dependencies);
  app.use('/api/public', routers.public);
  app.use('/api/surveys', routers.field);
  app.use('/api/surveys', routers.surveys);
  app.use('/api/responses', routers.responses);
  app.use('/api/dashboards', routers.dashboards);
  app.use('/api/reports', routers.reports);
  app.use('/api/workspaces', routers.workspaces);
  app.use('/api/auth', routers.auth);
  app.use('/api/jobs', routers.jobs);
  app.use('/api/billing', routers.billing);
  app.use('/api/outbox', routers.outbox);
  app.use('/api/health', routers.health);
  app.use('/api', routers.ai); // /ai/…, /responses/:surveyId/ai/…
  app.use('/api', routers.apiKeys); // /api-keys, /users/:id/api-keys
  app.use('/api', routers.users); // /users, /groups, /invite-links, /sessions, /organization, /organizations, /audit
}

function mountPages(app: Express, { services, config, jobSignals }: Container, rateLimits: RateLimits): void {
  const limit = rateLimits.public;
  // Both create it at their first request.
  const createDocument = () => openApiDocument(tags, VERSION);
  app.get('/api/openapi.json', limit, sendApiDocument(createDocument));
  app.use('/api/docs', limit, createApiReferenceRouter(createDocument));
  app.use('/s', limit, createRespondentRouter(services.respondentPages));
  app.use('/images', limit, createSurveyImageRouter(services.surveyImages));
  app.use('/media', limit, createSurveyMediaRouter(services.surveyMedia));
  app.use('/u', limit, createOptOutRouter(services.optOuts));
  app.use('/help', limit, createHelpRouter());
  app.use('/checkout', limit, createCheckoutRouter(services.checkoutPages, config));

  const studio = createStudioPages();
  app.get(STUDIO_PATHS, limit, studio.page);
  app.get('/studio/assets/:file', limit, studio.file);

  const dashboards = createDashboardPages(services, authenticateWith(services), jobSignals.closed);
  app.get('/d/:orgSlug/:dashboardSlug', limit, dashboards.publicPage);
  app.get('/d/:orgSlug/:dashboardSlug/events', limit, dashboards.publicChanges);
  app.get('/dashboards/assets/:file', limit, dashboards.file);
  app.get('/dashboards/:id', limit, dashboards.memberPage);
  app.get('/dashboards/:id/events', limit, dashboards.memberChanges);
}

/** What the routers of the API work with. */
function routerDependencies(container: Container, rateLimits: RateLimits): RouterDependencies<Services> {
  const { config, services } = container;
  const isTest = config.environment === 'test';
  return {
    services,
    authenticate: authenticateWith(services),
    rateLimits,
    idempotency: container.idempotency,
    checkFreeDisk: (use) => container.freeSpace[use].check(),
    publicUrl: config.publicUrl,
    allowedOrigins: config.allowedOrigins,
    checkReplies: isTest,
    recheckStreamsEveryMs: isTest ? 100 : 5_000,
    streamTimeoutMs: config.streamTimeoutSeconds * 1_000,
    spool: { hasSpace: (bytes) => container.freeSpace.temporary.has(bytes) },
  };
}

function authenticateWith({ auth }: Services): RouterDependencies<Services>['authenticate'] {
  return (credential, from) => auth.authenticate(credential, from);
}

/** null: METRICS_TOKEN is not set. */
function metricsOf({ config, services, replicas, mail }: Container) {
  if (config.metricsToken === null) return null;
  return createMetrics({
    token: config.metricsToken,
    jobCounts: () => services.jobs.countByStatus(),
    datasets: () => services.datasets.memoryUsage,
    replicas,
    mail,
  });
}

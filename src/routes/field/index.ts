import type { Router } from 'express';
import { buildRouter, type RouterDependencies } from '../../http/build-router.ts';
import type { Services } from '../../services/services.ts';
import { invitationListRoutes } from './invitations.ts';
import { invitationSummaryRoutes } from './invitation-summary.ts';
import { inviteRoutes, outboxRoute } from './invite.ts';
import { linkSigningRoutes } from './link-signing.ts';
import { linkQrRoutes, linkRoutes } from './links.ts';
import { quotaRoutes } from './quotas.ts';
import { respondentExportRoute, respondentImportRoute } from './respondent-files.ts';
import { respondentListRoutes, respondentRoutes } from './respondents.ts';
import { waveListRoutes, waveProgressRoute, waveRoutes } from './waves.ts';

/** Below `/api/surveys`: links, invitations, respondents, waves and quotas. */
const collectionRoutes = [
  ...linkRoutes,
  ...linkQrRoutes,
  ...linkSigningRoutes,
  ...inviteRoutes,
  ...invitationSummaryRoutes,
  ...invitationListRoutes,
  ...respondentListRoutes,
  ...respondentRoutes,
  respondentExportRoute,
  respondentImportRoute,
  ...waveListRoutes,
  waveProgressRoute,
  ...quotaRoutes,
  ...waveRoutes,
];

export const fieldRoutes = [...collectionRoutes, outboxRoute];

export const fieldRouter = (dependencies: RouterDependencies<Services>): Router =>
  buildRouter('/api/surveys', collectionRoutes, dependencies);

export const outboxRouter = (dependencies: RouterDependencies<Services>): Router =>
  buildRouter('/api/outbox', [outboxRoute], dependencies);

import type { Router } from 'express';
import { buildRouter, type RouterDependencies } from '../../http/build-router.ts';
import type { Services } from '../../services/services.ts';
import { invitationListRoutes } from './invitations.ts';
import { inviteRoutes, outboxRoute } from './invite.ts';
import { linkQrRoutes } from './link-qr.ts';
import { linkRoutes } from './links.ts';
import { quotaRoutes } from './quotas.ts';
import { respondentExportRoute } from './respondent-export.ts';
import { respondentImportRoute } from './respondent-import.ts';
import { respondentListRoutes, respondentRoutes } from './respondents.ts';
import { waveListRoutes, waveProgressRoute, waveRoutes } from './waves.ts';

/** Below `/api/surveys`: links, invitations, respondents, waves and quotas. */
const collectionRoutes = [
  ...linkRoutes,
  ...linkQrRoutes,
  ...inviteRoutes,
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

import type { Router } from 'express';
import { buildRouter, type RouterDependencies } from '../../http/build-router.ts';
import type { Services } from '../../services/services.ts';
import { invitationListRoutes } from './invitation-list.ts';
import { inviteRoutes } from './invite.ts';
import { linkQrRoutes } from './link-qr.ts';
import { linkRoutes } from './links.ts';
import { outboxRoute } from './outbox.ts';
import { quotaRoutes } from './quotas.ts';
import { respondentExportRoute } from './respondent-export.ts';
import { respondentImportRoute } from './respondent-import.ts';
import { respondentListRoutes } from './respondent-list.ts';
import { respondentRoutes } from './respondents.ts';
import { waveListRoutes } from './wave-list.ts';
import { waveProgressRoute } from './wave-progress.ts';
import { waveRoutes } from './waves.ts';

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

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

export const fieldRoutes = [
  ...linkRoutes,
  ...linkQrRoutes,
  ...inviteRoutes,
  ...invitationListRoutes,
  outboxRoute,
  ...respondentListRoutes,
  ...respondentRoutes,
  respondentExportRoute,
  respondentImportRoute,
  ...waveListRoutes,
  waveProgressRoute,
  ...quotaRoutes,
  ...waveRoutes,
];

import { linkQrRoutes } from './link-qr.ts';
import { linkRoutes } from './links.ts';
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
  ...respondentListRoutes,
  ...respondentRoutes,
  respondentExportRoute,
  respondentImportRoute,
  ...waveListRoutes,
  waveProgressRoute,
  ...waveRoutes,
];

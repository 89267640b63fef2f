import type { Services } from '../services/services.ts';
import { analysisJob } from './analysis.ts';
import type { JobKind } from './job-kind.ts';
import { campaignJob } from './campaign.ts';
import { passwordResetJob } from './password-reset.ts';
import { reportExportJob } from './report-export.ts';
import { responseExportJob } from './response-export.ts';
import { columnSnapshotJob } from './column-snapshot.ts';

/** All kinds of jobs. */
export const createJobKinds = (services: Services): JobKind[] => [
  responseExportJob(services),
  reportExportJob(services),
  passwordResetJob(services),
  campaignJob(services),
  analysisJob(services),
  columnSnapshotJob(services),
];

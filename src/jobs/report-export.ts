import { REPORT_JOB, reportFileSchema } from '../services/reports/report-files.ts';
import type { Services } from '../services/services.ts';
import { defineJob } from './job-kind.ts';

/** Writes a report as a file. */
export function reportExportJob({
  access,
  reportFiles,
  jobFiles,
}: Pick<Services, 'access' | 'reportFiles' | 'jobFiles'>) {
  return defineJob({
    kind: REPORT_JOB,
    payload: reportFileSchema,
    async handler({ jobId, owner, payload, signal, progress }) {
      if (owner === null) throw new Error('An export job has no owner');
      // Access may have changed since the job was started.
      const by = await access.loadActiveUser(owner, 'report');
      const scope = await access.report(by, payload.reportId, 'view');
      const onSlide = (done: number, of: number) =>
        progress(done / Math.max(1, of), `${done} of ${of} slides drawn`);
      const file = await reportFiles.createFile(by, scope, payload.format, signal, onSlide);
      await jobFiles.write(jobId, file, signal);
      return null;
    },
  });
}

import { EXPORT_JOB, exportFileSchema } from '../services/responses/export/export-files.ts';
import type { Services } from '../services/services.ts';
import { defineJob } from './job-kind.ts';

/** Writes a file of responses. The result lists, by kind, what the file format could not hold. */
export function responseExportJob({
  access,
  exportFiles,
  jobFiles,
}: Pick<Services, 'access' | 'exportFiles' | 'jobFiles'>) {
  return defineJob({
    kind: EXPORT_JOB,
    payload: exportFileSchema,
    async handler({ jobId, owner, surveyId, payload, signal, progress }) {
      if (owner === null) throw new Error('An export job has no owner');
      // Access may have changed since the job was started.
      const scope = await access.surveyOfUser(owner, surveyId ?? 0, 'view');
      const file = await exportFiles.createFile(scope, payload, (written, total) =>
        progress(written / Math.max(1, total), `${written} of ${total} responses written`),
      );
      await jobFiles.write(jobId, file, signal);
      const result = { updated_until: file.updatedUntil.toISOString(), counted: { ...file.counted } };
      return file.notes.size === 0 ? result : { ...result, notes: Object.fromEntries(file.notes) };
    },
  });
}

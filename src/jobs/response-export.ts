import type { AccessService } from '../services/access.ts';
import { EXPORT_JOB, type ExportFiles, exportFileSchema } from '../services/export-files.ts';
import type { JobFiles } from '../services/job-files.ts';
import { defineJob } from './job-kind.ts';

/** Writes a file of responses. Its result says what the file had no room for, by kind, where anything was. */
export function responseExportJob(access: AccessService, exports: ExportFiles, files: JobFiles) {
  return defineJob({
    kind: EXPORT_JOB,
    payload: exportFileSchema,
    async handler({ jobId, owner, surveyId, payload, signal, progress }) {
      // Rights may have gone since it was started.
      const scope = await access.surveyOfUser(owner, surveyId ?? 0, 'view');
      const made = await exports.make(scope, payload, (written, total) =>
        progress(written / Math.max(1, total), `${written} of ${total} responses written`),
      );
      await files.write(jobId, made, signal);
      const result = { updated_until: made.updatedUntil.toISOString() };
      return made.notes.size === 0 ? result : { ...result, notes: Object.fromEntries(made.notes) };
    },
  });
}

import { requireAiAccess } from '../domain/access/caller.ts';
import { ANALYSIS_JOB, textRequestSchema } from '../services/ai/analysis/text-request.ts';
import type { Services } from '../services/services.ts';
import { defineJob } from './job-kind.ts';

/** Reads the answers to an open question. The file of the job is the complete reply; its result summarizes all texts. */
export function analysisJob({
  access,
  textAnalysis,
  jobFiles,
}: Pick<Services, 'access' | 'textAnalysis' | 'jobFiles'>) {
  return defineJob({
    kind: ANALYSIS_JOB,
    payload: textRequestSchema,
    async handler({ jobId, owner, surveyId, payload, signal, progress }) {
      if (owner === null) throw new Error('An analysis job has no owner');
      // Access may have changed since the job was started.
      const by = await access.loadActiveUser(owner, 'survey');
      requireAiAccess(by);
      const scope = await access.survey(by, surveyId ?? 0, payload.saveAs === null ? 'view' : 'edit');
      const onProgress = (fraction: number) =>
        progress(fraction, `${Math.floor(100 * fraction)} % of the texts read`);
      const { file, result } = await textAnalysis.runToFile(scope, payload, { signal, onProgress });
      await jobFiles.write(jobId, file, signal);
      return result;
    },
  });
}

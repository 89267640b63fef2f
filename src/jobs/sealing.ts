import { z } from 'zod';
import { SEALING_JOB } from '../services/datasets/segments/sealing.ts';
import type { Services } from '../services/services.ts';
import { defineJob } from './job-kind.ts';

/** Keeps the columns of a large survey in segments, so that its first figure after a start comes soon. The installation's own. */
export function sealingJob({ sealing }: Pick<Services, 'sealing'>) {
  return defineJob({
    kind: SEALING_JOB,
    payload: z.object({ survey_id: z.int() }),
    async handler({ payload: { survey_id: surveyId }, signal, progress }) {
      const ranges = await sealing.seal(surveyId, signal, (done, of) => progress(done / of));
      return { ranges: ranges.length, responses: ranges.reduce((sum, { rows }) => sum + rows, 0) };
    },
  });
}

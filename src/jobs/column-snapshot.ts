import { z } from 'zod';
import { SNAPSHOT_JOB } from '../services/datasets/segments/column-snapshots.ts';
import type { Services } from '../services/services.ts';
import { defineJob } from './job-kind.ts';

/**
 * Stores the columns of a large survey, so that its first figure after a start is fast. Belongs to no organization.
 */
export function columnSnapshotJob({ columnSnapshots }: Pick<Services, 'columnSnapshots'>) {
  return defineJob({
    kind: SNAPSHOT_JOB,
    payload: z.object({ survey_id: z.int() }),
    async handler({ payload: { survey_id: surveyId }, signal, progress }) {
      const ranges = await columnSnapshots.build(surveyId, signal, (done, of) => progress(done / of));
      return { ranges: ranges.length, responses: ranges.reduce((sum, { rows }) => sum + rows, 0) };
    },
  });
}

import type { SurveyScope } from '../../domain/access/scopes.ts';
import { notFound } from '../../lib/errors.ts';
import type { ErasedCounts } from '../../repositories/erasure.ts';
import type { Repositories } from '../../repositories/repositories.ts';
import type { Store } from '../../repositories/store.ts';
import type { JobFiles } from '../jobs.ts';
import type { FileSweep } from '../system/sweeps.ts';
import { lockSurvey } from '../surveys/survey-lock.ts';
import { lockForQuotas } from './changes/data-changes.ts';

/** Erases responses at once, with everything that was stored about them. It cannot be undone. */
export class ResponseErasure {
  constructor(
    private readonly store: Store,
    private readonly jobFiles: JobFiles,
    private readonly fileSweep: FileSweep,
  ) {}

  /** Throws 404 for a response that the survey does not have. Recorded in the audit log without contents. */
  async erase(scope: SurveyScope, responseId: number): Promise<ErasedCounts> {
    const { counts, jobFiles } = await this.store.transaction(async (repositories) => {
      await lockSurvey(repositories, scope);
      const erased = await eraseLocked(repositories, scope.surveyId, responseId);
      if (erased === null) throw notFound('response');
      await repositories.audit.record({
        by: scope,
        action: 'data.erased',
        objectType: 'survey',
        objectId: scope.surveyId,
        details: { response_id: responseId, ...erased.counts },
      });
      return erased;
    });
    await this.removeFiles(jobFiles);
    return counts;
  }

  /** Deletes the bytes of files whose rows are marked or released. What fails here is repeated by the scheduled tasks. */
  async removeFiles(jobFiles: readonly string[]): Promise<void> {
    for (const name of jobFiles) await this.jobFiles.remove(name);
    await this.fileSweep.run();
  }
}

/** Erases one response within a transaction. Returns the job files to remove after it; null: there is no such response. */
export async function eraseLocked(
  repositories: Repositories,
  surveyId: number,
  responseId: number,
): Promise<{ counts: ErasedCounts; jobFiles: string[] } | null> {
  const { erasure } = repositories;
  await lockForQuotas(repositories, surveyId, () => Promise.resolve([responseId]));
  const texts = await erasure.lockTexts(surveyId, responseId);
  if (texts === null) return null;
  const counts = await erasure.eraseContents(surveyId, [responseId]);
  await erasure.emptyResponse(surveyId, responseId);
  await erasure.deleteAnalyses(surveyId);
  await erasure.eraseReplies(responseId, texts);
  await erasure.eraseChatMessages(surveyId, responseId, texts);
  const jobFiles = await erasure.deleteJobs(surveyId);
  for (const laterSurveyId of await erasure.eraseCarried(surveyId, [responseId])) {
    await erasure.eraseChatMessages(laterSurveyId, responseId, texts);
    jobFiles.push(...(await erasure.deleteJobs(laterSurveyId)));
  }
  return { counts, jobFiles };
}

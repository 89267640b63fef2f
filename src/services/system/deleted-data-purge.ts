import type { Store } from '../../repositories/store.ts';
import type { DeletedRetention } from '../deleted-retention.ts';
import type { ResponseErasure } from '../responses/response-erasure.ts';

const RESPONSES_PER_BATCH = 1_000;
const RESPONDENTS_PER_BATCH = 100;

/**
 * Erases what was deleted longer ago than the retention: workspaces with everything in them, surveys, responses, derived columns, dashboards
 * and reports, with their files and previous values. Works in batches of one transaction each. Safe in several processes at once: a
 * repeated batch finds nothing.
 */
export class DeletedDataPurge {
  constructor(
    private readonly store: Store,
    private readonly erasure: ResponseErasure,
    private readonly retention: DeletedRetention,
  ) {}

  async run(): Promise<void> {
    const before = this.retention.restorableSince();
    const jobFiles: string[] = [];
    const workspaceIds = await this.store.read.erasure.listDeletedWorkspaces(before);
    for (const workspaceId of workspaceIds)
      await this.store.transaction(({ erasure }) => erasure.deleteContents(workspaceId));
    for (const surveyId of await this.store.read.erasure.listDeletedSurveys(before))
      jobFiles.push(...(await this.eraseSurvey(surveyId)));
    while (await this.eraseDeletedResponses(before, jobFiles));
    for (const surveyId of await this.store.read.erasure.listSurveysWithDeletedColumns(before))
      await this.store.transaction(({ erasure }) => erasure.eraseDeletedColumns(surveyId, before));
    for (const dashboardId of await this.store.read.erasure.listDeletedContent('dashboard', before))
      await this.store.transaction(({ erasure }) => erasure.eraseDashboard(dashboardId, before));
    for (const reportId of await this.store.read.erasure.listDeletedContent('report', before))
      jobFiles.push(
        ...(await this.store.transaction(({ erasure }) => erasure.eraseReport(reportId, before))),
      );
    for (const workspaceId of workspaceIds) await this.eraseWorkspace(workspaceId);
    await this.erasure.removeFiles(jobFiles);
  }

  /** Erases the respondents of a workspace whose other contents are erased, then its members and its name. */
  private async eraseWorkspace(workspaceId: number): Promise<void> {
    for (;;) {
      const found = await this.store.read.erasure.listRespondents(workspaceId, RESPONDENTS_PER_BATCH);
      if (found.length === 0) break;
      await this.store.transaction(async ({ respondents, invitations }) => {
        for (const { organization_id: organizationId, respondent_id: respondentId } of found) {
          await respondents.erase({ organizationId, workspaceId }, respondentId);
          await invitations.clearNotes(respondentId);
        }
      });
    }
    await this.store.transaction(({ erasure }) => erasure.eraseWorkspace(workspaceId));
  }

  private async eraseSurvey(surveyId: number): Promise<string[]> {
    const jobFiles: string[] = [];
    for (;;) {
      const ids = await this.store.read.erasure.listResponses(surveyId, RESPONSES_PER_BATCH);
      if (ids.length === 0) break;
      jobFiles.push(...(await this.deleteResponses(surveyId, ids)));
    }
    return this.store.transaction(async ({ erasure }) => {
      await erasure.markFilesDeleted(surveyId);
      jobFiles.push(...(await erasure.deleteJobs(surveyId)));
      await erasure.eraseSurvey(surveyId);
      return jobFiles;
    });
  }

  /** Returns whether there may be more. Adds the names of stored files to `jobFiles`. */
  private async eraseDeletedResponses(before: Date, jobFiles: string[]): Promise<boolean> {
    const found = await this.store.read.erasure.listDeletedResponses(before, RESPONSES_PER_BATCH);
    for (const surveyId of new Set(found.map((row) => row.survey_id))) {
      const ids = found.flatMap((row) => (row.survey_id === surveyId ? [row.response_id] : []));
      jobFiles.push(...(await this.deleteResponses(surveyId, ids)));
    }
    return found.length === RESPONSES_PER_BATCH;
  }

  /** Returns the names of stored files that contain copies of the answers. */
  private deleteResponses(surveyId: number, ids: readonly number[]): Promise<string[]> {
    return this.store.transaction(async ({ erasure }) => {
      await erasure.eraseContents(surveyId, ids);
      await erasure.deleteAnalyses(surveyId);
      const jobFiles: string[] = [];
      for (const laterSurveyId of await erasure.eraseCarried(surveyId, ids))
        jobFiles.push(...(await erasure.deleteJobs(laterSurveyId)));
      await erasure.deleteResponses(surveyId, ids);
      return jobFiles;
    });
  }
}

import type { WorkspaceScope } from '../../domain/access/scopes.ts';
import type { Store } from '../../repositories/store.ts';
import type { Services } from '../services.ts';

/** A survey with responses, in the forms that the API takes. */
export interface DemoData {
  name: string;
  survey(): object;
  responses(): { submission_id: string; answers: Record<string, string | number | null> }[];
}

/** Loads the demo survey through the same services as any import. */
export class DemoService {
  private readonly store: Store;
  private readonly services: Pick<Services, 'surveyTransfer' | 'surveyPublishing' | 'responseRows'>;
  private readonly data: DemoData;

  constructor(
    store: Store,
    services: Pick<Services, 'surveyTransfer' | 'surveyPublishing' | 'responseRows'>,
    data: DemoData,
  ) {
    this.store = store;
    this.services = services;
    this.data = data;
  }

  async load(scope: WorkspaceScope): Promise<void> {
    const survey = await this.services.surveyTransfer.import(scope, this.data.survey());
    const surveyScope = { ...scope, surveyId: survey.survey_id };
    await this.services.surveyPublishing.publish(surveyScope);
    const rows = this.data.responses().map(({ submission_id: submissionId, answers }) => ({
      submissionId,
      answers,
      status: 'complete' as const,
      startedAt: null,
      completedAt: null,
      externalId: null,
      language: null,
    }));
    await this.services.responseRows.add(surveyScope, rows, true);
  }

  /** The token of the demo survey's link; null when there is no demo survey, or no longer. */
  linkToken(): Promise<string | null> {
    return this.store.read.openLinks.tokenOfSurveyNamed(this.data.name);
  }
}

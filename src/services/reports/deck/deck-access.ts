import type { SurveyScope } from '../../../domain/access/scopes.ts';
import type { DeckProblem } from '../../../domain/reports/deck.ts';
import { type SurveySettings, surveySettingsOf } from '../../../domain/survey/settings/survey-settings.ts';
import { AppError } from '../../../lib/errors.ts';
import type { Store } from '../../../repositories/store.ts';
import type { AccessService } from '../../access.ts';
import type { Author } from '../../dashboards/chart-source.ts';

/** The surveys and dashboards of a report that the author of the file can see. */
export class DeckAccess {
  private readonly scopes = new Map<number, Promise<SurveyScope | null>>();
  private readonly dashboards = new Map<number, Promise<boolean>>();

  constructor(
    private readonly store: Store,
    private readonly access: AccessService,
    readonly by: Author,
  ) {}

  /** Returns null if the author cannot see the survey. */
  surveyScope(surveyId: number): Promise<SurveyScope | null> {
    const known = this.scopes.get(surveyId) ?? nullIfRefused(this.access.survey(this.by, surveyId, 'view'));
    this.scopes.set(surveyId, known);
    return known;
  }

  async canSeeSurvey(surveyId: number): Promise<boolean> {
    return (await this.surveyScope(surveyId)) !== null;
  }

  /** Includes dashboards shared with the author. */
  canSeeDashboard(dashboardId: number): Promise<boolean> {
    const known =
      this.dashboards.get(dashboardId) ??
      nullIfRefused(this.access.dashboard(this.by, dashboardId, 'view')).then((scope) => scope !== null);
    this.dashboards.set(dashboardId, known);
    return known;
  }

  /** The reason why a survey is not shown. */
  async missingProblem(surveyId: number): Promise<DeckProblem> {
    const state = await this.store.read.surveys.findState(surveyId);
    return state?.organization_id === this.by.organizationId
      ? { problem: 'The author of this file may not see the survey of this figure' }
      : SURVEY_DELETED;
  }

  async loadSettings(surveyIds: readonly number[]): Promise<ReadonlyMap<number, SurveySettings>> {
    const states = await this.store.read.surveys.findStates([...new Set(surveyIds)]);
    return new Map(
      [...states].map(([surveyId, state]) => [surveyId, surveySettingsOf(state.survey_settings)]),
    );
  }
}

export const SURVEY_DELETED: DeckProblem = { problem: 'The survey of this figure was deleted' };

/** Returns null instead of an AppError, such as not found or forbidden. */
export async function nullIfRefused<T>(found: Promise<T>): Promise<T | null> {
  try {
    return await found;
  } catch (error) {
    if (error instanceof AppError) return null;
    throw error;
  }
}

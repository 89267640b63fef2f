import { SURVEY_STATUS } from '../../domain/survey/status.ts';
import type { PreparedDefinition } from '../../domain/survey/prepared-definition.ts';
import { conflict } from '../../lib/errors.ts';
import type { Store } from '../../repositories/store.ts';
import type { PreparedDefinitionCache } from '../surveys/prepared-definition-cache.ts';

/** The published definition of a survey. Throws 409 if the survey does not accept responses. */
export async function requireAcceptingDefinition(
  store: Store,
  definitions: PreparedDefinitionCache,
  surveyId: number,
): Promise<PreparedDefinition> {
  const state = await store.read.surveys.findState(surveyId);
  if (state?.published_version == null) {
    throw conflict('survey_not_published', 'The survey accepts responses only after it is published');
  }
  if (state.survey_status !== SURVEY_STATUS.active) throw conflict('survey_closed', 'This survey is closed');
  return definitions.loadPublished(surveyId, state.published_version);
}

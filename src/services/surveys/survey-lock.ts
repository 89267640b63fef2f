import type { SurveyScope } from '../../domain/access/scopes.ts';
import { notFound } from '../../lib/errors.ts';
import type { AuditEntry } from '../../repositories/audit.ts';
import type { Repositories } from '../../repositories/repositories.ts';
import type { SurveyRow } from '../../repositories/surveys.ts';

/** Holds the survey until the transaction ends, so that changes of one survey happen one after the other. */
export async function lockSurvey(repositories: Repositories, scope: SurveyScope): Promise<SurveyRow> {
  const row = await repositories.surveys.lock(scope);
  // Moved away since access was checked: nobody has looked whether the caller may work there.
  if (row?.workspace_id !== scope.workspaceId) throw notFound('survey');
  return row;
}

export function surveyAuditEntry(
  scope: SurveyScope,
  what: string,
  details?: Record<string, unknown>,
): AuditEntry {
  return {
    by: scope,
    action: `survey.${what}`,
    objectType: 'survey',
    objectId: scope.surveyId,
    ...(details === undefined ? {} : { details }),
  };
}

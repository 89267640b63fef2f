import type { SurveyScope } from '../../domain/access/scopes.ts';
import { notFound } from '../../lib/errors.ts';
import type { AuditEntry } from '../../repositories/audit.ts';
import type { Repositories } from '../../repositories/repositories.ts';
import type { SurveyRow } from '../../repositories/surveys.ts';

/** Locks the survey until the transaction ends, so that its changes are serialized. Throws 404 if it was moved. */
export async function lockSurvey(repositories: Repositories, scope: SurveyScope): Promise<SurveyRow> {
  const row = await repositories.surveys.lock(scope);
  // Moved since access was checked: the caller may have no access to the new workspace.
  if (row?.workspace_id !== scope.workspaceId) throw notFound('survey');
  return row;
}

export function surveyAuditEntry(
  scope: SurveyScope,
  action: string,
  details?: Record<string, unknown>,
): AuditEntry {
  return {
    by: scope,
    action: `survey.${action}`,
    objectType: 'survey',
    objectId: scope.surveyId,
    ...(details === undefined ? {} : { details }),
  };
}

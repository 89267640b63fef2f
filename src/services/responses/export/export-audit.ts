import type { SurveyScope } from '../../../domain/access/scopes.ts';
import type { AuditEntry } from '../../../repositories/audit.ts';
import type { ResponseSelection } from '../../datasets/requested-columns.ts';

/** Characters of JSON. Of longer filters the audit log has only the length. */
const MAX_FILTER_CHARACTERS = 4_000;

/** The audit entry of exported responses or files: selection and counts, without values. */
export function exportAuditEntry(
  scope: SurveyScope,
  action: 'exported' | 'files_downloaded',
  { status, includeTest, includeConfirmed, filter }: ResponseSelection,
  facts: { responses: number; [name: string]: unknown },
): AuditEntry {
  return {
    by: scope,
    action: `responses.${action}`,
    objectType: 'survey',
    objectId: scope.surveyId,
    details: {
      ...facts,
      status,
      include_test: includeTest,
      include_confirmed: includeConfirmed,
      ...filterFacts(filter),
    },
  };
}

function filterFacts(filter: unknown): Record<string, unknown> {
  if (filter === undefined || filter === null) return { filter: null };
  const { length } = JSON.stringify(filter);
  return length > MAX_FILTER_CHARACTERS ? { filter_length: length } : { filter };
}

import type { SurveyScope } from '../../../domain/access/scopes.ts';
import type { AuditEntry } from '../../../repositories/audit.ts';
import type { ResponseSelection } from '../../datasets/requested-columns.ts';

/** In characters of JSON: longer filters are in the audit log by their length only. */
const MAX_FILTER_CHARACTERS = 4_000;

/** The audit entry of responses, or of their files, that leave the system: which and how many, without their values. */
export function exportAuditEntry(
  scope: SurveyScope,
  what: 'exported' | 'files_downloaded',
  { status, includeTest, includeConfirmed, filter }: ResponseSelection,
  facts: { responses: number; [name: string]: unknown },
): AuditEntry {
  return {
    by: scope,
    action: `responses.${what}`,
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

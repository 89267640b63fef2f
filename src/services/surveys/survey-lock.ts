import type { SurveyScope } from '../../domain/access/scopes.ts';
import { questionWithCells } from '../../domain/survey/tables.ts';
import { ColumnCatalog, questionColumns } from '../../domain/dataset/column-catalog.ts';
import { findDependents } from '../../domain/derived/derived-column.ts';
import type { Question } from '../../domain/survey/definition.ts';
import { alreadyUsed } from '../../lib/error-messages.ts';
import { conflict } from '../../lib/errors.ts';
import { derivedColumnOf } from '../../repositories/derived-columns.ts';
import type { Repositories } from '../../repositories/repositories.ts';
import type { SurveyRow } from '../../repositories/surveys.ts';
import { defineWorkspaceObject } from '../workspace-objects.ts';

export const surveyObject = defineWorkspaceObject<{ surveyId: number }, SurveyRow>({
  type: 'survey',
  idOf: ({ surveyId }) => surveyId,
  repositoryOf: ({ surveys }) => surveys,
  onChange: signalSurveyChange,
});

const numberOrNull = (value: unknown): number | null => (typeof value === 'number' ? value : null);

/** Tells everyone who has the survey open of a change, when its transaction commits. */
export async function signalSurveyChange(
  { surveys, surveySignals }: Repositories,
  {
    scope: { surveyId, userId, origin },
    action,
    details = {},
    revision,
  }: {
    scope: Pick<SurveyScope, 'surveyId' | 'userId' | 'origin'>;
    action: string;
    details?: Record<string, unknown> | undefined;
    revision?: number | undefined;
  },
): Promise<void> {
  await surveySignals.send({
    surveyId,
    kind: action,
    pageId: numberOrNull(details.page_id),
    questionId: numberOrNull(details.question_id),
    fields: Array.isArray(details.fields) ? details.fields.map(String) : [],
    revision: revision ?? (await surveys.findState(surveyId))?.revision ?? 0,
    userId,
    requestId: origin?.requestId ?? null,
  });
}

export const { auditEntry: surveyAuditEntry, lock: lockSurvey } = surveyObject;

/** Returns every code of a question's data: its own and those of its columns and sets. */
function dataCodesOf(question: Question): string[] {
  const codes = questionWithCells(question).flatMap((each) => {
    const { columns, sets } = questionColumns(each);
    return [each.code, ...[...columns, ...sets].map(({ columnCode }) => columnCode)];
  });
  return [...new Set(codes)];
}

async function listDerivedColumns(repositories: Repositories, scope: SurveyScope) {
  const { columns } = await repositories.derivedColumns.loadCurrent(scope.surveyId);
  return columns.map(derivedColumnOf);
}

/** Throws 409 if a column of the question has the code of a derived column. */
export async function refuseClashWithDerived(
  repositories: Repositories,
  scope: SurveyScope,
  question: Question,
): Promise<void> {
  const derived = await listDerivedColumns(repositories, scope);
  if (derived.length === 0) return;
  const takenCodes = new Set(derived.map(({ spec }) => spec.columnCode.toLowerCase()));
  const clash = dataCodesOf(question).find((code) => takenCodes.has(code.toLowerCase()));
  if (clash === undefined) return;
  throw conflict(
    'column_code_taken',
    `the column code ${alreadyUsed(clash, 'a derived column of this survey')}: change the code of question ${question.code}`,
  );
}

/**
 * Throws 409 if derived columns read data that a change would remove: by deleting a question or changing its code,
 * type or options.
 */
export async function refuseIfUsedByDerived({
  repositories,
  scope,
  before,
  after = [],
}: {
  repositories: Repositories;
  scope: SurveyScope;
  before: readonly Question[];
  after?: readonly Question[] | undefined;
}): Promise<void> {
  const derived = await listDerivedColumns(repositories, scope);
  if (derived.length === 0) return;
  const remainingCodes = new Set(after.flatMap(dataCodesOf).map((code) => code.toLowerCase()));
  const details = before
    .flatMap(dataCodesOf)
    .filter((code) => !remainingCodes.has(code.toLowerCase()))
    .flatMap((code) => findDependents(code, derived).map(({ spec }) => ({ code, reader: spec.columnCode })))
    .map(({ code, reader }) => ({ field: reader, message: `is derived from ${code}` }));
  if (details.length === 0) return;
  const readers = [...new Set(details.map(({ field }) => field))];
  throw conflict(
    'column_in_use',
    `Derived columns use this question: delete ${readers.join(', ')} first`,
    details,
  );
}

/** Throws 409 if a question has taken the code of a derived column that is being restored. */
export async function refuseRestoredClash(
  repositories: Repositories,
  scope: SurveyScope,
  columnCodes: readonly string[],
): Promise<void> {
  if (columnCodes.length === 0) return;
  const catalog = new ColumnCatalog(await repositories.definitions.loadDraft(scope.surveyId));
  const clash = columnCodes.find((code) => catalog.find(code) ?? catalog.question(code));
  if (clash === undefined) return;
  throw conflict(
    'column_code_taken',
    `the column code ${alreadyUsed(clash, 'a question of this survey')}; rename that question first`,
  );
}

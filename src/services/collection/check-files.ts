import type { StoredAnswers } from '../../domain/answers/codec.ts';
import { typeOf } from '../../domain/questions/registry.ts';
import type { PreparedDefinition } from '../../domain/survey/prepared-definition.ts';
import { unknownObject } from '../../lib/error-messages.ts';
import { type ErrorDetail, invalidFields } from '../../lib/errors.ts';
import type { Repositories } from '../../repositories/repositories.ts';

interface NamedFile {
  questionCode: string;
  field: string;
  fileId: string;
}

/** Returns every file that valid answers name. Cheap for surveys without file questions. */
function listNamedFiles(prepared: PreparedDefinition, answers: StoredAnswers): NamedFile[] {
  const named: NamedFile[] = [];
  for (const questionCode of Object.keys(answers)) {
    const known = prepared.byCode.get(questionCode);
    const answer = answers[questionCode];
    if (known === undefined || !Array.isArray(answer)) continue;
    if (typeOf(known.question).uploadRules === undefined) continue;
    for (const [index, fileId] of (answer as string[]).entries())
      named.push({ questionCode, field: `${known.field}[${index}]`, fileId });
  }
  return named;
}

/**
 * Throws 400 if an answer names a file that was not uploaded for this response and question. The caller has locked
 * the response.
 */
export async function checkFiles(
  { responseFiles }: Pick<Repositories, 'responseFiles'>,
  surveyId: number,
  responseId: number,
  prepared: PreparedDefinition,
  answers: StoredAnswers,
): Promise<void> {
  const named = listNamedFiles(prepared, answers);
  if (named.length === 0) return;
  const rows = await responseFiles.listOfResponse(surveyId, responseId);
  const questionOf = new Map(rows.map((row) => [row.file_id, row.question_code]));
  const problems = named.filter(({ fileId, questionCode }) => questionOf.get(fileId) !== questionCode);
  if (problems.length > 0) throw invalidFields(problems.map(unknownFileProblem));
}

/** Returns a problem for each named file: before the response exists, no file can have been uploaded for it. */
export function problemsOfFilesBeforeStart(
  prepared: PreparedDefinition,
  answers: StoredAnswers,
): ErrorDetail[] {
  return listNamedFiles(prepared, answers).map(unknownFileProblem);
}

const unknownFileProblem = ({ field, fileId }: NamedFile): ErrorDetail => ({
  field,
  message: unknownObject('file', fileId, 'for this response and question'),
});

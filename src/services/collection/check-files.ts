import type { StoredAnswers } from '../../domain/answers/codec.ts';
import type { PreparedDefinition } from '../../domain/survey/prepared-definition.ts';
import { quote } from '../../lib/quote.ts';
import { type ErrorDetail, invalidFields } from '../../lib/errors.ts';
import type { Repositories } from '../../repositories/repositories.ts';

interface NamedFile {
  questionCode: string;
  field: string;
  fileId: string;
}

/** Every file that checked answers name; few surveys ask for any, so that looking for them costs next to nothing. */
function listNamedFiles(prepared: PreparedDefinition, answers: StoredAnswers): NamedFile[] {
  const named: NamedFile[] = [];
  for (const questionCode of Object.keys(answers)) {
    const known = prepared.byCode.get(questionCode);
    const answer = answers[questionCode];
    if (known?.question.type !== 'file_upload' || !Array.isArray(answer)) continue;
    for (const [index, fileId] of (answer as string[]).entries())
      named.push({ questionCode, field: `${known.field}[${index}]`, fileId });
  }
  return named;
}

/** Answers may name only files that were uploaded for this very response and question. Call it while the response is locked. */
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

/** What is wrong with file answers where no response exists yet that a file could have been uploaded for. */
export function problemsOfFilesBeforeStart(
  prepared: PreparedDefinition,
  answers: StoredAnswers,
): ErrorDetail[] {
  return listNamedFiles(prepared, answers).map(unknownFileProblem);
}

const unknownFileProblem = ({ field, fileId }: NamedFile): ErrorDetail => ({
  field,
  message: `no file ${quote(fileId)} was uploaded for this response and question`,
});

import { listedTwice, mustBe, sizeAtMost } from '../../lib/error-messages.ts';
import type { ErrorDetail } from '../../lib/errors.ts';
import type { QuestionWithType } from '../survey/definition.ts';
import type { AnswerCodec, ReadResult } from './codec.ts';
import { questionColumn } from './question-columns.ts';
import { quote } from '../../lib/quote.ts';
import { accept, editSingleCell, isNoAnswer, NO_ANSWER, reject, rejectAll } from './read-result.ts';

type FileQuestion = QuestionWithType<'file_upload'>;

const FILE_ID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const SEPARATOR = ';';

function read(question: FileQuestion, input: unknown): ReadResult {
  if (isNoAnswer(input)) return NO_ANSWER;
  if (!Array.isArray(input)) return reject(mustBe('a list of file ids', input));
  const { max_files: max } = question.settings;
  if (input.length > max) return reject(sizeAtMost(max, 'file', input.length));
  const ids = new Set<string>();
  const problems: ErrorDetail[] = [];
  input.forEach((item: unknown, index) => {
    const id = typeof item === 'string' && FILE_ID.test(item) ? item.toLowerCase() : null;
    const message =
      id === null
        ? `must be a file id (a UUID), not ${quote(item)}`
        : ids.has(id)
          ? listedTwice(`file ${quote(id)}`)
          : null;
    if (message !== null) problems.push({ field: `[${index}]`, message });
    else if (id !== null) ids.add(id);
  });
  return problems.length > 0 ? rejectAll(problems) : accept([...ids]);
}

/** Codec for ids of uploaded files. The collection service checks that they exist and belong to the response. */
export const fileUploadCodec: AnswerCodec<FileQuestion> = {
  read,
  columns: (question) => [questionColumn(question, { type: 'file', measure: 'nominal', editable: false })],
  toCells: (_question, answer) => [Array.isArray(answer) ? (answer as string[]).join(SEPARATOR) : null],
  fromCells: (question, answer, changes) =>
    editSingleCell(question.code, answer, changes, (cell) =>
      read(question, typeof cell === 'string' && cell !== '' ? cell.split(SEPARATOR) : cell),
    ),
};

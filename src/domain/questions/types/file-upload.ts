import { z } from 'zod';
import type { ErrorDetail } from '../../../lib/errors.ts';
import { duplicateItem, mustBe, quote, sizeAtMost } from '../../../lib/error-messages.ts';
import { type CellCodec, questionColumn, type ReadResult } from '../answers/codec.ts';
import {
  acceptAnswer,
  editSingleCell,
  isNoAnswer,
  NO_ANSWER,
  rejectAnswer,
  rejectAnswerForAll,
} from '../answers/read-answer.ts';
import { commonSettings, defineSettings } from '../common-settings.ts';
import type { TypedQuestion } from '../question.ts';
import type { QuestionAnswers, QuestionTypeModule } from '../question-type.ts';
import { PLAIN_ANSWERS, PLAIN_COMPARISON, PLAIN_SEEDING, PLAIN_SPSS, PLAIN_TYPE } from './plain-type.ts';

const settings = defineSettings(() =>
  z.strictObject({
    ...commonSettings,
    max_files: z.int().min(1).max(20).default(1),
    max_size_mb: z.int().min(1).max(100).default(10).describe('Maximum size of one file in megabytes'),
    allowed_extensions: z
      .array(
        z.string().regex(/^[a-z0-9]{1,10}$/, 'must be letters and digits in lower case, without the dot'),
      )
      .max(50)
      .nullable()
      .default(null),
  }),
);

type FileQuestion = TypedQuestion<'file_upload', z.infer<typeof settings>>;

const FILE_ID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const SEPARATOR = ';';

function read(question: FileQuestion, input: unknown): ReadResult {
  if (isNoAnswer(input)) return NO_ANSWER;
  if (!Array.isArray(input)) return rejectAnswer(mustBe('a list of file ids', input));
  const { max_files: max } = question.settings;
  if (input.length > max) return rejectAnswer(sizeAtMost(max, 'file', input.length));
  const ids = new Set<string>();
  const problems: ErrorDetail[] = [];
  input.forEach((item: unknown, index) => {
    const id = typeof item === 'string' && FILE_ID.test(item) ? item.toLowerCase() : null;
    const message =
      id === null
        ? `must be a file id (a UUID), not ${quote(item)}`
        : ids.has(id)
          ? duplicateItem(`file ${quote(id)}`)
          : null;
    if (message !== null) problems.push({ field: `[${index}]`, message });
    else if (id !== null) ids.add(id);
  });
  return problems.length > 0 ? rejectAnswerForAll(problems) : acceptAnswer([...ids]);
}

/** Ids of uploaded files. The collection service checks that they exist and belong to the response. */
export const fileUploadAnswers: QuestionAnswers<FileQuestion> = {
  ...PLAIN_ANSWERS,
  read,
  operand: (_question, answer) => ({ kind: 'choice', values: answer as string[] }),
};

const fileUploadCells: CellCodec<FileQuestion> = {
  columns: (question) => [questionColumn(question, { type: 'file', measure: 'nominal', editable: false })],
  toCells: (_question, answer) => [Array.isArray(answer) ? (answer as string[]).join(SEPARATOR) : null],
  fromCells: (question, answer, changes) =>
    editSingleCell(question.code, answer, changes, (cell) =>
      read(question, typeof cell === 'string' && cell !== '' ? cell.split(SEPARATOR) : cell),
    ),
};

/** Characters of a file id with its separator. */
const FILE_ID_BYTES = 37;

export const fileUploadType: QuestionTypeModule<FileQuestion, typeof settings> = {
  ...PLAIN_TYPE,
  answers: fileUploadAnswers,
  cells: fileUploadCells,
  settings,
  comparison: { ...PLAIN_COMPARISON, isSatisfiable: () => true },
  // The generator has no files to upload.
  seeding: { ...PLAIN_SEEDING, answer: () => null },
  spss: { ...PLAIN_SPSS, maxTextBytes: ({ settings }) => FILE_ID_BYTES * settings.max_files },
  describeAnswers: () => 'files',
  uploadRules: ({ settings }) => ({
    maxFiles: settings.max_files,
    maxSizeMb: settings.max_size_mb,
    allowedExtensions: settings.allowed_extensions,
  }),
  answerFormat: 'a list of file ids',
  example: {
    page_id: 2,
    question_code: 'Q12',
    question_text: 'A photo of your coffee machine',
    question_settings: { allowed_extensions: ['jpg', 'png'] },
  },
};

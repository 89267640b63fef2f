import { codecFor } from '../../answers/codecs.ts';
import { DELETED_FLAG, METADATA_COLUMNS } from '../../dataset/columns/metadata-columns.ts';
import { quote } from '../../../lib/quote.ts';
import type { Question } from '../definition.ts';

const CODE = /^[A-Za-z][A-Za-z0-9_]*$/;
const MAX_QUESTION_CODE = 48;
/** A name in SPSS has at most 64 bytes. Derived columns may use them all: their codes get no suffix any more. */
export const MAX_COLUMN_CODE = 64;

/** Reserved words of SPSS syntax. */
const SPSS_RESERVED_WORDS = [
  'all',
  'and',
  'by',
  'eq',
  'ge',
  'gt',
  'le',
  'lt',
  'ne',
  'not',
  'or',
  'to',
  'with',
];

/** What every response has besides its columns, by the names of the API. */
const OTHER_RESPONSE_FIELDS = ['quality', 'comment_count'];

/** The columns that every response has, and whatever else is called like one: no question may hide them. */
export const METADATA_CODES: readonly string[] = [
  ...[...METADATA_COLUMNS, DELETED_FLAG].map(({ spec }) => spec.columnCode),
  ...OTHER_RESPONSE_FIELDS,
];

/** Names that every JavaScript object has: code that looks a question up in a plain object would find them. */
const OBJECT_NAMES = Object.getOwnPropertyNames(Object.prototype).map((name) => name.toLowerCase());

const RESERVED = new Map<string, string>([
  ...SPSS_RESERVED_WORDS.map((word): [string, string] => [word, 'a reserved word of SPSS']),
  ...METADATA_CODES.map((code): [string, string] => [code, 'the name of a column that every response has']),
  ...OBJECT_NAMES.map((name): [string, string] => [name, 'a reserved name']),
]);

/** Returns why a code is invalid for a question or column; null if it is valid. Does not check uniqueness. */
export function codeProblem(code: string, maxLength = MAX_QUESTION_CODE): string | null {
  if (!CODE.test(code) || code.length > maxLength) {
    return `${quote(code)} is no valid code: a letter, then letters, digits and _, ${maxLength} at most`;
  }
  if (code.endsWith('_')) return `${quote(code)} must not end in _`;
  const reserved = RESERVED.get(code.toLowerCase());
  return reserved === undefined ? null : `${quote(code)} is ${reserved}; choose another code`;
}

/** Codes are compared ignoring case, as SPSS compares variable names. */
export function isCodeTaken(code: string, taken: Iterable<string>): boolean {
  const folded = code.toLowerCase();
  for (const other of taken) if (other.toLowerCase() === folded) return true;
  return false;
}

/** `Q<n>`, one above the highest in use; give it retired questions' codes too. */
export function nextQuestionCode(taken: Iterable<string>): string {
  let highest = 0;
  for (const code of taken) {
    const [, digits] = /^Q(\d{1,9})$/i.exec(code) ?? [];
    if (digits !== undefined) highest = Math.max(highest, Number(digits));
  }
  return `Q${highest + 1}`;
}

/** How many columns a question has, without building them: a matrix can ask for hundreds of thousands. */
export function columnCount(question: Question): number {
  const options = question.options.length;
  const others = question.options.filter(({ other }) => other).length;
  switch (question.type) {
    case 'single_choice':
    case 'dropdown':
      return others > 0 ? 2 : 1;
    case 'multiple_choice':
      return options + others;
    case 'ranking':
      return options;
    case 'matrix':
      return question.settings.rows.length * (question.settings.matrix_type === 'multiple' ? options : 1);
    default:
      return 1;
  }
}

export interface ColumnCollision {
  columnCode: string;
  /** Who has that column: one question where it takes the name of a metadata column, else two. */
  questions: [Question] | [Question, Question];
}

/** Column codes that two questions share, ignoring case: `Q2_1` is a question beside the first option of `Q2`. */
export function columnCollisions(questions: readonly Question[]): ColumnCollision[] {
  const owners = new Map<string, Question>();
  const metadata = new Set(METADATA_CODES);
  const collisions: ColumnCollision[] = [];
  for (const question of questions) {
    const codes = new Set([
      question.code,
      ...codecFor(question)
        .columns(question)
        .map(({ columnCode }) => columnCode),
    ]);
    for (const columnCode of codes) {
      const folded = columnCode.toLowerCase();
      const owner = owners.get(folded);
      if (metadata.has(folded)) collisions.push({ columnCode, questions: [question] });
      else if (owner !== undefined && owner !== question) {
        collisions.push({ columnCode, questions: [owner, question] });
      }
      owners.set(folded, question);
    }
  }
  return collisions;
}

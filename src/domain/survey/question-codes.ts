import { cellCodecFor, typeOf } from '../questions/registry.ts';
import { DELETED_FLAG, METADATA_COLUMNS } from '../responses/metadata-columns.ts';
import { mustBe, quote } from '../../lib/error-messages.ts';
import type { Question } from './definition.ts';

const CODE = /^[A-Za-z][A-Za-z0-9_]*$/;
const MAX_QUESTION_CODE = 48;
/** SPSS names have at most 64 bytes. Codes of derived columns can have this length, because no suffix is added to them. */
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

/** API names of response fields that are not columns. */
const OTHER_RESPONSE_FIELDS = ['quality', 'comment_count'];

/** Codes of metadata columns and other response fields, which question codes must not use. */
export const METADATA_CODES: readonly string[] = [
  ...[...METADATA_COLUMNS, DELETED_FLAG].map(({ spec }) => spec.columnCode),
  ...OTHER_RESPONSE_FIELDS,
];

/** Property names of every JavaScript object, which a lookup in a plain object would find. */
const OBJECT_NAMES = Object.getOwnPropertyNames(Object.prototype).map((name) => name.toLowerCase());

const RESERVED = new Map<string, string>([
  ...SPSS_RESERVED_WORDS.map((word): [string, string] => [word, 'a reserved word of SPSS']),
  ...METADATA_CODES.map((code): [string, string] => [code, 'the name of a column that every response has']),
  ...OBJECT_NAMES.map((name): [string, string] => [name, 'a reserved name']),
]);

/** Returns why a code is invalid for a question or column; null if it is valid. Does not check uniqueness. */
export function codeProblem(code: string, maxLength = MAX_QUESTION_CODE): string | null {
  if (!CODE.test(code) || code.length > maxLength) {
    return mustBe(`a letter followed by letters, digits and _, at most ${maxLength} characters`, code);
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

/** Returns `Q<n>`, one above the highest in use. `taken` must include the codes of retired questions. */
export function nextQuestionCode(taken: Iterable<string>): string {
  let highest = 0;
  for (const code of taken) {
    const [, digits] = /^Q(\d{1,9})$/i.exec(code) ?? [];
    if (digits !== undefined) highest = Math.max(highest, Number(digits));
  }
  return `Q${highest + 1}`;
}

/** Returns the number of columns of a question. */
export function columnCount(question: Question): number {
  return typeOf(question).columnCount(question);
}

export interface ColumnCollision {
  columnCode: string;
  /** The questions with this column: one if it collides with a metadata column, otherwise two. */
  questions: [Question] | [Question, Question];
}

/** Returns column codes that two questions share, ignoring case: a question `Q2_1` collides with the first option of `Q2`. */
export function columnCollisions(questions: readonly Question[]): ColumnCollision[] {
  const owners = new Map<string, Question>();
  const metadata = new Set(METADATA_CODES);
  const collisions: ColumnCollision[] = [];
  for (const question of questions) {
    const codes = new Set([
      question.code,
      ...cellCodecFor(question)
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

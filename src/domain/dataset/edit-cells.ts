import { duplicateItem, mustBe, notAllowedWith, quote, unknownObject } from '../../lib/error-messages.ts';
import type { ErrorDetail } from '../../lib/errors.ts';
import {
  answersEqual,
  answerState,
  type AnswerState,
  type AnswerStates,
  type EditableAnswers,
  originalAnswer,
} from '../responses/response-row.ts';
import type { StoredAnswer } from '../questions/answers/codec.ts';
import { reasonAnswer } from '../questions/answers/no-answer.ts';
import { isRecord } from '../questions/answers/read-answer.ts';
import { codecFor } from '../questions/registry.ts';
import { type NoAnswerReason, noAnswerReasonOf } from '../columns/no-answer.ts';
import {
  binaryColumnsOfSet,
  type CatalogColumn,
  type ColumnCatalog,
  type QuestionColumns,
} from './column-catalog.ts';
import { readPreviousCode } from '../survey/previous-codes.ts';
import { type Cell, type ColumnSpec, valueNotFound } from '../columns/column-spec.ts';

export interface ReadEdits {
  edits: QuestionEdit[];
  /** Invalid input. */
  problems: ErrorDetail[];
  /** Existing columns that cannot be edited. */
  notEditable: ErrorDetail[];
}

/** Each search for similar codes compares all columns, so their number is limited. */
const MAX_SUGGESTIONS = 20;
const SHOWN_CHARACTERS = 60;

/** Reads `{column_code: value}` objects, one per response. Each column is looked up once. */
export class CellEditReader {
  /** Codes of all editable columns read so far. */
  readonly columnCodes = new Set<string>();
  readonly #catalog: ColumnCatalog;
  #suggested = 0;

  constructor(catalog: ColumnCatalog) {
    this.#catalog = catalog;
  }

  /** `field`: path of the values in the request. */
  read(values: Readonly<Record<string, unknown>>, field: string): ReadEdits {
    const result: ReadEdits = { edits: [], problems: [], notEditable: [] };
    const byQuestion = new Map<unknown, QuestionEdit>();
    const seen = new Set<CatalogColumn>();
    for (const [code, value] of Object.entries(values)) {
      const fieldPath = `${field}.${code.slice(0, SHOWN_CHARACTERS)}`;
      const addProblem = (message: string) => result.problems.push({ field: fieldPath, message });
      const entry = this.#catalog.find(code);
      if (entry === undefined) {
        addProblem(this.#unknown(code));
        continue;
      }
      const reason = notEditableReason(entry);
      const { origin, spec } = entry;
      if (reason !== null || origin.kind !== 'question') {
        result.notEditable.push({ field: fieldPath, message: reason ?? 'cannot be edited' });
        continue;
      }
      if (seen.has(entry)) {
        addProblem(duplicateItem(spec.columnCode));
        continue;
      }
      seen.add(entry);
      const edit = byQuestion.get(origin.questionColumns) ?? {
        columns: origin.questionColumns,
        cells: new Map<string, Cell>(),
      };
      byQuestion.set(origin.questionColumns, edit);
      const problem = addEdit(edit, entry, value);
      if (problem !== null) addProblem(problem);
      else this.columnCodes.add(spec.columnCode);
    }
    result.edits = [...byQuestion.values()];
    return result;
  }

  #unknown(code: string): string {
    const similar = this.#suggested++ < MAX_SUGGESTIONS ? this.#catalog.similarCodes(code) : [];
    return unknownObject({ kind: 'column', idOrCode: code, scope: '', alternatives: { similar } });
  }
}

/** Converts a JSON value to a cell; undefined if it is not one. JSON numbers are always finite. */
function asCell(value: unknown, isFlag: boolean): Cell | undefined {
  if (value === null || typeof value === 'string' || typeof value === 'number') return value;
  if (typeof value === 'boolean' && isFlag) return value ? 1 : 0;
  if (!Array.isArray(value)) return undefined;
  const values = value.map((item: unknown) => (typeof item === 'number' ? String(item) : item));
  return values.every((item): item is string => typeof item === 'string') ? values : undefined;
}

interface LiteralSearch {
  /** Whether the text contains (or equals) the search text. */
  matches(text: string): boolean;
  /** Returns the text with every occurrence replaced, or null if it would exceed the maximum cell length. */
  replaceAll(text: string): string | null;
}

export interface LiteralSearchInput {
  find: string;
  replace: string;
  matchCase: boolean;
  /** Match whole texts only. An empty `find` then matches empty texts; otherwise it matches nothing. */
  matchEntireCell: boolean;
}

/** Longer than any question allows; limits the growth when a short text occurs many times. */
const MAX_REPLACED_CHARACTERS = 200_000;

/**
 * Searches for a literal text, not a pattern. Without `matchCase`, letters match by Unicode simple case folding, which maps characters one
 * to one ("ß" matches "ẞ", "σ" matches "ς", "İ" only itself). Texts are compared in their stored form: NFC with \n line endings.
 */
export function createLiteralSearch(input: LiteralSearchInput): LiteralSearch {
  const find = input.find.replaceAll('\r\n', '\n').normalize('NFC');
  const replacement = input.replace.normalize('NFC');
  if (find === '') {
    const isFound = (text: string) => input.matchEntireCell && text === '';
    return { matches: isFound, replaceAll: (text) => (isFound(text) ? replacement : text) };
  }
  const literal = find.replace(/[\\^$.*+?()[\]{}|/-]/gu, escapeCharacter);
  const source = input.matchEntireCell ? `^${literal}$` : literal;
  const flags = input.matchCase ? 'u' : 'iu';
  const one = new RegExp(source, flags);
  const all = new RegExp(source, `g${flags}`);
  return {
    matches: (text) => one.test(text),
    replaceAll(text) {
      // There are at most as many matches as characters, so only long replacements need counting.
      if (text.length * replacement.length > MAX_REPLACED_CHARACTERS) {
        let found = 0;
        for (const match of text.matchAll(all))
          if (match.index + ++found * replacement.length > MAX_REPLACED_CHARACTERS) return null;
      }
      // A function, because "$&" is special in a replacement string.
      return text.replace(all, () => replacement);
    },
  };
}

/** Escapes a character by its code point, which is literal under all flags. */
const escapeCharacter = (sign: string): string => `\\u{${(sign.codePointAt(0) ?? 0).toString(16)}}`;

/** Search and replacement for one column. */
export interface ColumnReplacement {
  entry: CatalogColumn;
  /** `isShown`: an empty cell only matches if the question was shown. */
  matches: (cell: Cell, isShown: boolean) => boolean;
  /** Returns null if the text would become too long. */
  replace: (cell: Cell) => { cell: Cell } | null;
}

/** Whether cells match only as complete values, so that "1" does not match "10". */
const isCoded = ({ values }: ColumnSpec): boolean => values.length > 0;

/** Returns why the column cannot hold the replacement, or null. Checked before the search. */
export function replacementProblem({ spec }: CatalogColumn, replace: string): string | null {
  if (!isCoded(spec) || replace === '' || spec.values.some(({ value }) => value === replace)) return null;
  return valueNotFound(spec, replace);
}

/**
 * Texts, dates and numbers are searched for a substring; columns with values for a whole value, and multiple-response sets for a chosen
 * value.
 */
export function createColumnReplacement(entry: CatalogColumn, input: LiteralSearchInput): ColumnReplacement {
  const { spec } = entry;
  const search = createLiteralSearch({ ...input, matchEntireCell: input.matchEntireCell || isCoded(spec) });
  const findsEmpty = input.find === '' && input.matchEntireCell;
  return {
    entry,
    matches(cell, isShown) {
      if (cell === null) return findsEmpty && isShown;
      if (findsEmpty) return false;
      return Array.isArray(cell) ? cell.some((value) => search.matches(value)) : search.matches(String(cell));
    },
    replace(cell) {
      if (Array.isArray(cell)) {
        const values = cell.map((value) => (search.matches(value) ? input.replace : value));
        return { cell: [...new Set(values)].filter((value) => value !== '') };
      }
      if (cell === null) return { cell: input.replace };
      const text = search.replaceAll(String(cell));
      return text === null ? null : { cell: text };
    },
  };
}

/** Returns the cells of a response that a replacement changes, by question. Problems name the column. */
export function findReplacements(
  response: EditableAnswers,
  columns: readonly ColumnReplacement[],
): { edits: QuestionEdit[]; problems: string[] } {
  const edits = new Map<unknown, QuestionEdit>();
  const problems: string[] = [];
  for (const { entry, matches, replace: replaced } of columns) {
    const { origin, spec } = entry;
    if (origin.kind !== 'question') continue;
    const state = answerState(response.answers, origin.questionColumns.question.code);
    const cell = cellOf(entry, state[0]);
    if (!matches(cell, state.length > 0)) continue;
    const result = replaced(cell);
    const edit = edits.get(origin.questionColumns) ?? {
      columns: origin.questionColumns,
      cells: new Map<string, Cell>(),
    };
    edits.set(origin.questionColumns, edit);
    const problem = result === null ? 'would become too long' : addCellEdit(edit, entry, result.cell);
    if (problem !== null) problems.push(`${spec.columnCode} ${problem}`);
  }
  return { edits: [...edits.values()], problems };
}

/** What to restore: a whole question, or some of its columns. */
export interface RestoreTarget {
  columns: QuestionColumns;
  /** null: the whole answer. */
  columnCodes: ReadonlySet<string> | null;
}

/**
 * Resolves a code to the columns to restore; null if it is unknown. A question's own code means its whole answer, including the text of
 * "other" options.
 */
export function resolveRestoreTarget(catalog: ColumnCatalog, code: string): RestoreTarget | null {
  const wholeQuestion = catalog.question(code);
  if (wholeQuestion !== undefined) return { columns: wholeQuestion, columnCodes: null };
  const entry = catalog.find(code);
  if (entry?.origin.kind !== 'question') return null;
  const { questionColumns, part, index } = entry.origin;
  if (part === 'column') return { columns: questionColumns, columnCodes: new Set([entry.spec.columnCode]) };
  return {
    columns: questionColumns,
    columnCodes: new Set(binaryColumnsOfSet(questionColumns, index).map(({ columnCode }) => columnCode)),
  };
}

/** Restores every answer exactly as submitted, even if the question has changed since. */
export const restoreAllAnswers = (response: EditableAnswers): EditResult => ({
  ok: true,
  states: response.originals ?? {},
});

/** Restores some answers, or some of their cells, as submitted. */
export function restoreTargets(
  response: EditableAnswers,
  parts: readonly RestoreTarget[],
  catalog: ColumnCatalog,
): EditResult {
  const states = new Map<string, AnswerState>();
  for (const { columns: questionColumns, columnCodes } of parts) {
    const { question, codec } = questionColumns;
    const { code } = question;
    if (response.originals === null || !Object.hasOwn(response.originals, code)) continue;
    const original = originalAnswer(response, code);
    if (columnCodes === null || noAnswerReasonOf(original[0]) !== null) {
      states.set(code, original);
      continue;
    }
    const cells = new Map<string, Cell>();
    for (const columnCode of columnCodes) {
      const column = catalog.find(columnCode);
      if (column === undefined) throw new Error(`no column ${columnCode} in the catalog`);
      cells.set(columnCode, cellOf(column, original[0]));
    }
    const now = answerState(response.answers, code);
    const result = codec.fromCells(question, now[0], cells);
    if (!result.ok) return result;
    const isOriginal = answersEqual(result.answer, original[0] ?? null);
    states.set(code, isOriginal ? original : [result.answer]);
  }
  return { ok: true, states: Object.fromEntries(states) };
}

/** New cell values of one question, by column code. */
export interface QuestionEdit {
  columns: QuestionColumns;
  cells: Map<string, Cell>;
  /** Replaces the answer. */
  reason?: NoAnswerReason;
}

type EditResult = { ok: true; states: AnswerStates } | { ok: false; problems: ErrorDetail[] };

/** Returns why a column cannot be edited, or null if it can. */
export function notEditableReason({ spec, origin }: CatalogColumn): string | null {
  if (origin.kind === 'metadata') return `${spec.columnCode} describes the response and is set by the server`;
  if (readPreviousCode(spec.columnCode) !== null)
    return `${spec.columnCode} holds an answer of an earlier response: edit that response`;
  if (origin.kind === 'derived')
    return `${spec.columnCode} is made from other columns; edit those, or change what it is made by`;
  return spec.editable ? null : `${spec.columnCode} holds files, which only respondents upload`;
}

/** Returns the cell of a question's column or multiple-response set in an answer. */
export function cellOf(entry: CatalogColumn, answer: StoredAnswer | null | undefined): Cell {
  const { origin } = entry;
  if (origin.kind !== 'question') return null;
  const { codec, question } = origin.questionColumns;
  if (origin.part === 'column') return codec.toCells(question, answer)[origin.index] ?? null;
  if (codec.toSetCell) return codec.toSetCell(question, answer);
  const cells = codec.toCells(question, answer);
  // A matrix has one set per row, with one cell per option.
  const start = origin.index * question.options.length;
  if (cells[start] == null) return null;
  return entry.spec.values.flatMap(({ value }, index) => (cells[start + index] === 1 ? [value] : []));
}

/** Adds a changed cell, or a reason instead of an answer, which the whole question has. Returns a problem, or null. */
function addEdit(edit: QuestionEdit, entry: CatalogColumn, value: unknown): string | null {
  if (isRecord(value)) {
    const { question } = edit.columns;
    const read = codecFor(question).read(question, value, 'draft');
    const reason = read.ok ? noAnswerReasonOf(read.answer) : null;
    if (reason === null)
      return read.ok ? describeInvalidCell(value) : (read.problems[0]?.message ?? describeInvalidCell(value));
    edit.reason = reason;
    return null;
  }
  const cell = asCell(value, entry.spec.type === 'binary');
  return cell === undefined ? describeInvalidCell(value) : addCellEdit(edit, entry, cell);
}

const describeInvalidCell = (value: unknown): string =>
  mustBe(
    'a text, a number, a list of option values, a reason such as {"no_answer": "refused"} or null',
    value,
  );

/** Adds a changed cell in the form that the question's codec accepts. Returns a problem, or null. */
function addCellEdit(edit: QuestionEdit, entry: CatalogColumn, cell: Cell): string | null {
  const { origin, spec } = entry;
  const isRowSet =
    origin.kind === 'question' && origin.part === 'set' && !origin.questionColumns.codec.toSetCell;
  if (!isRowSet) {
    edit.cells.set(spec.columnCode, cell);
    return null;
  }
  if (cell !== null && !Array.isArray(cell)) return mustBe('a list of option values', cell);
  const chosen = new Set(cell);
  const newValue = [...chosen].find((value) => !spec.values.some((known) => known.value === value));
  if (newValue !== undefined) return valueNotFound(spec, newValue);
  binaryColumnsOfSet(edit.columns, origin.index).forEach(({ columnCode }, index) => {
    // An explicitly given 0/1 cell takes precedence over the set.
    if (edit.cells.has(columnCode)) return;
    const option = spec.values[index];
    edit.cells.set(
      columnCode,
      cell === null ? null : Number(option !== undefined && chosen.has(option.value)),
    );
  });
  return null;
}

/**
 * Applies cell edits to the answers of a response. Editing a question that was not shown answers it; if no value remains, it is not shown
 * again. The field of a problem is the column code.
 */
export function applyEdits(response: EditableAnswers, edits: readonly QuestionEdit[]): EditResult {
  const states = new Map<string, AnswerState>();
  const problems: ErrorDetail[] = [];
  for (const { columns: questionColumns, cells, reason } of edits) {
    const { code } = questionColumns.question;
    if (reason !== undefined) {
      const [other] = [...cells].flatMap(([column, cell]) => (cell === null ? [] : [column]));
      if (other === undefined) states.set(code, [reasonAnswer(reason)]);
      else problems.push({ field: other, message: notAllowedWith(`the reason ${quote(reason)}`) });
      continue;
    }
    const now = answerState(response.answers, code);
    const result = questionColumns.codec.fromCells(questionColumns.question, now[0], cells);
    if (!result.ok) problems.push(...result.problems);
    else if (result.answer !== null) states.set(code, [result.answer]);
    else states.set(code, originalAnswer(response, code).length === 0 ? [] : [null]);
  }
  return problems.length > 0 ? { ok: false, problems } : { ok: true, states: Object.fromEntries(states) };
}

/** Counts the cells in which two versions of the same answers differ. */
export function countChangedCells(catalog: ColumnCatalog, before: AnswerStates, after: AnswerStates): number {
  let count = 0;
  for (const [code, [previous]] of Object.entries(before)) {
    const questionColumns = catalog.question(code);
    // A permanently deleted question counts as one cell.
    if (questionColumns === undefined) count++;
    else {
      const next = after[code]?.[0];
      const isSameReason = noAnswerReasonOf(previous) === noAnswerReasonOf(next);
      const cells = questionColumns.codec.toCells(questionColumns.question, next);
      questionColumns.codec.toCells(questionColumns.question, previous).forEach((cell, index) => {
        if (cell !== cells[index] || !isSameReason) count++;
      });
    }
  }
  return count;
}

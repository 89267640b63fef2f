import { readPreviousCode } from '../../../../domain/survey/previous-codes.ts';
import type { Schema } from '../data/api.ts';
import type { QuestionContent, QuestionSettings } from '../question-types/question-type.ts';
import { columnsForRequest, tableColumnsOf } from '../question-types/table-columns.ts';
import type { MatrixRow } from '../question-types/tables.ts';

export type Condition = Schema<'Condition'>;
export type EditorOption = Schema<'Option'>;
export type QuestionLogic = Schema<'QuestionLogic'>;
export type PageLogic = Schema<'PageLogic'>;

/** A question as it is edited. Its options may include empty ones that the user has not filled in yet. */
export interface EditorQuestion extends QuestionContent {
  question_id: number;
  page_id: number;
  question_text: string;
  question_code: string;
  question_required: boolean;
  options: readonly EditorOption[];
}

/** Whether the question is one of the earlier survey, to whose answers logic and texts can refer. */
export const isPrevious = ({ question_code: code }: Pick<EditorQuestion, 'question_code'>): boolean =>
  readPreviousCode(code) !== null;

/** The fields of a question that is created; the API checks the other ones. */
export type NewQuestionFields = Pick<EditorQuestion, 'question_type' | 'question_text'> & Changes;

export interface EditorPage {
  page_id: number;
  page_title: string | null;
  page_description: string | null;
  page_logic: PageLogic | null;
  block_id: number | null;
  /** The arm of the block that sees the page; null: every arm. */
  shown_to_arm: string | null;
  page_arrangement: Schema<'Page'>['page_arrangement'];
  questionIds: readonly number[];
}

export const toEditorQuestion = (question: Schema<'Question'>): EditorQuestion => ({
  question_id: question.question_id,
  page_id: question.page_id,
  question_type: question.question_type,
  question_text: question.question_text,
  question_code: question.question_code,
  question_required: question.question_required,
  question_settings: { ...question.question_settings },
  options: question.options,
});

/** The logic of a question; null: none. */
export const logicOf = ({ question_settings: { logic } }: QuestionContent): QuestionLogic | null =>
  typeof logic === 'object' ? logic : null;

export const toEditorPage = (page: Omit<Schema<'PageWithQuestions'>, 'questions'>): EditorPage => ({
  page_id: page.page_id,
  page_title: page.page_title,
  page_description: page.page_description,
  page_logic: page.page_logic,
  block_id: page.block_id,
  shown_to_arm: page.shown_to_arm,
  page_arrangement: page.page_arrangement,
  questionIds: page.question_ids,
});

/** Fields of a request, by name. */
export type Changes = Readonly<Record<string, unknown>>;

export const isEqual = (a: unknown, b: unknown): boolean =>
  a === b || JSON.stringify(a) === JSON.stringify(b);

/** The fields of `after` that differ from `before`. */
function changedFields(before: Changes, after: Changes): Record<string, unknown> {
  return Object.fromEntries(Object.entries(after).filter(([name, value]) => !isEqual(before[name], value)));
}

export const isFilledOption = ({ option_label: label }: EditorOption): boolean => label.trim() !== '';

/** The options as a request has them. Empty ones are left out. Their order is that of the list. */
const optionsForRequest = (options: readonly EditorOption[]): object[] =>
  options.filter(isFilledOption).map((option) => ({
    option_code: option.option_code,
    option_value: option.option_value,
    option_label: option.option_label.trim(),
    option_image: option.option_image,
    option_exclusive: option.option_exclusive,
    option_other: option.option_other,
    option_anchor: option.option_anchor,
    option_missing: option.option_missing,
  }));

function settingsForRequest(settings: QuestionSettings): Record<string, unknown> {
  const rows = settings.rows as readonly MatrixRow[] | undefined;
  if (rows === undefined) return settings;
  const columns = tableColumnsOf({ question_settings: settings });
  return {
    ...settings,
    rows: rows.filter(({ row_label: label }) => label.trim() !== ''),
    ...(columns.length > 0 && { columns: columnsForRequest(columns) }),
  };
}

/** A whole question as a request has it, for creating it. `code` null: the API gives the next free one. */
export function questionForRequest(
  question: EditorQuestion,
  code: string | null = question.question_code,
): NewQuestionFields {
  return {
    question_type: question.question_type,
    question_text: question.question_text,
    ...(code === null ? {} : { question_code: code }),
    question_required: question.question_required,
    question_settings: settingsForRequest(question.question_settings),
    options: optionsForRequest(question.options),
  };
}

/** The request with other codes of questions in its logic and placeholders. Rules lead to other places of the survey and are left out. */
export function withCodes(fields: NewQuestionFields, codes: ReadonlyMap<string, string>): NewQuestionFields {
  const replace = (value: unknown, name: string): unknown => {
    if (typeof value === 'string') {
      if (name === 'code' || name === 'from') return codes.get(value) ?? value;
      return value.replace(/(?<=\{\{ ?)[A-Za-z]\w{0,47}(?=[^\w.])/g, (code) => codes.get(code) ?? code);
    }
    if (Array.isArray(value)) return value.map((item) => replace(item, ''));
    if (typeof value !== 'object' || value === null) return value;
    // The codes of the earlier survey stay.
    if ('type' in value && value.type === 'previous') return value;
    const entries = Object.entries(value).filter(([key]) => key !== 'skip');
    return Object.fromEntries(entries.map(([key, item]) => [key, replace(item, key)]));
  };
  return replace(fields, '') as NewQuestionFields;
}

/** The requests that create the copies. A code that is taken is left out, so that the API gives the next free one. */
export function copiesOf(
  questions: readonly EditorQuestion[],
  takenCodes: readonly string[],
): NewQuestionFields[] {
  const taken = new Set(takenCodes.map((code) => code.toLowerCase()));
  return questions.map((question) => {
    const { question_code: code, question_settings: settings } = question;
    const isTaken = taken.has(code.toLowerCase());
    return questionForRequest(
      { ...question, question_settings: { ...settings, logic: null } },
      isTaken ? null : code,
    );
  });
}

/** Settings that every type has. */
export const COMMON_SETTINGS: ReadonlySet<string> = new Set([
  'description',
  'image_url',
  'image_alt',
  'media_url',
  'media_alt',
  'media_captions',
  'placeholder',
  'shuffle',
  'hidden',
  'no_answers',
  'report_label',
  'logic',
  'translations',
]);

const withoutCommon = (settings: Changes): Changes =>
  Object.fromEntries(Object.entries(settings).filter(([name]) => !COMMON_SETTINGS.has(name)));

/** The request that changes a question from `before` to `after`; null if nothing differs. */
export function questionChanges(before: EditorQuestion, after: EditorQuestion): Changes | null {
  const { question_settings: oldSettings, ...oldFields } = questionForRequest(before);
  const { question_settings: newSettings, ...newFields } = questionForRequest(after);
  const changes = changedFields(oldFields, newFields);
  const settings = changedFields(oldSettings as Changes, newSettings as Changes);
  // With another type, the API keeps the settings of all types only.
  const isSameType = before.question_type === after.question_type;
  const sent = isSameType ? settings : { ...withoutCommon(newSettings as Changes), ...settings };
  if (Object.keys(sent).length > 0) changes.question_settings = sent;
  return Object.keys(changes).length === 0 ? null : changes;
}

/** The changed fields of a question, and its changed settings. */
function splitChanges(before: EditorQuestion, after: EditorQuestion): { fields: Changes; settings: Changes } {
  const { question_settings: settings = {}, ...fields } = questionChanges(before, after) ?? {};
  return { fields, settings: settings as Changes };
}

/** Whether both change a field, to different values. */
const isContradiction = (mine: Changes, theirs: Changes): boolean =>
  Object.keys(mine).some((name) => name in theirs && !isEqual(mine[name], theirs[name]));

/** The edits of two people from the same version, together; null if they contradict each other. */
export function mergeQuestions(
  before: EditorQuestion,
  mine: EditorQuestion,
  theirs: EditorQuestion,
): EditorQuestion | null {
  const { fields: myFields, settings: mySettings } = splitChanges(before, mine);
  const { fields: theirFields, settings: theirSettings } = splitChanges(before, theirs);
  // Another type gives the other fields another meaning.
  if (mine.question_type !== theirs.question_type) return null;
  if (isContradiction(myFields, theirFields) || isContradiction(mySettings, theirSettings)) return null;
  return {
    ...theirs,
    ...(Object.fromEntries(
      Object.keys(myFields).map((name) => [name, mine[name as keyof EditorQuestion]]),
    ) as Partial<EditorQuestion>),
    question_settings: { ...theirs.question_settings, ...mySettings },
  };
}

/** As `mergeQuestions`, of pages. */
export function mergePages(before: EditorPage, mine: EditorPage, theirs: EditorPage): EditorPage | null {
  const myFields = pageChanges(before, mine) ?? {};
  if (isContradiction(myFields, pageChanges(before, theirs) ?? {})) return null;
  return { ...theirs, ...myFields };
}

/** The request that changes a page from `before` to `after`; null if nothing differs. */
export function pageChanges(before: EditorPage, after: EditorPage): Changes | null {
  const fieldsOf = ({ page_title, page_description, page_logic, page_arrangement }: EditorPage) => ({
    page_title,
    page_description,
    page_logic,
    page_arrangement,
  });
  const changes = changedFields(fieldsOf(before), fieldsOf(after));
  return Object.keys(changes).length === 0 ? null : changes;
}

/** Codes that the API assigned, for options that were edited further during the request. */
export const withAssignedCodes = (
  options: readonly EditorOption[],
  saved: readonly EditorOption[],
): EditorOption[] =>
  options.map((option) => {
    const match = saved.find(({ option_value: value }) => value === option.option_value);
    return match === undefined ? option : { ...option, option_code: match.option_code };
  });

/** Returns an empty option. Its value stays when its label changes, so that answers and logic keep their meaning. */
export function newOption(number: number, label = ''): EditorOption {
  return {
    option_code: number,
    option_value: String(number),
    option_label: label,
    option_order: number,
    option_image: null,
    option_exclusive: false,
    option_other: false,
    option_anchor: false,
    option_missing: false,
    retired: false,
  };
}

/** The first number that is neither a code nor a value of the options and is above `highest`. */
export function nextOptionNumber(options: readonly EditorOption[], highest = 0): number {
  const numbers = options.flatMap(({ option_code: code, option_value: value }) => [
    code,
    Number.isInteger(Number(value)) ? Number(value) : 0,
  ]);
  return Math.max(highest, 0, ...numbers) + 1;
}

/** Splits pasted text into labels: one per line, without bullets and numbering. */
export const labelsFromText = (text: string): string[] =>
  text
    .split(/\r?\n/)
    .map((line) => line.replace(/^\s*(?:[-*•–]\s+|\(?\d{1,3}[.)]\s+)?/, '').trim())
    .filter((line) => line !== '');

/** Returns the list with the item at `from` moved to the index `to`. */
export function moveItem<T>(items: readonly T[], from: number, to: number): T[] {
  const moved = [...items];
  moved.splice(to, 0, ...moved.splice(from, 1));
  return moved;
}

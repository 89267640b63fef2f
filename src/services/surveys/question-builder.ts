import { commonSettings } from '../../domain/questions/common-settings.ts';
import { type Question, questionsOf, type SurveyDefinition } from '../../domain/survey/definition.ts';
import { positionProblem } from '../../lib/item-order.ts';
import type { OptionInput } from '../../domain/questions/option-input.ts';
import type { Table } from '../../domain/questions/question-type.ts';
import { reconcileOptions, type OptionsResult } from '../../domain/questions/options.ts';
import { codeProblem, isCodeTaken } from '../../domain/survey/question-codes.ts';
import { completeTable } from '../../domain/survey/tables.ts';
import { noAnswerCodeProblems } from '../../domain/questions/no-answer-codes.ts';
import { parseQuestionSettings } from '../../domain/questions/parse-question-settings.ts';
import {
  asksRespondents,
  questionSettingsSchemas,
  type QuestionType,
  requiredProblem,
  tableOf,
  takesOptions,
  typeOf,
} from '../../domain/questions/registry.ts';
import {
  carryForwardOf,
  findUnknownSkipTargets,
  type LogicNames,
  readQuestionLogic,
} from '../../domain/survey/logic/read-logic.ts';
import type { QuestionLogic } from '../../domain/questions/logic-schema.ts';
import type { TranslationPaths } from '../../domain/survey/translations/translation-sources.ts';
import { alreadyUsed, unknownObject } from '../../lib/error-messages.ts';
import { type AppError, conflict, type ErrorDetail } from '../../lib/errors.ts';
import { requireItem } from '../../lib/require-value.ts';
import { mergeSettings } from '../../lib/settings.ts';

/**
 * undefined: unchanged. Settings: only the given keys change; a null key, or null for all, restores the default.
 * Options: the complete list.
 */
export interface QuestionChanges {
  pageId?: number | undefined;
  /** Position on its page, from 1; undefined: unchanged, or the end of a new page. */
  position?: number | undefined;
  type?: QuestionType | undefined;
  text?: string | undefined;
  code?: string | undefined;
  required?: boolean | undefined;
  settings?: Record<string, unknown> | null | undefined;
  options?: OptionInput[] | null | undefined;
  /** false: restores a retired question; true: no change. */
  retired?: boolean | undefined;
  /** Translations that belong to the current texts. */
  confirmedTranslations?: TranslationPaths | null | undefined;
}

interface BuildContext {
  isNew: boolean;
  /** The question may have answers. */
  hasData: boolean;
  highestCode: number;
  /** Path of the question in the request: empty, or `pages[0].questions[2].`. */
  at: string;
}

export interface BuiltQuestion {
  question: Question;
  /** undefined: the options are unchanged. */
  highestOptionCode: number | undefined;
}

/**
 * A question without its logic, except `carry_forward`: logic may name questions that come later in the same request.
 */
export interface QuestionDraft extends BuiltQuestion {
  logic: unknown;
  logicBefore: QuestionLogic | null;
  at: string;
}

type Checked<T> = { ok: true; value: T } | { ok: false; problems: ErrorDetail[] };

/** Limits the total size of settings: conditions and translations have no separate limit. */
const MAX_SETTINGS_CHARACTERS = 100_000;

/** Settings of all types, which survive a change of type, except the imported variable, which describes data of the former type. */
const COMMON_SETTINGS: ReadonlySet<string> = new Set(
  Object.keys(commonSettings).filter((name) => name !== 'variable'),
);

/**
 * Applies changes to a question, without its logic, which `finishQuestion` adds. Returns all problems. Throws 409 for
 * a code that another question has, and for changes to options that have data.
 */
export function draftQuestion({
  definition,
  before,
  changes,
  context,
}: {
  definition: SurveyDefinition;
  before: Question;
  changes: QuestionChanges;
  context: BuildContext;
}): Checked<QuestionDraft> {
  const problems: ErrorDetail[] = [];
  const type = changes.type ?? before.type;
  const pageId = changes.pageId ?? before.pageId;
  const page = definition.pages.find(({ id, retired }) => id === pageId && !retired);
  if (changes.pageId !== undefined && page === undefined) {
    problems.push({
      field: 'page_id',
      message: unknownObject({ kind: 'page', idOrCode: changes.pageId, scope: 'in this survey' }),
    });
  }
  if (changes.position !== undefined && page !== undefined) {
    const message = positionProblem(page.questions, before.id, changes.position);
    if (message !== null) problems.push({ field: 'position', message });
  }
  const requiredMessage = requiredProblem(type, changes.required);
  if (requiredMessage !== null) problems.push({ field: 'question_required', message: requiredMessage });
  const code = codeOf({ definition, before, changes, buildContext: context, problems });

  const { logic, ...input } = settingsInput({ before, type, changes, buildContext: context });
  const matrix = context.isNew ? rowsFromOptions(type, input, changes.options) : null;
  if (matrix?.ok === false) problems.push(...matrix.problems);
  const options = optionsOf({
    before,
    type,
    changes: matrix?.ok ? { ...changes, options: matrix.columns } : changes,
    buildContext: context,
  });
  const kept = new Set(Object.keys(input).filter((name) => changes.settings?.[name] === undefined));
  const settings = parseQuestionSettings(type, matrix?.ok ? { ...input, rows: matrix.rows } : input, kept);
  if (!settings.ok && matrix?.ok !== false) problems.push(...settings.problems);
  if (options !== null && !options.ok) problems.push(...options.problems);
  if (problems.length > 0 || !settings.ok || options?.ok === false) {
    return { ok: false, problems: problems.map((one) => ({ ...one, field: context.at + one.field })) };
  }

  const question = {
    ...before,
    pageId,
    type,
    text: changes.text ?? before.text,
    code,
    required: (changes.required ?? before.required) && asksRespondents({ type }),
    settings: { ...settings.settings, logic: carryForwardOf(logic) },
    options: options?.options ?? before.options,
    retired: changes.retired === false ? false : before.retired,
    // The settings were parsed for this type.
  } as Question;
  const table = tableOf(question);
  if (table !== null) {
    const completed = completedTable({ before, table, dataExist: context.hasData });
    if (!completed.ok)
      return {
        ok: false,
        problems: completed.problems.map((one) => ({
          ...one,
          field: `${context.at}question_settings.${one.field}`,
        })),
      };
    Object.assign(question.settings, completed.table);
  }
  const conflicts = noAnswerCodeProblems(question);
  if (conflicts.length > 0) {
    const field = `${context.at}question_settings.`;
    return { ok: false, problems: conflicts.map((one) => ({ ...one, field: field + one.field })) };
  }
  const logicBefore = context.isNew ? null : before.settings.logic;
  return {
    ok: true,
    value: { question, highestOptionCode: options?.highestCode, logic, logicBefore, at: context.at },
  };
}

/** Completes a table. Throws 409 for changes to options that have data. */
function completedTable({
  before,
  table,
  dataExist,
}: {
  before: Question;
  table: Table;
  dataExist: boolean;
}): ReturnType<typeof completeTable> {
  const known = tableOf(before);
  const completed = completeTable(known, table, dataExist);
  if (!completed.ok && dataExist && completeTable(known, table, false).ok)
    throw fixedByData(completed.problems);
  return completed;
}

/** Adds the logic to a draft. `names` and `definition` belong to the survey with all its drafts. */
export function finishQuestion(
  { question, highestOptionCode, logic: input, logicBefore, at }: QuestionDraft,
  definition: SurveyDefinition,
  names: LogicNames,
): Checked<BuiltQuestion> {
  const field = `${at}question_settings`;
  const read = readQuestionLogic(input, names, `${field}.logic`);
  if (!read.ok) return read;
  const settings = { ...question.settings, logic: read.logic };
  const problems = findUnknownSkipTargets(read.logic, logicBefore, definition).map((one) => ({
    ...one,
    field: `${field}.logic.${one.field}`,
  }));
  const size = JSON.stringify(settings).length;
  if (size > MAX_SETTINGS_CHARACTERS) {
    const message = `is ${size} characters of JSON; at most ${MAX_SETTINGS_CHARACTERS} are allowed`;
    problems.push({ field, message });
  }
  if (problems.length > 0) return { ok: false, problems };
  return { ok: true, value: { question: { ...question, settings } as Question, highestOptionCode } };
}

/** Returns null if the rows are given, there are no options to derive them from, or the type has no rows. */
function rowsFromOptions(
  type: QuestionType,
  settings: Record<string, unknown>,
  options: QuestionChanges['options'],
) {
  const hasRows = settings.rows !== undefined && settings.rows !== null;
  if (hasRows || !options || options.length === 0) return null;
  return typeOf({ type }).rowsFromOptions?.(options) ?? null;
}

function codeOf({
  definition,
  before,
  changes,
  buildContext: { isNew, at },
  problems,
}: {
  definition: SurveyDefinition;
  before: Question;
  changes: QuestionChanges;
  buildContext: BuildContext;
  problems: ErrorDetail[];
}): string {
  const code = changes.code ?? before.code;
  if (!isNew && code === before.code) return code;
  const problem = codeProblem(code);
  if (problem !== null) {
    problems.push({ field: 'question_code', message: problem });
    return code;
  }
  const others = questionsOf(definition, 'all').filter((question) => question.id !== before.id);
  if (
    isCodeTaken(
      code,
      others.map((question) => question.code),
    )
  ) {
    throw conflict(
      'question_code_taken',
      `${at}question_code: ${alreadyUsed(code, 'another question of this survey')} (codes are not case-sensitive; retired questions keep theirs)`,
    );
  }
  return code;
}

function settingsInput({
  before,
  type,
  changes,
  buildContext: { isNew },
}: {
  before: Question;
  type: QuestionType;
  changes: QuestionChanges;
  buildContext: BuildContext;
}): Record<string, unknown> {
  if (isNew || changes.settings === null) return mergeSettings({}, changes.settings ?? {});
  const haveSameSettings = questionSettingsSchemas[type] === questionSettingsSchemas[before.type];
  const retained = Object.entries(before.settings).filter(
    ([key]) => haveSameSettings || COMMON_SETTINGS.has(key),
  );
  return mergeSettings(Object.fromEntries(retained), changes.settings ?? {});
}

/** Returns null if the options are unchanged. */
function optionsOf({
  before,
  type,
  changes,
  buildContext: { hasData: fixed, highestCode },
}: {
  before: Question;
  type: QuestionType;
  changes: QuestionChanges;
  buildContext: BuildContext;
}): OptionsResult | null {
  if (changes.options === undefined) {
    const drop = before.options.length > 0 && !takesOptions(type);
    return drop ? { ok: true, options: [], highestCode } : null;
  }
  const change = { type, existing: before.options, input: changes.options ?? [], highestCode };
  const result = reconcileOptions({ ...change, dataExist: fixed });
  if (!result.ok && fixed && reconcileOptions({ ...change, dataExist: false }).ok)
    throw fixedByData(result.problems);
  return result;
}

/** Refuses a change that existing responses do not allow; there is at least one problem. */
export function fixedByData(problems: ErrorDetail[]): AppError {
  const first = requireItem(problems, 0, 'problem');
  return conflict('fixed_by_data', `${first.field}: ${first.message}`, problems);
}

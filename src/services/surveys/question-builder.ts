import { type Question, questionsOf, type SurveyDefinition } from '../../domain/survey/definition.ts';
import type { OptionInput } from '../../domain/survey/questions/option-input.ts';
import { reconcileOptions, type OptionsResult } from '../../domain/survey/questions/options.ts';
import { codeProblem, isCodeTaken } from '../../domain/survey/questions/question-codes.ts';
import { parseQuestionSettings } from '../../domain/survey/questions/question-draft.ts';
import { questionSettingsSchemas } from '../../domain/survey/questions/question-settings.ts';
import { type QuestionType, takesOptions } from '../../domain/survey/questions/question-types.ts';
import { unknownTargets } from '../../domain/survey/logic/skip-targets.ts';
import { conflict, type ErrorDetail, invalidFields } from '../../lib/errors.ts';
import { mergeSettings } from '../../lib/settings.ts';

/** absent: keep. Settings: the given keys; a key of null, or null for all, brings back the default. Options: the whole list. */
export interface QuestionChanges {
  pageId?: number | undefined;
  type?: QuestionType | undefined;
  text?: string | undefined;
  code?: string | undefined;
  required?: boolean | undefined;
  settings?: Record<string, unknown> | null | undefined;
  options?: OptionInput[] | null | undefined;
  /** false asks a retired question again; true says nothing new. */
  retired?: boolean | undefined;
}

interface Circumstances {
  isNew: boolean;
  /** Somebody may have answered it. */
  fixed: boolean;
  highestCode: number;
}

export interface BuiltQuestion {
  question: Question;
  /** undefined: the options stay as they are. */
  highestOptionCode: number | undefined;
}

/** Conditions and translations have no end of their own. */
const MAX_SETTINGS_CHARACTERS = 100_000;

/** What every type has, so that it survives a change of type. */
const COMMON_SETTINGS: ReadonlySet<string> = new Set([
  'description',
  'placeholder',
  'shuffle',
  'hidden',
  'logic',
  'translations',
]);

/** The question as it shall be. Throws everything that is wrong with it at once. */
export function buildQuestion(
  definition: SurveyDefinition,
  before: Question,
  changes: QuestionChanges,
  circumstances: Circumstances,
): BuiltQuestion {
  const problems: ErrorDetail[] = [];
  const type = changes.type ?? before.type;
  const pageId = changes.pageId ?? before.pageId;
  const isPage = definition.pages.some((page) => page.id === pageId && !page.retired);
  if (changes.pageId !== undefined && !isPage) {
    problems.push({ field: 'page_id', message: `this survey has no page ${changes.pageId}` });
  }
  const code = codeOf(definition, before, changes, circumstances, problems);

  const settings = parseQuestionSettings(type, settingsInput(before, type, changes, circumstances));
  if (!settings.ok) problems.push(...settings.problems);
  else {
    const size = JSON.stringify(settings.settings).length;
    if (size > MAX_SETTINGS_CHARACTERS) {
      const message = `is ${size} characters of JSON; at most ${MAX_SETTINGS_CHARACTERS} are allowed`;
      problems.push({ field: 'question_settings', message });
    }
    const beforeLogic = circumstances.isNew ? null : before.settings.logic;
    const targets = unknownTargets(settings.settings.logic, beforeLogic, definition);
    problems.push(...targets.map((one) => ({ ...one, field: `question_settings.logic.${one.field}` })));
  }
  const options = optionsOf(before, type, changes, circumstances);
  if (options !== null && !options.ok) problems.push(...options.problems);
  if (problems.length > 0 || !settings.ok || options?.ok === false) throw invalidFields(problems);

  const question = {
    ...before,
    pageId,
    type,
    text: changes.text ?? before.text,
    code,
    required: changes.required ?? before.required,
    settings: settings.settings,
    options: options?.options ?? before.options,
    retired: changes.retired === false ? false : before.retired,
    // Type and settings belong together: the settings were read by that very type.
  } as Question;
  return { question, highestOptionCode: options?.highestCode };
}

function codeOf(
  definition: SurveyDefinition,
  before: Question,
  changes: QuestionChanges,
  { isNew }: Circumstances,
  problems: ErrorDetail[],
): string {
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
      `question_code: "${code}" is the code of another question of this survey (case does not count; retired ones keep theirs)`,
    );
  }
  return code;
}

function settingsInput(
  before: Question,
  type: QuestionType,
  changes: QuestionChanges,
  { isNew }: Circumstances,
): Record<string, unknown> {
  if (isNew || changes.settings === null) return mergeSettings({}, changes.settings ?? {});
  const haveSameSettings = questionSettingsSchemas[type] === questionSettingsSchemas[before.type];
  const kept = Object.entries(before.settings).filter(
    ([key]) => haveSameSettings || COMMON_SETTINGS.has(key),
  );
  return mergeSettings(Object.fromEntries(kept), changes.settings ?? {});
}

/** null: they stay as they are. */
function optionsOf(
  before: Question,
  type: QuestionType,
  changes: QuestionChanges,
  { fixed, highestCode }: Circumstances,
): OptionsResult | null {
  if (changes.options === undefined) {
    const drop = before.options.length > 0 && !takesOptions(type);
    return drop ? { ok: true, options: [], highestCode } : null;
  }
  const change = { type, existing: before.options, input: changes.options ?? [], highestCode };
  const result = reconcileOptions({ ...change, dataExist: fixed });
  if (!result.ok && fixed && reconcileOptions({ ...change, dataExist: false }).ok) {
    const [first] = result.problems;
    throw conflict('fixed_by_data', `${first!.field}: ${first!.message}`, result.problems);
  }
  return result;
}

import type { ErrorDetail } from '../../lib/errors.ts';
import { schemaProblems, schemaWording } from '../../lib/schema-problems.ts';
import {
  asksRespondents,
  questionSettingsSchemas,
  type QuestionType,
  type SettingsOf,
  takesOptions,
  typeOf,
} from './registry.ts';

export type SettingsResult<T extends QuestionType> =
  { ok: true; settings: SettingsOf<T> } | { ok: false; problems: ErrorDetail[] };

/** Common settings that have no effect on some questions, with the value that they have there. */
const UNUSED = { shuffle: 'none', placeholder: null, no_answers: [] as never[] } as const;

function unusedSettings<T extends QuestionType>(type: T, settings: SettingsOf<T>): Partial<typeof UNUSED> {
  return {
    ...(!takesOptions(type) && { shuffle: UNUSED.shuffle }),
    ...(!asksRespondents({ type }) && { no_answers: UNUSED.no_answers }),
    ...(!typeOf({ type }).showsPlaceholder(settings) && { placeholder: UNUSED.placeholder }),
  };
}

/**
 * Parses a client's question settings (absent or null: none) and adds defaults. Fields of problems look like
 * `question_settings.max_selections`; unknown keys are problems, and so are settings that have no effect on the question. `kept`: settings
 * that the question already had, which lose their value instead.
 */
export function parseQuestionSettings<T extends QuestionType>(
  type: T,
  settings: unknown,
  kept: ReadonlySet<string> = new Set(),
): SettingsResult<T> {
  const read = questionSettingsSchemas[type].safeParse(settings ?? {}, {
    error: schemaWording,
  });
  if (!read.success) return { ok: false, problems: schemaProblems(read.error, 'question_settings') };
  // The schema belongs to `type`, so its output is the settings of that type.
  const parsed = read.data as SettingsOf<T>;
  const unused = unusedSettings(type, parsed);
  const ineffective = Object.entries(unused).filter(
    ([name, value]) =>
      !kept.has(name) && JSON.stringify(parsed[name as keyof typeof UNUSED]) !== JSON.stringify(value),
  );
  const problems = [
    ...typeOf({ type }).settingsProblems(parsed),
    ...ineffective.map(([field, value]) => ({
      field,
      message: `has no effect on this question: leave it out, or send ${JSON.stringify(value)}`,
    })),
  ].map(({ field, message }) => ({ field: `question_settings.${field}`, message }));
  return problems.length > 0 ? { ok: false, problems } : { ok: true, settings: { ...parsed, ...unused } };
}

import type { ErrorDetail } from '../../../lib/errors.ts';
import { schemaProblems, schemaWording } from '../../../lib/schema-problems.ts';
import {
  questionSettingsSchemas,
  type QuestionType,
  type SettingsOf,
  typeOf,
} from '../../questions/registry.ts';

export type SettingsResult<T extends QuestionType> =
  { ok: true; settings: SettingsOf<T> } | { ok: false; problems: ErrorDetail[] };

/**
 * Parses a client's question settings (absent or null: none) and adds defaults. Fields of problems look like
 * `question_settings.max_selections`; unknown keys are problems.
 */
export function parseQuestionSettings<T extends QuestionType>(type: T, settings: unknown): SettingsResult<T> {
  const parsed = questionSettingsSchemas[type].safeParse(settings ?? {}, {
    error: schemaWording,
  });
  if (!parsed.success) return { ok: false, problems: schemaProblems(parsed.error, 'question_settings') };
  const problems = typeOf({ type })
    .settingsProblems(parsed.data)
    .map(({ field, message }) => ({ field: `question_settings.${field}`, message }));
  // The schema belongs to `type`, so its output is the settings of that type.
  return problems.length > 0 ? { ok: false, problems } : { ok: true, settings: parsed.data as SettingsOf<T> };
}

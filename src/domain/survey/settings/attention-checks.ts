/** Stored quality settings refer to questions only in `attention_checks[].question_id`. */
type Stored = Readonly<Record<string, unknown>>;
interface Check {
  question_id: number;
}

/** Returns the ids of the questions with attention checks, in order. */
export function attentionCheckQuestions(settings: Stored): number[] {
  return checksOf(settings)?.map((check) => check.question_id) ?? [];
}

/** Returns the settings without checks of deleted questions. */
export function removeAttentionChecks(settings: Stored, isDeleted: (questionId: number) => boolean): Stored {
  const checks = checksOf(settings);
  return checks
    ? { ...settings, attention_checks: checks.filter((check) => !isDeleted(check.question_id)) }
    : settings;
}

/** Returns the settings with new question ids; every question id must be in the map. */
export function remapAttentionChecks(settings: Stored, questionIds: ReadonlyMap<number, number>): Stored {
  const checks = checksOf(settings);
  if (!checks) return settings;
  const moved = checks.map((check) => {
    const id = questionIds.get(check.question_id);
    if (id === undefined) throw new Error(`No new id for question ${check.question_id}`);
    return { ...check, question_id: id };
  });
  return { ...settings, attention_checks: moved };
}

function checksOf(settings: Stored): Check[] | null {
  return Array.isArray(settings.attention_checks) ? (settings.attention_checks as Check[]) : null;
}

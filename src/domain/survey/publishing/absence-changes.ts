import type { OptionAbsence } from '../../columns/option-absences.ts';
import { questionsOf, type SurveyDefinition } from '../definition.ts';

interface OptionKey {
  questionId: number;
  optionCode: number;
}

/** What the publication of a version changes. */
export interface AbsenceChanges {
  /** Options that the previous version asked without, or that the new version leaves out. */
  added: OptionAbsence[];
  /** Retired options that the new version offers again: their open range ends with the previous version. */
  ended: OptionKey[];
}

/**
 * Compares a version with the one before it. Options of a question that the previous version does not have need no entry:
 * respondents who started before were not asked the question.
 */
export function findAbsenceChanges(previous: SurveyDefinition, next: SurveyDefinition): AbsenceChanges {
  const changes: AbsenceChanges = { added: [], ended: [] };
  const before = new Map(questionsOf(previous, 'all').map((question) => [question.id, question]));
  for (const question of questionsOf(next, 'all')) {
    const asked = before.get(question.id);
    if (asked === undefined) continue;
    const known = new Map(asked.options.map((option) => [option.code, option]));
    for (const { code: optionCode, retired } of question.options) {
      const earlier = known.get(optionCode);
      const key = { questionId: question.id, optionCode };
      if (earlier === undefined) {
        if (!retired) changes.added.push({ ...key, from: 1, to: previous.version });
      } else if (!earlier.retired && retired) changes.added.push({ ...key, from: next.version, to: null });
      else if (earlier.retired && !retired) changes.ended.push(key);
    }
  }
  return changes;
}

import type { Schema } from '../../data/api.ts';
import { type Condition, type EditorPage, type EditorQuestion, logicOf } from '../editor-content.ts';
import { isGroup } from './condition-rows.ts';

type SkipRule = Schema<'SkipRule'>;

/** Where the survey goes on after a page: an index of a page, or an end. */
type FlowTarget = number | 'end' | 'screen_out';

export interface FlowStep {
  /** Index of the page that the step leads from. */
  from: number;
  to: FlowTarget;
  /** null: the next page, when no rule applies. */
  rule: SkipRule | null;
  /** The question that has the rule; null: the page. */
  questionId: number | null;
}

export interface SurveyFlow {
  steps: readonly FlowStep[];
  /** Indexes of pages that no respondent can see. */
  unreachable: ReadonlySet<number>;
}

const isAlways = (condition: Condition | undefined): boolean =>
  condition === undefined || (isGroup(condition) && condition.conditions.every(isAlways));

/** Whether an answer can make the condition true. `answerable`: codes of questions that can have an answer. */
function canBeTrue(condition: Condition | undefined, answerable: ReadonlySet<string>): boolean {
  if (condition === undefined) return true;
  if (isGroup(condition)) {
    const { connector, conditions } = condition;
    if (conditions.length === 0) return true;
    return connector === 'and'
      ? conditions.every((each) => canBeTrue(each, answerable))
      : conditions.some((each) => canBeTrue(each, answerable));
  }
  const { left, operator } = condition;
  return left.type !== 'question' || operator === 'not_answered' || answerable.has(left.code);
}

const isHidden = ({ question_settings: { hidden } }: EditorQuestion): boolean => hidden === true;

/**
 * Follows all pages and rules. Rules only lead forward; those that lead elsewhere are ignored, as when respondents answer.
 *
 * @param named what conditions can name, with the ids of `questions`: items of loops and cells of tables
 */
export function followSurvey(
  pages: readonly EditorPage[],
  questions: readonly EditorQuestion[],
  named: readonly EditorQuestion[] = questions,
): SurveyFlow {
  const questionsById = new Map(questions.map((question) => [question.question_id, question]));
  const pageIndexById = new Map(pages.map(({ page_id: id }, index) => [id, index]));
  const pageIndexByQuestion = new Map(
    pages.flatMap(({ questionIds }, index) => questionIds.map((id) => [id, index] as const)),
  );
  const codesById = new Map<number, string[]>();
  for (const { question_id: id, question_code: code } of named)
    codesById.set(id, [...(codesById.get(id) ?? []), code]);
  const codesOf = ({ question_id: id }: EditorQuestion): string[] => codesById.get(id) ?? [];
  const answerable = new Set(questions.filter(isHidden).flatMap(codesOf));
  const steps: FlowStep[] = [];
  const reached = new Set<number>([0]);
  const unreachable = new Set<number>();

  const targetOf = ({ action, target_id: id = 0 }: SkipRule): FlowTarget | undefined => {
    if (action === 'end_survey') return 'end';
    if (action === 'screen_out') return 'screen_out';
    return (action === 'jump_to_page' ? pageIndexById : pageIndexByQuestion).get(id);
  };

  for (const [index, page] of pages.entries()) {
    const own = page.questionIds.flatMap((id) => questionsById.get(id) ?? []);
    const isSeen = reached.has(index) && canBeTrue(page.page_logic?.display, answerable);
    if (!isSeen) unreachable.add(index);
    const shown = own.filter((question) => !isHidden(question));
    // Codes are added one by one, because a question can use those before it on the page.
    const possible = isSeen
      ? shown.filter((question) => {
          const isPossible = canBeTrue(logicOf(question)?.display, answerable);
          if (isPossible) for (const code of codesOf(question)) answerable.add(code);
          return isPossible;
        })
      : [];
    const isCertain = (question: EditorQuestion) => isAlways(logicOf(question)?.display);
    // A page without a question to show is passed without its rules.
    const isAlwaysShown =
      isAlways(page.page_logic?.display) && (own.length === 0 || possible.some(isCertain));

    const rules = [
      ...own.flatMap((question) =>
        (logicOf(question)?.skip ?? []).map((rule) => ({
          rule,
          question,
        })),
      ),
      ...(page.page_logic?.skip ?? []).map((rule) => ({ rule, question: null })),
    ];
    let goesOn = reached.has(index);
    for (const { rule, question } of rules) {
      const to = targetOf(rule);
      if (to === undefined || (typeof to === 'number' && to <= index)) continue;
      steps.push({ from: index, to, rule, questionId: question?.question_id ?? null });
      const applies = isSeen && (question === null || possible.includes(question));
      if (!goesOn || !applies || !canBeTrue(rule.when, answerable)) continue;
      if (typeof to === 'number') reached.add(to);
      if (isAlways(rule.when) && isAlwaysShown && (question === null || isCertain(question))) goesOn = false;
    }
    // From a page that is not reached, the next one would follow.
    if (goesOn || !reached.has(index)) {
      const to = index + 1 < pages.length ? index + 1 : 'end';
      steps.push({ from: index, to, rule: null, questionId: null });
    }
    if (goesOn) reached.add(index + 1);
  }
  return { steps, unreachable };
}

/** Returns the ids of pages that no respondent can see. */
export function findUnreachablePages(
  pages: readonly EditorPage[],
  questions: readonly EditorQuestion[],
  named: readonly EditorQuestion[] = questions,
): number[] {
  const { unreachable } = followSurvey(pages, questions, named);
  return pages.flatMap(({ page_id: id }, index) => (unreachable.has(index) ? [id] : []));
}

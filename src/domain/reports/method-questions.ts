import { typeOf } from '../questions/registry.ts';
import type { Page, Question, SurveyDefinition } from '../survey/definition.ts';
import type { Condition } from '../survey/logic/condition.ts';
import { describeCondition, labelsFromQuestions } from '../survey/logic/describe-condition.ts';
import { withDataLabels } from '../survey/logic/data-labels.ts';
import type { MethodSection } from './deck.ts';

/** The section with the wording of the questions shown in a report, in survey order; null if it shows none. */
export function questionsSection(survey: SurveyDefinition, shown: ReadonlySet<number>): MethodSection | null {
  const definition = withDataLabels(survey);
  const all = new Map(definition.pages.flatMap(({ questions }) => questions.map((one) => [one.code, one])));
  const sideOf = labelsFromQuestions((code) => all.get(code));
  const facts = definition.pages.flatMap((page) =>
    page.questions
      .filter(({ id }) => shown.has(id))
      .map((question): [string, string] => {
        const condition = displayCondition(page, question);
        const conditionText = condition === null ? '' : ` Asked if ${describeCondition(condition, sideOf)}.`;
        const retiredText = question.retired || page.retired ? ' No longer asked.' : '';
        return [
          question.code,
          `${question.text.replaceAll(/\s+/g, ' ').trim()} (${typeOf(question).describeAnswers(question)})${conditionText}${retiredText}`,
        ];
      }),
  );
  return facts.length === 0 ? null : { heading: 'Questions', facts, paragraphs: [], table: null };
}

function displayCondition({ logic }: Page, { settings }: Question): Condition | null {
  const conditions = [logic?.display, settings.logic?.display].filter((one) => one !== undefined);
  return conditions.length === 0 ? null : { connector: 'and', conditions };
}

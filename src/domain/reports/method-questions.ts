import type { Page, Question, SurveyDefinition } from '../survey/definition.ts';
import type { Condition } from '../survey/logic/condition.ts';
import { describeCondition, labelsFromQuestions } from '../survey/logic/describe-condition.ts';
import { withDataLabels } from '../survey/logic/data-labels.ts';
import type { MethodSection } from './deck.ts';

/** The maximum number of listed answers or rows. */
const MAX_LISTED = 15;

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
          `${question.text.replaceAll(/\s+/g, ' ').trim()} (${answersText(question)})${conditionText}${retiredText}`,
        ];
      }),
  );
  return facts.length === 0 ? null : { heading: 'Questions', facts, paragraphs: [], table: null };
}

function displayCondition({ logic }: Page, { settings }: Question): Condition | null {
  const conditions = [logic?.display, settings.logic?.display].filter((one) => one !== undefined);
  return conditions.length === 0 ? null : { connector: 'and', conditions };
}

/** Describes the possible answers to a question. */
function answersText(question: Question): string {
  const options = listLabels(question.options.filter(({ retired }) => !retired).map(({ label }) => label));
  switch (question.type) {
    case 'single_choice':
    case 'dropdown':
      return `one of: ${options}`;
    case 'multiple_choice':
      return `any of: ${options}`;
    case 'ranking':
      return `to be ranked: ${options}`;
    case 'matrix':
      return `${listLabels(question.settings.rows.map(({ row_label }) => row_label))}; each ${question.settings.matrix_type === 'single' ? 'one' : 'any'} of: ${options}`;
    case 'scale':
    case 'nps':
    case 'slider':
      return scaleText(question);
    case 'number':
      return 'a number';
    case 'date':
      return question.settings.precision === 'time' ? 'a time' : 'a date';
    case 'text':
      return 'open text';
    case 'file_upload':
      return 'files';
  }
}

function scaleText({ settings }: Extract<Question, { type: 'scale' | 'nps' | 'slider' }>): string {
  const [min, max] = 'max' in settings ? [settings.min, settings.max] : [0, 10];
  const labels = 'min_label' in settings ? [settings.min_label, settings.max_label] : [null, null];
  const labelPoint = (point: number, label: string | null) =>
    label === null ? String(point) : `${point} “${label}”`;
  return `from ${labelPoint(min, labels[0] ?? null)} to ${labelPoint(max, labels[1] ?? null)}`;
}

function listLabels(labels: readonly string[]): string {
  const more = labels.length - MAX_LISTED;
  return more > 0 ? `${labels.slice(0, MAX_LISTED).join(', ')} and ${more} more` : labels.join(', ');
}

import { studioTypeOf, takesAnswers } from '../../question-types/registry.ts';
import { proposeNoAnswer } from '../../question-types/no-answers.ts';
import type { ParsedPage, ParsedQuestion, ParsedText } from './parsed-survey.ts';
import { type PastedPoint, reasonInWords } from './pasted-hints.ts';

/** An option that stands for an answer in the respondent's own words. */
const OTHER = /^other\b/i;
/** An option that excludes the others. */
const NONE = /^none\b/i;
const MAX_END_TITLE_CHARACTERS = 60;
const MAX_LABELED_POINTS = 21;

/** Returns the survey in the format that `POST /api/surveys/import` reads. */
export function toSurveyFile(name: string, pages: readonly ParsedPage[], ending: readonly ParsedText[] = []) {
  const settings = endSettings(ending);
  return {
    format: 'canvass.survey',
    version: 1,
    survey: {
      survey_name: name,
      ...(Object.keys(settings).length === 0 ? {} : { settings }),
      pages: pages.map(({ lines }) => {
        const title = lines.find(({ kind }) => kind === 'heading')?.text;
        const introduction = lines.filter(({ kind }) => kind === 'introduction').map(({ text }) => text);
        return {
          ...(title === undefined ? {} : { page_title: title }),
          ...(introduction.length === 0 ? {} : { page_description: introduction.join('\n\n') }),
          questions: lines.filter((line) => line.kind === 'question').map(toQuestion),
        };
      }),
    },
  };
}

/** The end page: a short first line with others below is its title. */
function endSettings(ending: readonly ParsedText[]): Record<string, string> {
  const [first, ...others] = ending.map(({ text }) => text);
  if (first === undefined) return {};
  return others.length > 0 && first.length <= MAX_END_TITLE_CHARACTERS
    ? { end_title: first, completion_message: others.join('\n\n') }
    : { completion_message: [first, ...others].join('\n\n') };
}

function toQuestion(question: ParsedQuestion) {
  const { text, type, isRequired } = question;
  const settings = settingsOf(question);
  const options = optionsOf(question);
  return {
    question_type: type,
    question_text: text,
    question_required: isRequired && takesAnswers({ question_type: type }),
    ...(Object.keys(settings).length === 0 ? {} : { question_settings: settings }),
    ...(options.length === 0 ? {} : { options }),
  };
}

function settingsOf(question: ParsedQuestion): Record<string, unknown> {
  const { noAnswers } = question;
  return {
    ...typeSettings(question),
    ...(noAnswers.length === 0
      ? {}
      : { no_answers: noAnswers.map(({ reason, label }) => proposeNoAnswer(reason, label)) }),
  };
}

function typeSettings(question: ParsedQuestion): Record<string, unknown> {
  const { type, range, maxSelections, options } = question;
  const points = pointsOf(question);
  switch (type) {
    case 'scale':
      return points.length === 0 ? { min: range?.min ?? 1, max: range?.max ?? 5 } : scaleOf(points, question);
    case 'nps': {
      const [first] = points;
      const last = points.at(-1);
      return first === undefined || last === undefined
        ? {}
        : { min_label: first.label, max_label: last.label };
    }
    case 'slider':
    case 'number':
      return range === null ? {} : { min: range.min, max: range.max };
    case 'text':
      return { multiline: true };
    case 'matrix':
      return {
        rows: question.rows.map((label, index) => ({ row_code: `r${index + 1}`, row_label: label })),
      };
    case 'multiple_choice':
      return maxSelections === null || maxSelections > options.length
        ? {}
        : { max_selections: maxSelections };
    default:
      return {};
  }
}

/** Labels of points: those written, or the options. */
const pointsOf = ({ points, options }: ParsedQuestion): readonly PastedPoint[] =>
  points.length > 0 ? points : options.map((label, index) => ({ point: index + 1, label }));

function scaleOf(points: readonly PastedPoint[], { range }: ParsedQuestion): Record<string, unknown> {
  const min = Math.min(range?.min ?? Infinity, ...points.map(({ point }) => point));
  const max = Math.max(range?.max ?? -Infinity, ...points.map(({ point }) => point));
  if (max === min || max - min >= MAX_LABELED_POINTS) return { min: 1, max: 5 };
  const labelAt = (point: number) => points.find((each) => each.point === point)?.label ?? null;
  const areEnds = points.every(({ point }) => point === min || point === max);
  if (areEnds) return { min, max, min_label: labelAt(min), max_label: labelAt(max) };
  return { min, max, point_labels: Object.fromEntries(points.map(({ point, label }) => [point, label])) };
}

function optionsOf({ type, options, points }: ParsedQuestion) {
  if (studioTypeOf({ question_type: type }).options === null) return [];
  const labels = options.length > 0 ? options : points.map(({ label }) => label);
  const isList = type === 'single_choice' || type === 'multiple_choice' || type === 'dropdown';
  return labels.map((label, index) => ({
    option_label: label,
    option_value: String(index + 1),
    ...(OTHER.test(label) && isList ? { option_other: true } : {}),
    ...(NONE.test(label) && type === 'multiple_choice' ? { option_exclusive: true } : {}),
    ...(reasonInWords(label) !== null && isList ? { option_missing: true } : {}),
  }));
}

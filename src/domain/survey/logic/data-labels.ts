import { plainText } from '../../markdown/parse-markdown.ts';
import { textForm } from '../../questions/text-form.ts';
import { type Question, questionsOf, type SurveyDefinition } from '../definition.ts';
import { reportLabelOf } from '../report-label.ts';
import { findPipes, withNamedPipes } from './piping.ts';

/** Settings whose texts name values, rows or columns of the data. */
const LABEL_SETTINGS = [
  'other_label',
  'yes_label',
  'no_label',
  'min_label',
  'mid_label',
  'max_label',
  'point_labels',
  'rows',
  'no_answers',
] as const;

function fillSettings(settings: Question['settings'], fill: (text: string) => string): Question['settings'] {
  const labels = Object.entries(settings)
    .filter(([name]) => (LABEL_SETTINGS as readonly string[]).includes(name))
    .map(([name, value]) => [name, fillTexts(value, fill)]);
  return { ...settings, ...(Object.fromEntries(labels) as object) };
}

/** The texts of a list or an object, filled in. */
function fillTexts(value: unknown, fill: (text: string) => string): unknown {
  if (typeof value === 'string') return fill(value);
  if (Array.isArray(value)) return value.map((item) => fillTexts(item, fill));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, fillTexts(inner, fill)]));
}

function hasPipes({ text, options, settings }: Question): boolean {
  const named = settings as Readonly<Record<string, unknown>>;
  return (
    findPipes([text, options.map(({ label }) => label), LABEL_SETTINGS.map((name) => named[name])]).length > 0
  );
}

/** The question without Markdown; the same object if it has none. */
function withoutMarkdown(question: Question): Question {
  const { text, options, settings } = question;
  const plain = plainText(text, textForm(question));
  const labels = options.map(({ label }) => plainText(label, 'inline'));
  const rows = 'rows' in settings ? settings.rows : [];
  const rowLabels = rows.map(({ row_label: label }) => plainText(label, 'inline'));
  const isPlain =
    plain === text &&
    options.every(({ label }, index) => label === labels[index]) &&
    rows.every(({ row_label: label }, index) => label === rowLabels[index]);
  if (isPlain) return question;
  return {
    ...question,
    text: plain,
    options: options.map((option, index) => ({ ...option, label: labels[index] ?? option.label })),
    settings: {
      ...settings,
      ...('rows' in settings
        ? { rows: rows.map((row, index) => ({ ...row, row_label: rowLabels[index] ?? row.row_label })) }
        : {}),
    },
  } as Question;
}

/**
 * Returns the definition with the labels for data outputs (grid, charts, reports, exports, chat): `report_label` replaces the question
 * text, short names in brackets replace pipes, and Markdown becomes plain text. Unaffected questions stay the same objects.
 */
export function withDataLabels(definition: SurveyDefinition): SurveyDefinition {
  const plain = new Map(
    questionsOf(definition, 'all').map((question) => [question, withoutMarkdown(question)]),
  );
  const questions = [...plain.values()];
  const isUnaffected = ([question, itsPlain]: [Question, Question]) =>
    question === itsPlain && !hasPipes(question) && question.settings.report_label === null;
  if ([...plain].every(isUnaffected)) return definition;
  const names = new Map(questions.map((question) => [question.code, reportLabelOf(question)]));
  const relabeled = (question: Question): Question => {
    if (!hasPipes(question) && question.settings.report_label === null) return question;
    const fill = (text: string) =>
      withNamedPipes(text, (code) => (code === question.code ? undefined : names.get(code)));
    return {
      ...question,
      text: fill(question.settings.report_label ?? question.text),
      settings: fillSettings(question.settings, fill),
      options: question.options.map((option) => ({ ...option, label: fill(option.label) })),
    } as Question;
  };
  return {
    ...definition,
    pages: definition.pages.map((page) => ({
      ...page,
      questions: page.questions.map((question) => relabeled(plain.get(question) ?? question)),
    })),
  };
}

import { type Question, questionsOf, type SurveyDefinition } from '../definition.ts';
import { fillPipes, type Pipe, findPipes } from './piping.ts';

/** Settings whose texts name values, rows or columns of the data. */
const LABEL_SETTINGS = [
  'other_label',
  'min_label',
  'mid_label',
  'max_label',
  'point_labels',
  'rows',
] as const;

/** Replaces a pipe by its name in brackets: `[Q1]`, `[name]`. */
function bracketedName(pipe: Pipe): string {
  if (pipe.kind === 'question') return `[${pipe.code}]`;
  return `[${pipe.kind === 'respondent' ? pipe.field : pipe.name}]`;
}

/**
 * Replaces pipes by names in brackets: `{{Q1}}` by the text of Q1, `{{hidden.name}}` by `[name]`. Pipes within a replaced text become
 * codes, so references in a cycle end.
 */
export function withNamedPipes(text: string, textOf: (code: string) => string | undefined): string {
  return fillPipes(text, (pipe) => {
    const questionText = pipe.kind === 'question' ? textOf(pipe.code) : undefined;
    return questionText === undefined ? bracketedName(pipe) : `[${fillPipes(questionText, bracketedName)}]`;
  });
}

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

/**
 * Returns the definition with the labels for data outputs (grid, charts, reports, exports, chat): `report_label` replaces the question
 * text, and names replace pipes. Unaffected questions stay the same objects.
 */
export function withDataLabels(definition: SurveyDefinition): SurveyDefinition {
  const questions = questionsOf(definition, 'all');
  if (!questions.some((question) => hasPipes(question) || question.settings.report_label !== null))
    return definition;
  const textOf = ({ text, settings }: Question) => settings.report_label ?? text;
  const texts = new Map(questions.map((question) => [question.code, textOf(question)]));
  const relabeled = (question: Question): Question => {
    if (!hasPipes(question) && question.settings.report_label === null) return question;
    const fill = (text: string) =>
      withNamedPipes(text, (code) => (code === question.code ? undefined : texts.get(code)));
    return {
      ...question,
      text: fill(textOf(question)),
      settings: fillSettings(question.settings, fill),
      options: question.options.map((option) => ({ ...option, label: fill(option.label) })),
    } as Question;
  };
  return {
    ...definition,
    pages: definition.pages.map((page) => ({ ...page, questions: page.questions.map(relabeled) })),
  };
}

import { type EditedColumn, tableColumnsOf } from '../question-types/table-columns.ts';
import type { Schema } from '../data/api.ts';

type Survey = Schema<'SurveyWithPages'>;
type Question = Survey['questions'][number];
/** Texts by name, or by code within a name such as `options`. */
type Translation = Readonly<Record<string, unknown>>;
export type Translations = Readonly<Record<string, Translation>>;

/** A text of the survey in its default language. */
export interface TranslatableText {
  /** The same in every export and language, such as `question-7.options.1`. */
  key: string;
  /** The object whose translations it belongs to; null: the survey. */
  questionId: number | null;
  /** Where it is within the translation to a language, such as `['options', '1']`. */
  path: readonly string[];
  /** Number of the question, from 1, or null; and what the text is. */
  number: number | null;
  part: TextPart;
  source: string;
}

type TextPart = (typeof SURVEY_TEXTS)[number] | (typeof QUESTION_TEXTS)[number] | PagePart | LabelPart;
type PagePart = 'page_title' | 'page_description';
type LabelPart = 'options' | 'rows' | 'point_labels' | 'columns' | 'column_options' | 'column_texts';

const SURVEY_TEXTS = [
  'survey_name',
  'survey_description',
  'title',
  'welcome_title',
  'welcome_text',
  'welcome_image_alt',
  'welcome_button',
  'consent_text',
  'completion_message',
  'screened_out_message',
  'over_quota_message',
  'closed_message',
  'end_title',
  'end_image_alt',
  'end_button',
] as const;
const PAGE_TEXTS: readonly PagePart[] = ['page_title', 'page_description'];
const QUESTION_TEXTS = [
  'question_text',
  'description',
  'image_alt',
  'media_alt',
  'placeholder',
  'min_label',
  'mid_label',
  'max_label',
  'prefix',
  'suffix',
  'other_label',
  'yes_label',
  'no_label',
] as const;

const asText = (value: unknown): string => (typeof value === 'string' ? value : '');

const textOf = (
  questionId: number | null,
  path: readonly string[],
  rest: Pick<TranslatableText, 'number' | 'part' | 'source'>,
): TranslatableText[] =>
  rest.source.trim() === ''
    ? []
    : [
        {
          key: [questionId === null ? 'survey' : `question-${questionId}`, ...path].join('.'),
          questionId,
          path,
          ...rest,
        },
      ];

/** Texts of a column's settings that respondents read. */
const COLUMN_TEXTS = ['min_label', 'mid_label', 'max_label', 'prefix', 'suffix', 'placeholder'] as const;

function columnLabels({
  column_code: code,
  column_label: label,
  column_settings: settings,
  options = [],
}: EditedColumn): [part: LabelPart, code: string, label: string][] {
  const points = (settings.point_labels ?? {}) as Readonly<Record<string, unknown>>;
  const named: [string, unknown][] = [
    ...COLUMN_TEXTS.map((name): [string, unknown] => [name, settings[name]]),
    ...Object.entries(points),
  ];
  return [
    ['columns', code, label],
    ...options
      .filter(({ retired }) => retired !== true)
      .map((option): [LabelPart, string, string] => [
        'column_options',
        `${code}.${option.option_code}`,
        option.option_label,
      ]),
    ...named.flatMap(([name, text]): [LabelPart, string, string][] =>
      typeof text === 'string' && text !== '' ? [['column_texts', `${code}.${name}`, text]] : [],
    ),
  ];
}

/** Labels of options, rows and points with their codes. */
function labelsOf(question: Question): [part: LabelPart, code: string, label: string][] {
  const settings = question.question_settings as Readonly<Record<string, unknown>>;
  const rows = (settings.rows ?? []) as readonly { row_code: string; row_label: string }[];
  const points = (settings.point_labels ?? {}) as Readonly<Record<string, unknown>>;
  return [
    ...tableColumnsOf(question).flatMap(columnLabels),
    ...rows.map(
      ({ row_code: code, row_label: label }) => ['rows', code, label] as [LabelPart, string, string],
    ),
    ...question.options
      .filter(({ retired }) => !retired)
      .map(
        ({ option_code: code, option_label: label }) =>
          ['options', String(code), label] as [LabelPart, string, string],
      ),
    ...Object.entries(points).map(
      ([point, label]) => ['point_labels', point, asText(label)] as [LabelPart, string, string],
    ),
  ];
}

function textsOfQuestion(question: Question, number: number): TranslatableText[] {
  const id = question.question_id;
  const settings = question.question_settings as Readonly<Record<string, unknown>>;
  return [
    ...QUESTION_TEXTS.flatMap((part) =>
      textOf(id, [part], {
        number,
        part,
        source: part === 'question_text' ? question.question_text : asText(settings[part]),
      }),
    ),
    ...labelsOf(question).flatMap(([part, code, source]) =>
      textOf(id, [part, code], { number, part, source }),
    ),
  ];
}

/** Every text of the survey that respondents see, in the order of the survey. */
export function listTexts(survey: Survey): TranslatableText[] {
  const settings = survey.survey_settings as Readonly<Record<string, unknown>>;
  const own = {
    // Respondents read the title instead, if there is one.
    survey_name: survey.survey_settings.title === null ? survey.survey_name : null,
    survey_description: survey.survey_description,
  };
  let number = 0;
  return [
    ...SURVEY_TEXTS.flatMap((part) =>
      textOf(null, [part], {
        number: null,
        part,
        source: asText(part in own ? own[part as keyof typeof own] : settings[part]),
      }),
    ),
    ...survey.pages.flatMap((page) => [
      ...PAGE_TEXTS.flatMap((part) =>
        textOf(null, ['pages', String(page.page_id), part], {
          number: null,
          part,
          source: asText(page[part]),
        }),
      ),
      ...page.questions
        .filter(({ retired }) => !retired)
        .flatMap((question) => textsOfQuestion(question, (number += 1))),
    ]),
  ];
}

const questionsById = new WeakMap<Survey, ReadonlyMap<number, Question>>();

function questionOf(survey: Survey, questionId: number): Question | undefined {
  let questions = questionsById.get(survey);
  if (questions === undefined) {
    questions = new Map(survey.questions.map((question) => [question.question_id, question]));
    questionsById.set(survey, questions);
  }
  return questions.get(questionId);
}

/** The translations of the object that the text belongs to, by language. */
function translationsOf(survey: Survey, { questionId }: TranslatableText): Translations {
  if (questionId === null) return survey.survey_settings.translations;
  return questionOf(survey, questionId)?.question_settings.translations ?? {};
}

/** The text in another language; empty: not translated. */
export function translationOf(survey: Survey, text: TranslatableText, language: string): string {
  const found = text.path.reduce<unknown>(
    (value, name) => (value as Translation | null | undefined)?.[name],
    translationsOf(survey, text)[language],
  );
  return asText(found);
}

/** Whether the text changed after it was translated. */
export function isOutdated(survey: Survey, text: TranslatableText, language: string): boolean {
  const { outdated_translations: outdated } =
    text.questionId === null ? survey : (questionOf(survey, text.questionId) ?? survey);
  return outdated[language]?.includes(text.path.join('.')) === true;
}

/** The translations with other texts in a language; an empty text removes the translation. */
export function withTexts(
  translations: Translations,
  language: string,
  changes: readonly (readonly [path: readonly string[], text: string])[],
): Translations {
  const translation = structuredClone(translations[language] ?? {}) as Record<string, unknown>;
  for (const [path, text] of changes) {
    let place = translation;
    for (const name of path.slice(0, -1)) {
      place[name] ??= {};
      place = place[name] as Record<string, unknown>;
    }
    const last = path.at(-1) ?? '';
    if (text.trim() === '') Reflect.deleteProperty(place, last);
    else place[last] = text;
  }
  return { ...translations, [language]: translation };
}

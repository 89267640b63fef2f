import { typeOf } from '../questions/registry.ts';
import { type Question, questionsOf, type SurveyDefinition } from './definition.ts';

/** Settings with texts that appear in figures. */
const TEXT_SETTINGS = [
  'report_label',
  'min_label',
  'mid_label',
  'max_label',
  'point_labels',
  'other_label',
] as const;

/**
 * Returns the draft with the texts of the published version, keeping the draft's codes. Unpublished questions, options and rows are
 * removed; retired ones stay because they have data.
 */
export function withPublishedTexts(draft: SurveyDefinition, published: SurveyDefinition): SurveyDefinition {
  const byId = new Map(questionsOf(published, 'all').map((question) => [question.id, question]));
  const titles = new Map(published.pages.map((page) => [page.id, page]));
  return {
    ...draft,
    name: published.name,
    description: published.description,
    pages: draft.pages.map((page) => ({
      ...page,
      title: titles.get(page.id)?.title ?? null,
      description: titles.get(page.id)?.description ?? null,
      questions: page.questions.flatMap((question) => {
        const before = byId.get(question.id);
        return before === undefined || before.type !== question.type
          ? []
          : [withTextsOfQuestion(question, before)];
      }),
    })),
  };
}

function withTextsOfQuestion(question: Question, published: Question): Question {
  const labels = new Map(published.options.map(({ code, label }) => [code, label]));
  const texts = published.settings as Readonly<Record<string, unknown>>;
  const settings: Record<string, unknown> = { ...question.settings };
  for (const name of TEXT_SETTINGS) if (name in settings) settings[name] = texts[name];
  Object.assign(settings, typeOf(question).publishedParts(question, published));
  return {
    ...question,
    text: published.text,
    options: question.options.flatMap((option) => {
      const label = labels.get(option.code);
      return label === undefined ? [] : [{ ...option, label }];
    }),
    settings,
    // The settings are those of the question's own type, which the compiler cannot follow over the union.
  } as Question;
}

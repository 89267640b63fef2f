import type { StoredAnswers } from '../../answers/codec.ts';
import { isNoAnswer } from '../../answers/read-result.ts';
import type { Option, Page, Question } from '../definition.ts';
import type { PreparedDefinition } from '../prepared-definition.ts';
import { type QuestionView, renderQuestion } from '../questions/question-view.ts';
import { evaluateLogic, type SurveyEnd } from './evaluate-logic.ts';
import { textsIn, type TranslatedTexts, translationFor } from './localize.ts';
import { fillPipes, type Pipe } from './piping.ts';
import type { RespondentContext } from './respondent-context.ts';

/** Returns the text of a pipe; empty if the question, value or answer does not exist. */
class PipedValues {
  private readonly context: RespondentContext;
  private readonly language: string | null;

  /** `answers` contains only answers of shown and hidden questions. */
  constructor(
    private readonly prepared: PreparedDefinition,
    private readonly answers: StoredAnswers,
    context: RespondentContext & { language: string | null },
  ) {
    this.context = context;
    this.language = context.language;
  }

  valueOf(pipe: Pipe): string {
    const { hidden, respondent } = this.context;
    if (pipe.kind === 'hidden') return hidden.get(pipe.name) ?? '';
    if (pipe.kind === 'respondent') return respondent?.name ?? '';
    if (pipe.kind === 'attribute') {
      const known = respondent !== null && Object.hasOwn(respondent.attributes, pipe.name);
      return known ? String(respondent.attributes[pipe.name]) : '';
    }
    const known = this.prepared.byCode.get(pipe.code);
    const answer = known && Object.hasOwn(this.answers, pipe.code) ? this.answers[pipe.code] : null;
    if (!known || answer === null || answer === undefined) return '';
    const { question, codec } = known;
    if (pipe.form === 'code') return codec.pipedCode(question, answer);
    const texts = textsIn(translationFor(question.settings.translations, this.language));
    return codec.pipedText(question, answer, texts);
  }
}

export type { QuestionView } from '../questions/question-view.ts';

export interface RenderContext extends RespondentContext {
  /** The seed of all shuffled orders: the response's submission_id. */
  seed: string;
  /** null: the original texts. */
  language: string | null;
  /** The survey's translations (survey_settings.translations), which include those of pages. */
  translations?: unknown;
}

export interface PageView {
  page: Page;
  title: string | null;
  description: string | null;
  /** Empty for a text page. */
  questions: QuestionView[];
  /** The page's translation, which determines the texts that are in the respondent's language. */
  texts: TranslatedTexts;
}

export interface RenderedSurvey {
  /** Visited pages, in order. Pages after the current one are predicted from the answers so far. */
  pages: PageView[];
  /** Codes of the questions that are shown. */
  shown: ReadonlySet<string>;
  /** The skip that ends the response; null: it continues to the last page. */
  end: SurveyEnd | null;
}

/** Renders all pages that one respondent sees, for the given answers. Always terminates. All texts are plain text. */
export function renderSurvey(
  prepared: PreparedDefinition,
  answers: StoredAnswers,
  context: RenderContext,
): RenderedSurvey {
  const route = evaluateLogic(
    prepared,
    ({ question: { code }, codec }) => {
      const answer = Object.hasOwn(answers, code) ? answers[code] : undefined;
      const isNoneTicked = codec.takesEmptyList && Array.isArray(answer);
      return answer !== undefined && isNoAnswer(answer) && !isNoneTicked ? null : answer;
    },
    context,
  );
  const piped = new PipedValues(prepared, route.answers, context);
  const fill = (text: string): string => fillPipes(text, (pipe) => piped.valueOf(pipe));
  const pageTexts = pageTranslations(context);
  const pages = route.pages.map(({ page, questions }): PageView => {
    const texts = textsIn(pageTexts(page.id));
    const title = texts.text('page_title', page.title);
    const description = texts.text('page_description', page.description);
    return {
      page,
      title: title === null ? null : fill(title),
      description: description === null ? null : fill(description),
      questions: questions.map(({ prepared: known, options }) =>
        renderVisitedQuestion(known.question, options, context, fill),
      ),
      texts,
    };
  });
  return { pages, shown: route.shown, end: route.end };
}

function renderVisitedQuestion(
  question: Question,
  options: readonly Option[],
  context: RenderContext,
  fill: (text: string) => string,
): QuestionView {
  return renderQuestion(question, options, { language: context.language, seed: context.seed, fill });
}

function pageTranslations({ translations, language }: RenderContext): (pageId: number) => unknown {
  const { pages } = (translationFor(translations, language) ?? {}) as { pages?: Record<string, unknown> };
  return (pageId) => (pages && Object.hasOwn(pages, String(pageId)) ? pages[String(pageId)] : null);
}

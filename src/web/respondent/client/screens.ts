import type { PageView, QuestionView } from '../../../domain/survey/logic/render-survey.ts';
import type { RespondentSettings } from '../../../domain/survey/survey-settings.ts';

/** What the respondent sees at once: a page, or one of its questions. */
export interface Screen {
  /** Names the screen in the history of the browser. */
  key: string;
  page: PageView;
  questions: readonly QuestionView[];
  /** null: all questions of the page. */
  questionId: number | null;
}

/** Returns the cells of a table among the questions; empty for other questions. */
export const cellsOf = (
  { question: { id } }: QuestionView,
  questions: readonly QuestionView[],
): readonly QuestionView[] => questions.filter(({ question: { cell } }) => cell?.tableId === id);

/** Returns the screens of pages. A page without questions is a screen in both layouts. */
export function screensOf(pages: readonly PageView[], layout: RespondentSettings['layout']): Screen[] {
  return pages.flatMap((page) => {
    const screen = (questions: readonly QuestionView[], questionId: number | null): Screen => ({
      key: `${page.page.id}-${questionId}`,
      page,
      questions,
      questionId,
    });
    return layout === 'pages' || page.questions.length === 0
      ? [screen(page.questions, null)]
      : page.questions
          .filter(({ question }) => question.cell === undefined)
          .map((view) => screen([view, ...cellsOf(view, page.questions)], view.question.id));
  });
}

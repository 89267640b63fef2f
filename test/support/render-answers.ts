import type { StoredAnswers } from '../../src/domain/questions/answers/codec.ts';
import type { SurveyDefinition } from '../../src/domain/survey/definition.ts';
import { prepareDefinition } from '../../src/domain/survey/logic/prepare-definition.ts';
import { NO_RESPONDENT_CONTEXT } from '../../src/domain/survey/logic/evaluate-logic.ts';
import {
  type RenderedSurvey,
  renderSurvey,
  type RenderContext,
} from '../../src/domain/survey/logic/render-survey.ts';

/** One respondent's way; nothing came with the link, the texts are as they were written. */
export function renderAnswers(
  definition: SurveyDefinition,
  answers: Record<string, unknown>,
  context: Partial<RenderContext> = {},
): RenderedSurvey {
  return renderSurvey(prepareDefinition(definition), answers as StoredAnswers, {
    ...NO_RESPONDENT_CONTEXT,
    seed: 'somebody',
    language: null,
    ...context,
  });
}

/** Page ids with the codes of the questions on them: `1: Q1 Q2`. */
export const pagesOf = ({ pages }: RenderedSurvey): string[] =>
  pages.map(({ page, questions }) =>
    [`${page.id}:`, ...questions.map((view) => view.question.code)].join(' '),
  );

export const equals = (code: string, right: string) => ({
  left: { type: 'question' as const, code },
  operator: 'equals' as const,
  right,
});

/** Settings that hold nothing but logic. */
export const logic = (parts: object) => ({ logic: parts }) as { logic: never };

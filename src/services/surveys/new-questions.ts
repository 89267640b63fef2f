import type { SurveyScope } from '../../domain/access/scopes.ts';
import { type Question, questionsOf, type SurveyDefinition } from '../../domain/survey/definition.ts';
import { namesOfSurvey } from '../../domain/survey/logic/read-logic.ts';
import { withCarriedOptions } from '../../domain/survey/questions/options.ts';
import { nextQuestionCode } from '../../domain/survey/questions/question-codes.ts';
import { MAX_OPTIONS_OF_SURVEY, MAX_QUESTIONS } from '../../domain/survey/transfer/survey-export.ts';
import { limitReached } from '../../lib/error-messages.ts';
import { conflict, type ErrorDetail, invalidFields } from '../../lib/errors.ts';
import type { Repositories } from '../../repositories/repositories.ts';
import { refuseClashWithDerived } from './derived-guards.ts';
import {
  draftQuestion,
  finishQuestion,
  type QuestionChanges,
  type QuestionDraft,
} from './question-builder.ts';

const MAX_PROBLEMS = 100;

export type NewQuestion = QuestionChanges & Required<Pick<QuestionChanges, 'pageId' | 'type' | 'text'>>;

/** A question to add, and its path in the request: empty, or `pages[0].questions[2].`. */
export interface NewQuestionAt {
  at: string;
  question: NewQuestion;
}

export interface BuiltQuestions {
  /** The stored definition with the new questions, each at the end of its page. */
  definition: SurveyDefinition;
  added: { question: Question; highestOptionCode: number }[];
}

/**
 * Builds new questions without storing them. A question without a code gets the next free `Q<n>`. Throws 400 with
 * every problem, and 409 for a taken code or a survey that is full.
 */
export async function buildNewQuestions(
  repositories: Repositories,
  scope: SurveyScope,
  stored: SurveyDefinition,
  inputs: readonly NewQuestionAt[],
): Promise<BuiltQuestions> {
  const codes = questionsOf(stored, 'all').map((question) => question.code);
  if (codes.length + inputs.length > MAX_QUESTIONS) {
    throw conflict(
      'too_many_questions',
      `${limitReached('A survey', MAX_QUESTIONS, 'question')}, retired ones included`,
    );
  }
  const { columns: derived } = await repositories.derivedColumns.current(scope.surveyId);
  const given = inputs.flatMap(({ question }) => question.code ?? []);
  const takenCodes = [...codes, ...derived.map((column) => column.column_code), ...given];
  const ids = await repositories.questions.reserveIds(inputs.length);
  const draft: SurveyDefinition = {
    ...stored,
    pages: stored.pages.map((page) => ({ ...page, questions: [...page.questions] })),
  };
  const pages = new Map(draft.pages.map((page) => [page.id, page]));
  const drafts: QuestionDraft[] = [];
  const problems: ErrorDetail[] = [];
  for (const [index, { at, question }] of inputs.entries()) {
    const code = nextQuestionCode(takenCodes);
    if (question.code === undefined) takenCodes.push(code);
    const context = { isNew: true, hasData: false, highestCode: 0, at };
    const drafted = draftQuestion(draft, blank(ids[index]!, code), question, context);
    if (!drafted.ok) {
      problems.push(...drafted.problems);
      continue;
    }
    drafts.push(drafted.value);
    pages.get(drafted.value.question.pageId)!.questions.push(drafted.value.question);
  }
  if (problems.length > 0) throw invalidFields(problems.slice(0, MAX_PROBLEMS));

  const names = namesOfSurvey(withCarriedOptions(draft));
  const added: BuiltQuestions['added'] = [];
  for (const one of drafts) {
    const finished = finishQuestion(one, draft, names);
    if (!finished.ok) {
      problems.push(...finished.problems);
      continue;
    }
    const { question, highestOptionCode = 0 } = finished.value;
    added.push({ question, highestOptionCode });
    const onPage = pages.get(question.pageId)!.questions;
    onPage[onPage.indexOf(one.question)] = question;
  }
  if (problems.length > 0) throw invalidFields(problems.slice(0, MAX_PROBLEMS));
  if (derived.length > 0) {
    for (const { question } of added) await refuseClashWithDerived(repositories, scope, question);
  }
  refuseTooManyOptions(draft);
  return { definition: draft, added };
}

/** Throws 409 if a survey has too many options, including carried-forward ones. */
export function refuseTooManyOptions(stored: SurveyDefinition): void {
  const all = questionsOf(withCarriedOptions(stored), 'all');
  const count = all.reduce((sum, { options }) => sum + options.length, 0);
  if (count > MAX_OPTIONS_OF_SURVEY) {
    throw conflict(
      'too_many_options',
      `${limitReached('A survey', MAX_OPTIONS_OF_SURVEY, 'option')} in total`,
    );
  }
}

function blank(id: number, code: string): Question {
  return {
    id,
    pageId: 0,
    type: 'text',
    text: '',
    code,
    required: false,
    // Replaced before storing: the type determines the settings.
    settings: {} as never,
    options: [],
    retired: false,
  };
}

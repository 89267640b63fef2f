import type { AnswerCodec } from '../answers/codec.ts';
import { codecFor } from '../answers/codecs.ts';
import type { Page, Question, SurveyDefinition } from './definition.ts';

export interface PreparedQuestion {
  question: Question;
  codec: AnswerCodec;
  /** The name of the question's answer in problems. */
  field: string;
  retired: boolean;
}

/** A definition with its look-ups made once: for the paths that judge thousands of responses. Do not change it afterwards. */
export interface PreparedDefinition {
  definition: SurveyDefinition;
  /** Live pages with their live questions, in order. */
  pages: { page: Page; questions: PreparedQuestion[] }[];
  /** Every question, retired ones too. */
  byCode: ReadonlyMap<string, PreparedQuestion>;
  /** From a code in lower case to the code as it is written. */
  byFoldedCode: ReadonlyMap<string, string>;
}

export function prepareDefinition(definition: SurveyDefinition): PreparedDefinition {
  const byCode = new Map<string, PreparedQuestion>();
  for (const page of definition.pages) {
    for (const question of page.questions) {
      byCode.set(question.code, {
        question,
        codec: codecFor(question),
        field: `answers.${question.code}`,
        retired: page.retired || question.retired,
      });
    }
  }
  return {
    definition,
    pages: definition.pages
      .filter((page) => !page.retired)
      .map((page) => ({
        page,
        questions: page.questions
          .filter((question) => !question.retired)
          .map((question) => byCode.get(question.code)!),
      })),
    byCode,
    byFoldedCode: new Map([...byCode.keys()].map((code) => [code.toLowerCase(), code])),
  };
}

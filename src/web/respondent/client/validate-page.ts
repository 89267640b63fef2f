import type { PageView } from '../../../domain/survey/logic/render-survey.ts';
import { validateAnswer } from './validate-answer.ts';
import type { Messages } from './localization.ts';

/** Returns the problems of a page by question code. `uploads`: number of unfinished uploads by question code. */
export function validatePage(
  page: PageView,
  inputs: Readonly<Record<string, unknown>>,
  uploads: ReadonlyMap<string, number>,
  messages: Messages,
): Map<string, string> {
  return new Map(
    page.questions.flatMap(({ question }): [string, string][] => {
      const { code } = question;
      const problem =
        (uploads.get(code) ?? 0) > 0 ? messages.file_wait : validateAnswer(question, inputs[code], messages);
      return problem === null ? [] : [[code, problem]];
    }),
  );
}

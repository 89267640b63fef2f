import type { PageView } from '../../../domain/survey/logic/walk.ts';
import { problemOf } from './problem-words.ts';
import type { Words } from './words.ts';

/** Why the page cannot be left yet, by question code; empty when it can. `uploads`: files on their way, by question code. */
export function pageProblems(
  page: PageView,
  inputs: Readonly<Record<string, unknown>>,
  uploads: ReadonlyMap<string, number>,
  words: Words,
): Map<string, string> {
  return new Map(
    page.questions.flatMap(({ question }): [string, string][] => {
      const { code } = question;
      const problem =
        (uploads.get(code) ?? 0) > 0 ? words.file_wait : problemOf(question, inputs[code], words);
      return problem === null ? [] : [[code, problem]];
    }),
  );
}

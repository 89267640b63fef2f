import { typeOf } from '../questions/registry.ts';
import type { SurveyPath } from '../survey/logic/evaluate-logic.ts';
import type { SyntheticRespondent } from './synthetic-respondent.ts';

const PAGE_SECONDS = 3;
/** Standard deviation of log durations: about 5 % take less than half the median, and 5 % more than twice. */
const SPREAD = 0.42;

/** Returns the seconds up to the end of a page, to the millisecond (null: no page was submitted). */
export function generateDuration(
  route: SurveyPath,
  lastPageId: number | null,
  { random: chance }: SyntheticRespondent,
): number {
  let usual = PAGE_SECONDS;
  for (const { page, questions } of route.pages) {
    if (lastPageId === null) break;
    usual += PAGE_SECONDS;
    for (const { prepared } of questions)
      usual += typeOf(prepared.question).seeding.seconds(prepared.question);
    if (page.id === lastPageId) break;
  }
  return Number((usual * Math.exp(SPREAD * chance.normal())).toFixed(3));
}

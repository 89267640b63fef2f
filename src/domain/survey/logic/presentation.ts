import { LIST_SEPARATOR } from '../../columns/column-spec.ts';
import { asksRespondents, codecFor } from '../../questions/registry.ts';
import type { RandomContext } from '../blocks.ts';
import type { Question, SurveyDefinition } from '../definition.ts';
import type { Presentation } from '../../responses/presentation.ts';
import type { SurveyPath } from './evaluate-logic.ts';
import { orderedOptions, orderedRows } from './random-order.ts';

/** Whether each respondent sees the options of a question, or the rows of a matrix, in an order of their own. */
export const hasRandomOrder = (question: Question): boolean =>
  question.settings.shuffle !== 'none' || codecFor(question).shufflesRows(question);

const isRandom = (each: SurveyDefinition['arrangement']): boolean =>
  each !== null && (each.order !== 'fixed' || each.show !== null);

/** Whether the survey has blocks, or a random order of pages or questions. */
export const isArranged = ({ arrangement, blocks, pages }: SurveyDefinition): boolean =>
  blocks.length > 0 || isRandom(arrangement) || pages.some((page) => isRandom(page.arrangement));

/** Returns the questions whose place among the others differs between respondents. */
export function questionsWithPlaces({ arrangement, blocks, pages }: SurveyDefinition): Question[] {
  const isAnyRandom =
    isRandom(arrangement) || blocks.some((block) => isRandom(block.arrangement) || block.arms.length > 0);
  return pages
    .filter((page) => isAnyRandom || isRandom(page.arrangement))
    .flatMap((page) => page.questions.filter((question) => isAsked(question)));
}

const isAsked = (question: Question): boolean =>
  !question.settings.hidden && question.cell === undefined && asksRespondents(question);

/** Returns what a response in progress was shown until it submitted a page, with all arms that are assigned. */
export function presentationUntil(
  definition: SurveyDefinition,
  path: SurveyPath,
  pageId: number | null,
  { seed, arms }: RandomContext,
): Presentation | null {
  const last = path.pages.findIndex(({ page }) => page.id === pageId);
  const presentation = presentationOf(
    definition,
    { ...path, pages: path.pages.slice(0, last + 1) },
    seed ?? '',
  );
  const allArms = { ...arms, ...path.arms };
  return Object.keys(allArms).length === 0 ? presentation : { ...presentation, arms: allArms };
}

/** Returns what a response was shown at random, as its data keep it; null: nothing was random. */
export function presentationOf(
  definition: SurveyDefinition,
  path: SurveyPath,
  seed: string,
): Presentation | null {
  const placed = new Set(questionsWithPlaces(definition));
  const positions: Record<string, number> = {};
  const orders: Record<string, string> = {};
  const asked = path.pages
    .flatMap(({ questions }) => questions)
    .filter(({ prepared }) => isAsked(prepared.question));
  for (const [index, { prepared, options }] of asked.entries()) {
    const { question } = prepared;
    if (placed.has(question)) positions[question.code] = index + 1;
    if (!hasRandomOrder(question)) continue;
    const shown = codecFor(question).shufflesRows(question)
      ? orderedRows(question, seed).map((row) => row.row_code)
      : orderedOptions(question, options, seed).map(({ value }) => value);
    orders[question.code] = shown.join(LIST_SEPARATOR);
  }
  const presentation: Presentation = {
    ...(Object.keys(path.arms).length > 0 && { arms: path.arms }),
    ...(Object.keys(positions).length > 0 && { positions }),
    ...(Object.keys(orders).length > 0 && { orders }),
  };
  return Object.keys(presentation).length === 0 ? null : presentation;
}

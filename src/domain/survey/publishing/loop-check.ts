import { quote } from '../../../lib/error-messages.ts';
import { tableOf } from '../../questions/registry.ts';
import type { Page, SurveyDefinition } from '../definition.ts';
import { loopProblems } from '../loop-rules.ts';
import { itemPipesIn, loopAround, loopItems, loopSizeProblem } from '../loops.ts';
import type { PublishProblem } from './publish-check.ts';

/**
 * Returns loops that cannot be shown, texts that name an item where there is none, and questions that moved into or out of a loop.
 *
 * @param previous the published version; null: none
 */
export function findLoopProblems(
  definition: SurveyDefinition,
  previous: SurveyDefinition | null,
): PublishProblem[] {
  const live = definition.pages.filter(({ retired }) => !retired);
  const size = loopSizeProblem(definition);
  return [
    ...(size === null ? [] : [{ code: 'survey_too_large', message: size, field: '' } as const]),
    ...definition.blocks.flatMap((block, index) =>
      block.retired
        ? []
        : loopProblems(block, definition).map(({ field, message }): PublishProblem => ({
            code: field.endsWith('question_code') ? 'dangling_reference' : 'impossible_settings',
            message,
            field: `blocks[${index}].${field}`,
          })),
    ),
    ...live.flatMap((page) => pipeProblems(page, definition)),
    ...live.flatMap((page) => tableProblems(page, definition)),
    ...(previous === null ? [] : live.flatMap((page) => moveProblems(page, definition, previous))),
  ];
}

/** Cells of a table are written out once, not for each item. */
function tableProblems(page: Page, { blocks, pages }: SurveyDefinition): PublishProblem[] {
  if (loopAround(blocks, page.blockId) === null) return [];
  return page.questions.flatMap((question, index): PublishProblem[] =>
    question.retired || tableOf(question) === null
      ? []
      : [
          {
            code: 'impossible_settings',
            message: `${question.code} is a table, which cannot be in a loop`,
            field: `pages[${pages.indexOf(page)}].questions[${index}]`,
            question_code: question.code,
          },
        ],
  );
}

function pipeProblems(page: Page, definition: SurveyDefinition): PublishProblem[] {
  const loop = loopAround(definition.blocks, page.blockId)?.loop ?? null;
  const known = new Set(
    loop === null
      ? []
      : [
          'label',
          'code',
          ...loopItems(loop, definition).flatMap(({ attributes }) => Object.keys(attributes)),
        ],
  );
  const at = `pages[${definition.pages.indexOf(page)}]`;
  const problemsOf = (texts: unknown, field: string, code?: string): PublishProblem[] =>
    [...new Set(itemPipesIn(texts))]
      .filter((name) => !known.has(name))
      .map((name) => ({
        code: 'dangling_reference',
        message:
          loop === null
            ? `{{item.${name}}} stands outside of a loop, where there is no item`
            : `no item of the loop has the attribute ${quote(name)}`,
        field,
        ...(code !== undefined && { question_code: code }),
      }));
  return [
    ...problemsOf([page.title, page.description], `${at}.page_title`),
    ...page.questions.flatMap((question, index) =>
      question.retired ? [] : problemsOf(question, `${at}.questions[${index}]`, question.code),
    ),
  ];
}

/** The columns of a question in a loop name its items, so that its earlier answers would be in no column. */
function moveProblems(
  page: Page,
  definition: SurveyDefinition,
  previous: SurveyDefinition,
): PublishProblem[] {
  const loopIdOf = ({ blocks }: SurveyDefinition, blockId: number | null) =>
    loopAround(blocks, blockId)?.id ?? null;
  const before = new Map(
    previous.pages.flatMap((old) =>
      old.questions.map(({ id }): [number, number | null] => [id, loopIdOf(previous, old.blockId)]),
    ),
  );
  const now = loopIdOf(definition, page.blockId);
  return page.questions.flatMap((question, index): PublishProblem[] => {
    const was = before.get(question.id);
    if (question.retired || was === undefined || was === now) return [];
    const way = was === null ? 'into a loop' : now === null ? 'out of its loop' : 'into another loop';
    return [
      {
        code: 'impossible_settings',
        message: `${question.code} was published and cannot move ${way}, because its columns would change; copy the question instead`,
        field: `pages[${definition.pages.indexOf(page)}].questions[${index}]`,
        question_code: question.code,
      },
    ];
  });
}

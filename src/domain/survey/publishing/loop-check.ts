import { quote } from '../../../lib/error-messages.ts';
import type { Page, SurveyDefinition } from '../definition.ts';
import { loopProblems } from '../loop-rules.ts';
import { readLoopedCode } from '../loop-codes.ts';
import { authoredId, itemPipesIn, loopAround, loopItems, loopSizeProblem } from '../loops.ts';
import type { PublishProblem, PublishWarning } from './publish-check.ts';

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
    ...(previous === null ? [] : live.flatMap((page) => moveProblems(page, definition, previous))),
  ];
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

/**
 * Returns findings about an expanded definition as findings about the authored one: what is wrong with every item of a loop is reported
 * once.
 */
export function authoredFindings<T extends PublishProblem | PublishWarning>(
  findings: readonly T[],
  expanded: SurveyDefinition,
  authored: SurveyDefinition,
): T[] {
  if (expanded === authored) return [...findings];
  const indexOf = (list: readonly { id: number }[], id: number) =>
    list.findIndex((each) => each.id === authoredId(id));
  const seen = new Set<string>();
  return findings.flatMap((finding) => {
    const { question_code: code, page_id: pageId } = finding;
    const [, kind, index, rest = ''] = /^(pages|blocks)\[(\d+)\](.*)$/s.exec(finding.field) ?? [];
    const lists = kind === 'pages' ? [expanded.pages, authored.pages] : [expanded.blocks, authored.blocks];
    const part = kind === undefined ? undefined : lists[0]?.[Number(index)];
    const at = part === undefined ? null : `${kind}[${indexOf(lists[1] ?? [], part.id)}]`;
    const isItem = part !== undefined && 'item' in part;
    const own: T = {
      ...finding,
      ...(at !== null && { field: `${at}${isItem ? '.block_loop.question_code' : rest}` }),
      ...(code !== undefined && { question_code: readLoopedCode(code)?.authored ?? code }),
      ...(pageId !== undefined && { page_id: authoredId(pageId) }),
    };
    if (part === undefined || authoredId(part.id) === part.id) return [own];
    const key = `${own.code} ${own.field}`;
    if (seen.has(key)) return [];
    seen.add(key);
    return [own];
  });
}

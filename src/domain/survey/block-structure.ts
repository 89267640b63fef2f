import { duplicateOf, mustBe, quote, unknownObject } from '../../lib/error-messages.ts';
import type { ErrorDetail } from '../../lib/errors.ts';
import { type Block, blocksAround } from './blocks.ts';
import type { Page, SurveyDefinition } from './definition.ts';
import { codeProblem, isCodeTaken } from './question-codes.ts';

type PlacedPage = Pick<Page, 'id' | 'blockId' | 'retired'>;

/** Returns a block whose pages do not follow each other in this order; null: there is none. */
export function interruptedBlock(pages: readonly PlacedPage[], blocks: readonly Block[]): Block | null {
  const left = new Set<Block>();
  let open: readonly Block[] = [];
  for (const page of pages) {
    if (page.retired) continue;
    const around = blocksAround(blocks, page.blockId);
    for (const block of open) if (!around.includes(block)) left.add(block);
    const again = around.find((block) => left.has(block));
    if (again !== undefined) return again;
    open = around;
  }
  return null;
}

/**
 * Returns the ids of the pages in an order in which no block is interrupted, with these pages together in their order: at the place of the
 * first, or as near after it as possible. `pages` have their new blocks.
 */
export function gatherPages(
  pages: readonly PlacedPage[],
  blocks: readonly Block[],
  gatheredIds: readonly number[],
): number[] {
  const gathered = gatheredIds.flatMap((id) => pages.find((page) => page.id === id) ?? []);
  const others = pages.filter((page) => !gatheredIds.includes(page.id));
  const [first] = pages.filter((page) => gatheredIds.includes(page.id));
  const wanted =
    first === undefined
      ? others.length
      : others.filter((page) => pages.indexOf(page) < pages.indexOf(first)).length;
  const isBefore = (place: number) => (place < wanted ? 1 : 0);
  const places = Array.from({ length: others.length + 1 }, (_, place) => place).sort(
    (a, b) => isBefore(a) - isBefore(b) || Math.abs(a - wanted) - Math.abs(b - wanted),
  );
  const orders = places.map((place) => [...others.slice(0, place), ...gathered, ...others.slice(place)]);
  const order = orders.find((each) => interruptedBlock(each, blocks) === null) ?? [...others, ...gathered];
  return order.map(({ id }) => id);
}

/** Returns the block of a page at its place: its own, or one around its neighbors if its own block is elsewhere. */
export function blockAtPlace(
  pages: readonly PlacedPage[],
  blocks: readonly Block[],
  pageId: number,
): number | null {
  const live = pages.filter(({ retired }) => !retired);
  const index = live.findIndex(({ id }) => id === pageId);
  const candidates = [live[index], live[index - 1], live[index + 1]].flatMap((page): (number | null)[] =>
    page === undefined
      ? []
      : [
          page.blockId,
          ...blocksAround(blocks, page.blockId)
            .reverse()
            .map(({ id }) => id),
        ],
  );
  const found = [...candidates, null].find((blockId) => {
    const moved = live.map((page) => (page.id === pageId ? { ...page, blockId } : page));
    return interruptedBlock(moved, blocks) === null;
  });
  return found ?? null;
}

/** Returns why a block cannot have this code; null if it can. */
export function blockCodeProblem(
  code: string,
  { blocks, pages }: SurveyDefinition,
  ownId: number | null,
): string | null {
  const problem = codeProblem(code);
  if (problem !== null) return problem;
  const other = blocks.find((block) => block.id !== ownId && isCodeTaken(code, [block.code]));
  if (other !== undefined)
    return other.retired
      ? `${quote(code)} names a deleted block whose data remain; choose another code`
      : duplicateOf('another block of this survey', code);
  const question = pages
    .flatMap((page) => page.questions)
    .find((each) => isCodeTaken(`${code}_arm`, [each.code]));
  return question === undefined
    ? null
    : `${quote(code)} would have the column ${code}_arm, which is the code of a question; choose another code`;
}

/** Returns `BLOCK<n>`, one above the highest in use. */
export function nextBlockCode(blocks: readonly Block[]): string {
  const numbers = blocks.map(({ code }) => Number(/^BLOCK(\d{1,9})$/i.exec(code)?.[1] ?? 0));
  return `BLOCK${Math.max(0, ...numbers) + 1}`;
}

/** Returns why a block cannot be within another; empty if it can. */
export function parentProblems(
  blocks: readonly Block[],
  blockId: number | null,
  parentId: number | null,
): ErrorDetail[] {
  if (parentId === null) return [];
  const field = 'parent_block_id';
  const parent = blocks.find(({ id, retired }) => id === parentId && !retired);
  if (parent === undefined)
    return [
      { field, message: unknownObject({ kind: 'block', idOrCode: parentId, scope: 'in this survey' }) },
    ];
  const isWithin = blockId !== null && blocksAround(blocks, parentId).some(({ id }) => id === blockId);
  return isWithin
    ? [{ field, message: mustBe('a block that is not the block itself or within it', parentId) }]
    : [];
}

import { hashOf, randomNumbers } from '../../../lib/seeded-random.ts';
import type { SurveyDefinition } from '../definition.ts';
import { type Arrangement, type Block, liveArms, randomArm, type RandomContext } from '../blocks.ts';
import {
  type ArrangedSurvey,
  type ArrangerOf,
  type PreparedPage,
  questionPositions,
} from '../prepared-definition.ts';
import { shuffleItems } from './random-order.ts';

/** A part of a survey: a page, or a block with its parts in order. */
export type SurveyNode =
  { kind: 'page'; page: PreparedPage } | { kind: 'block'; block: Block; children: SurveyNode[] };

/** Whether chance decides nothing about pages and questions. */
function isFixed({ arrangement, blocks, pages }: SurveyDefinition): boolean {
  return (
    arrangement === null &&
    pages.every((page) => page.retired || page.arrangement === null) &&
    blocks.every(
      (block) =>
        block.retired ||
        (block.arrangement === null &&
          liveArms(block).length === 0 &&
          block.repeats?.order !== 'least_filled'),
    )
  );
}

/** Returns the parts of a survey in order: its pages within their blocks. */
function structureOf(pages: readonly PreparedPage[]): SurveyNode[] {
  const top: SurveyNode[] = [];
  let open: Extract<SurveyNode, { kind: 'block' }>[] = [];
  for (const page of pages) {
    const first = page.blocks.findIndex((block, index) => open[index]?.block !== block);
    open = open.slice(0, first === -1 ? page.blocks.length : first);
    for (const block of page.blocks.slice(open.length)) {
      const node = { kind: 'block' as const, block, children: [] };
      (open.at(-1)?.children ?? top).push(node);
      open.push(node);
    }
    (open.at(-1)?.children ?? top).push({ kind: 'page', page });
  }
  return top;
}

/** Returns the arm of a block; null if it is unknown or still to be assigned. Only for blocks with arms. */
function armOf(block: Block, { seed, arms, awaitsArms }: RandomContext): string | null {
  const assigned = Object.hasOwn(arms, String(block.id)) ? arms[String(block.id)] : undefined;
  if (block.arms.some(({ code }) => code === assigned)) return assigned ?? null;
  return seed === null || (block.assignment === 'least_filled' && awaitsArms) ? null : randomArm(block, seed);
}

/** Returns the pages and questions in the order of a respondent, without those that chance leaves out; null if chance decides nothing. */
export const arrangerOf: ArrangerOf = (definition, prepared) => {
  if (isFixed(definition)) return null;
  const structure = structureOf(prepared);
  return (context): ArrangedSurvey => {
    const { seed } = context;
    const pages: PreparedPage[] = [];
    const arms = new Map<number, string | null>();
    const add = (nodes: readonly SurveyNode[], arrangement: Arrangement | null, key: string): void => {
      for (const node of arrangeChildren(nodes, arrangement, seed === null ? null : `${seed} ${key}`)) {
        if (node.kind === 'page') {
          pages.push(arrangePage(node.page, seed));
          continue;
        }
        const { block, children } = node;
        if (block.repeats?.order === 'least_filled' && context.awaitsArms && seed !== null) {
          add(assignedFirst(children, context.arms, arms), null, `block ${block.id}`);
          continue;
        }
        const arm = liveArms(block).length === 0 ? null : armOf(block, context);
        if (liveArms(block).length > 0) arms.set(block.id, arm);
        const own =
          arm === null ? children : children.filter((child) => [null, arm].includes(childArm(child)));
        add(own, block.arrangement, `block ${block.id}`);
      }
    };
    add(structure, definition.arrangement, 'survey');
    return {
      pages,
      positions: questionPositions(pages),
      arms,
      awaitedAt(block, room, isShown) {
        const { blocks } = definition;
        if (blocks.find(({ id }) => id === block.parentId)?.repeats === undefined)
          return { blocks: [block], count: 1 };
        const items = blocks.filter(
          ({ id, parentId, retired, logic }) =>
            parentId === block.parentId && !retired && arms.get(id) === null && isShown(logic?.display),
        );
        return { blocks: items, count: Math.min(room, items.length) };
      },
    };
  };
};

/**
 * Returns the items of a loop that the server assigned, in their order, and then the others. Adds to `arms` what is known of them: the place
 * of an assigned item among those of the respondent.
 */
function assignedFirst(
  items: readonly SurveyNode[],
  assigned: RandomContext['arms'],
  arms: Map<number, string | null>,
): SurveyNode[] {
  const placed = items.map((node) => {
    const id = node.kind === 'block' ? node.block.id : null;
    const place = id === null ? null : (assigned[String(id)] ?? null);
    if (id !== null) arms.set(id, place);
    return { node, place: place === null ? Infinity : Number(place) };
  });
  return placed.sort((a, b) => (a.place === b.place ? 0 : a.place - b.place)).map(({ node }) => node);
}

const childArm = (node: SurveyNode): string | null =>
  node.kind === 'block' ? node.block.arm : node.page.page.arm;

function arrangePage(prepared: PreparedPage, seed: string | null): PreparedPage {
  const { page, questions } = prepared;
  if (page.arrangement === null || seed === null) return prepared;
  const isHidden = ({ question }: PreparedPage['questions'][number]) => question.settings.hidden;
  const isCell = ({ question }: PreparedPage['questions'][number]) => question.cell !== undefined;
  const shown = arrangeChildren(
    questions.filter((question) => !isHidden(question) && !isCell(question)),
    page.arrangement,
    `${seed} page ${page.id}`,
  );
  // The cells of a table follow it.
  const withCells = shown.flatMap((each) => [
    each,
    ...questions.filter(({ question }) => question.cell?.tableId === each.question.id),
  ]);
  return { ...prepared, questions: [...questions.filter(isHidden), ...withCells] };
}

/** Chooses and orders the children; without a seed, all in the stored order. Pinned ones are always chosen and keep their places. */
export function arrangeChildren<T extends NonNullable<unknown>>(
  children: readonly T[],
  arrangement: Arrangement | null,
  seed: string | null,
): readonly T[] {
  if (arrangement === null || seed === null) return children;
  const { order, pinned, show } = arrangement;
  const isPinnedPlace = new Set(pinned);
  const pinnedChildren = new Set(children.filter((_, index) => isPinnedPlace.has(index + 1)));
  const isPinned = (child: T) => pinnedChildren.has(child);
  const chosen =
    show === null ? children : choose(children, { count: show, isPinned, seed: `${seed} choice` });
  return shuffleItems(chosen, {
    mode: order === 'fixed' ? 'none' : order,
    seed: `${seed} order`,
    isAnchored: isPinned,
  });
}

/** Returns `count` children in the stored order: the pinned ones, and others at random. */
function choose<T>(
  children: readonly T[],
  { count, isPinned, seed }: { count: number; isPinned: (child: T) => boolean; seed: string },
): readonly T[] {
  const others = children.filter((child) => !isPinned(child));
  const random = randomNumbers(hashOf(seed));
  let wanted = Math.max(0, count - (children.length - others.length));
  let left = others.length;
  const chosen = new Set<T>();
  // Each is chosen with the probability that makes all selections of this size equally likely (Knuth's algorithm S).
  for (const child of others) {
    if (random() * left < wanted) {
      chosen.add(child);
      wanted--;
    }
    left--;
  }
  return children.filter((child) => isPinned(child) || chosen.has(child));
}

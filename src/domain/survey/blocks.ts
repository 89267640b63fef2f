import { hashOf, randomNumbers } from '../../lib/seeded-random.ts';
import type { Condition } from '../questions/condition.ts';

/** How `order` arranges children: any order; the stored order from a random start; half of the respondents see the reverse. */
export const CHILD_ORDERS = ['fixed', 'random', 'rotate', 'reverse'] as const;

/** In which order the pages and blocks of a survey or block, or the questions of a page, are shown, and how many of them. */
export interface Arrangement {
  order: (typeof CHILD_ORDERS)[number];
  /** Places, from 1, whose child is always shown and stays where it is. */
  pinned: number[];
  /** How many children a respondent sees, chosen at random; null: all. */
  show: number | null;
}

/** One of the groups to which a block assigns respondents. */
export interface Arm {
  code: string;
  label: string;
  /** Relative to the other arms: 1 and 1 are halves. */
  share: number;
  /** Not assigned any more; responses have it. */
  retired: boolean;
}

export const ARM_ASSIGNMENTS = ['random', 'least_filled'] as const;

/** A part of a survey: pages and blocks that are shown together. */
export interface Block {
  id: number;
  /** Names the columns of the block: `<code>_arm`. */
  code: string;
  title: string | null;
  /** The block that contains it; null: the survey. */
  parentId: number | null;
  /** The arm of the parent that sees it; null: every arm. */
  arm: string | null;
  arrangement: Arrangement | null;
  /** Empty: no experiment. */
  arms: Arm[];
  /** `least_filled`: the arm that has the fewest complete responses and interviews in progress for its share. */
  assignment: (typeof ARM_ASSIGNMENTS)[number];
  logic: { display?: Condition | undefined } | null;
  /** Shows the contents of the block once for each of several items; null: once. */
  loop: Loop | null;
  /** Only in expanded definitions (expandLoops): the block contains a block for each item of a loop. */
  repeats?: Pick<Loop, 'max' | 'order'>;
  /** Only in expanded definitions: the item of the loop for which the block is shown. */
  item?: LoopItem;
  /** Only where data have a row for each item of the loop: the items. */
  stacked?: readonly Pick<LoopItem, 'code' | 'label'>[];
  /** Not part of the survey any more; its columns remain. */
  retired: boolean;
}

export const LOOP_SOURCES = ['chosen', 'not_chosen', 'listed'] as const;
export const LOOP_ORDERS = ['fixed', 'random', 'least_filled'] as const;

/** Repeats a block for items: the options that a respondent chose or did not choose in a question, or those of a list. */
export interface Loop {
  over: (typeof LOOP_SOURCES)[number];
  /** The code of the question with the options; null for a list. */
  questionCode: string | null;
  /** Of a list, its items; otherwise the attributes of options. */
  items: LoopItem[];
  /** How many items a respondent sees at most: the first in the order; null: all. */
  max: number | null;
  /** `least_filled`: first the items that the fewest complete responses and interviews in progress have. */
  order: (typeof LOOP_ORDERS)[number];
}

export interface LoopItem {
  code: string;
  label: string;
  /** Texts for `{{item.<name>}}`. */
  attributes: Readonly<Record<string, string>>;
  /** By language. */
  translations: Readonly<Record<string, { label?: string; attributes?: Readonly<Record<string, string>> }>>;
  /** Numbers the ids of what is shown for it. Unique within the loop, never reused. */
  number: number;
  /** Not shown any more; its columns remain. */
  retired: boolean;
}

/** Returns the blocks around a page or block, outermost first. A block within itself, which no request can store, ends the list. */
export function blocksAround(blocks: readonly Block[], blockId: number | null): Block[] {
  const around: Block[] = [];
  for (let id = blockId; id !== null;) {
    const found = blocks.find((block) => block.id === id);
    if (found === undefined || around.includes(found)) break;
    around.unshift(found);
    id = found.parentId;
  }
  return around;
}

export const liveArms = ({ arms }: Pick<Block, 'arms'>): Arm[] => arms.filter(({ retired }) => !retired);

/** Returns the arm that the seed assigns, with probabilities in proportion to the shares. */
export function randomArm(block: Block, seed: string): string | null {
  const arms = liveArms(block);
  const total = arms.reduce((sum, { share }) => sum + share, 0);
  let left = randomNumbers(hashOf(`${seed} block ${block.id} arm`))() * total;
  return (arms.find(({ share }) => (left -= share) < 0) ?? arms.at(-1))?.code ?? null;
}

/** What decides which parts of a survey a respondent sees, and in which order. */
export interface RandomContext {
  /**
   * Of all random choices: the response's submission_id. The same seed always gives the same survey. null: unknown, so that every part of
   * the survey counts as shown, in survey order, except those of other arms than `arms` names.
   */
  seed: string | null;
  /** The arms that are known already, by block_id: those that the server assigned. */
  arms: Readonly<Record<string, string>>;
  /** Whether the survey stops before a block whose least filled arm is not assigned yet; otherwise the seed assigns it. */
  awaitsArms: boolean;
}

export const UNKNOWN_ORDER: RandomContext = { seed: null, arms: {}, awaitsArms: false };

/** Orders items by the number of their respondents; the seed decides between equal ones. `counts`: respondents by block_id of the item. */
export function leastFilledItems(
  blockIds: readonly number[],
  counts: ReadonlyMap<number, number>,
  seed: string,
): number[] {
  const candidates = blockIds.map((id) => ({
    id,
    filled: counts.get(id) ?? 0,
    rank: randomNumbers(hashOf(`${seed} item ${id}`))(),
  }));
  candidates.sort((a, b) => a.filled - b.filled || a.rank - b.rank);
  return candidates.map(({ id }) => id);
}

/** Returns the arm with the fewest respondents for its share; the seed decides between equal ones. `counts`: respondents by arm code. */
export function leastFilledArm(
  block: Block,
  counts: ReadonlyMap<string, number>,
  seed: string,
): string | null {
  const random = randomNumbers(hashOf(`${seed} block ${block.id} arm`));
  // Sainte-Laguë: the next respondent goes where the shares stay closest to what was wanted.
  const candidates = liveArms(block).map(({ code, share }) => ({
    code,
    filled: ((counts.get(code) ?? 0) + 0.5) / share,
    rank: random(),
  }));
  candidates.sort((a, b) => a.filled - b.filled || a.rank - b.rank);
  return candidates[0]?.code ?? null;
}

import { isDeepStrictEqual } from 'node:util';
import type { z } from 'zod';
import type { SurveyScope } from '../../domain/access/scopes.ts';
import {
  armProblem,
  type armsSchema,
  changedArms,
  changedLoop,
  type loopSchema,
  MAX_BLOCKS,
} from '../../domain/survey/block-input.ts';
import {
  blockCodeProblem,
  gatherPages,
  interruptedBlock,
  nextBlockCode,
  parentProblems,
} from '../../domain/survey/block-structure.ts';
import type { Arrangement, Block } from '../../domain/survey/blocks.ts';
import { loopProblems } from '../../domain/survey/loop-rules.ts';
import type { SurveyDefinition } from '../../domain/survey/definition.ts';
import { duplicateItem, limitReached, unknownObject } from '../../lib/error-messages.ts';
import { conflict, type ErrorDetail, invalidFields, notFound, type Precondition } from '../../lib/errors.ts';
import { requireValue } from '../../lib/require-value.ts';
import type { Repositories } from '../../repositories/repositories.ts';
import type { Store } from '../../repositories/store.ts';
import type { SurveyRow } from '../../repositories/surveys.ts';
import { surveyObject } from './survey-lock.ts';
import { readBlockLogic } from '../../domain/survey/logic/read-logic.ts';
import { pageLogicOf } from './survey-pages.ts';

/** A block as the client sends it; its logic is not parsed yet. undefined: unchanged or the default. */
export interface BlockInput {
  code?: string | undefined;
  title?: string | null | undefined;
  parentId?: number | null | undefined;
  arm?: string | null | undefined;
  arrangement?: Arrangement | null | undefined;
  arms?: z.output<typeof armsSchema> | undefined;
  assignment?: Block['assignment'] | undefined;
  logic?: unknown;
  loop?: z.output<typeof loopSchema> | null | undefined;
  /** The pages that it contains, in order, besides those of the blocks within it. */
  pageIds?: readonly number[] | undefined;
}

/** A block in the draft of its survey. */
interface PlacedBlock {
  block: Block;
  definition: SurveyDefinition;
}

const NEW_BLOCK: Omit<Block, 'id' | 'code'> = {
  title: null,
  parentId: null,
  arm: null,
  arrangement: null,
  arms: [],
  assignment: 'random',
  logic: null,
  loop: null,
  retired: false,
};

/** Changes the blocks of a survey's draft; the survey is read as a whole. */
export class SurveyBlockService {
  constructor(private readonly store: Store) {}

  create(scope: SurveyScope, input: BlockInput): Promise<PlacedBlock> {
    return surveyObject.change(this.store, scope, async (repositories) => {
      const definition = await repositories.definitions.loadDraft(scope.surveyId);
      if (definition.blocks.length >= MAX_BLOCKS) {
        const message = `${limitReached({ owner: 'A survey', max: MAX_BLOCKS, unit: 'block' })}, deleted ones with data included`;
        throw conflict('too_many_blocks', message);
      }
      const [id] = await repositories.blocks.reserveIds(1);
      const block = changedBlock({
        definition,
        before: { ...NEW_BLOCK, id: requireValue(id, 'block id'), code: nextBlockCode(definition.blocks) },
        input,
        keepsData: false,
      });
      await repositories.blocks.add(scope, [block]);
      await placePages(repositories, scope, { definition, block, pageIds: input.pageIds });
      return {
        result: await load(repositories, scope, block.id),
        action: 'block_created',
        details: { block_id: block.id },
      };
    });
  }

  update(
    scope: SurveyScope,
    blockId: number,
    input: BlockInput,
    precondition?: Precondition<PlacedBlock>,
  ): Promise<PlacedBlock> {
    return surveyObject.change(this.store, scope, async (repositories, survey) => {
      const definition = await repositories.definitions.loadDraft(scope.surveyId);
      const before = liveBlock(definition, blockId);
      precondition?.({ block: before, definition });
      const keepsData = await mayHaveData(repositories, survey);
      if (keepsData && input.code !== undefined && input.code !== before.code)
        throw conflict('block_has_data', 'block_code: cannot change, because it names the data of the block');
      const block = changedBlock({ definition, before, input, keepsData });
      if ((before.loop === null) !== (block.loop === null))
        await refusePublishedLoop(repositories, survey, before);
      if (input.pageIds === undefined && isDeepStrictEqual(block, before))
        return { result: { block: before, definition }, action: null };
      await repositories.blocks.save(scope, block);
      await placePages(repositories, scope, { definition, block, pageIds: input.pageIds });
      return {
        result: await load(repositories, scope, blockId),
        action: 'block_updated',
        details: { block_id: blockId },
      };
    });
  }

  /** Deletes a block; its pages and blocks remain, in its parent. It is retired instead if responses can have its arm. */
  async delete(scope: SurveyScope, blockId: number, precondition?: Precondition<PlacedBlock>): Promise<void> {
    await surveyObject.change(this.store, scope, async (repositories, survey) => {
      const definition = await repositories.definitions.loadDraft(scope.surveyId);
      const { blocks, pages } = definition;
      const block = liveBlock(definition, blockId);
      precondition?.({ block, definition });
      if (block.loop !== null) await refusePublishedLoop(repositories, survey, block);
      const contents = {
        pageIds: pages.filter((page) => page.blockId === blockId).map(({ id }) => id),
        blockIds: blocks.filter(({ parentId }) => parentId === blockId).map(({ id }) => id),
      };
      await repositories.blocks.moveContents(scope, contents, block.parentId);
      if (await mayHaveData(repositories, survey))
        await repositories.blocks.save(scope, { ...block, retired: true });
      else await repositories.blocks.remove(scope, blockId);
      return { result: undefined, action: 'block_deleted', details: { block_id: blockId } };
    });
  }
}

async function load(
  { definitions }: Repositories,
  scope: SurveyScope,
  blockId: number,
): Promise<PlacedBlock> {
  const definition = await definitions.loadDraft(scope.surveyId);
  return { block: liveBlock(definition, blockId), definition };
}

function liveBlock({ blocks }: SurveyDefinition, blockId: number): Block {
  const block = blocks.find(({ id, retired }) => id === blockId && !retired);
  if (block === undefined) throw notFound('block');
  return block;
}

/** Whether responses may name the arms of the survey's blocks. */
const mayHaveData = async ({ surveys }: Repositories, survey: SurveyRow): Promise<boolean> =>
  survey.published_version !== null || (await surveys.hasResponses(survey.survey_id));

/** Throws 409 if responses can have answers by item of the block, or answers without: their columns would be lost. */
async function refusePublishedLoop(
  { definitions }: Repositories,
  { survey_id: surveyId, published_version: version }: SurveyRow,
  block: Block,
): Promise<void> {
  const published = version === null ? null : await definitions.findPublished(surveyId, version);
  const known = published?.blocks.find(({ id, retired }) => id === block.id && !retired);
  if (known === undefined) return;
  const message =
    known.loop === null
      ? 'block_loop: cannot be added, because responses have answers without items; copy the pages into a new block'
      : 'block_loop: cannot be removed, because its items name columns of the data';
  throw conflict('block_has_data', message);
}

/** Throws 400 with every problem. */
function changedBlock({
  definition,
  before,
  input,
  keepsData,
}: {
  definition: SurveyDefinition;
  before: Block;
  input: BlockInput;
  keepsData: boolean;
}): Block {
  const { blocks } = definition;
  const logic =
    input.logic === undefined
      ? before.logic
      : pageLogicOf({
          definition,
          input: input.logic,
          before: before.logic,
          field: 'block_logic',
          read: readBlockLogic,
        });
  const block: Block = {
    ...before,
    code: input.code ?? before.code,
    title: input.title === undefined ? before.title : input.title,
    parentId: input.parentId === undefined ? before.parentId : input.parentId,
    arm: input.arm === undefined ? before.arm : input.arm,
    arrangement: input.arrangement === undefined ? before.arrangement : input.arrangement,
    arms: input.arms === undefined ? before.arms : changedArms(before.arms, input.arms, keepsData),
    assignment: input.assignment ?? before.assignment,
    logic,
    loop: input.loop === undefined ? before.loop : changedLoop(before.loop, input.loop, keepsData),
  };
  const problems: ErrorDetail[] = parentProblems(blocks, before.id, block.parentId);
  problems.push(...loopProblems(block, definition));
  const code = blockCodeProblem(block.code, definition, before.id);
  if (code !== null) problems.push({ field: 'block_code', message: code });
  const arm = armProblem(
    blocks.find(({ id }) => id === block.parentId),
    block.arm,
  );
  if (arm !== null && problems.length === 0) problems.push({ field: 'shown_to_arm', message: arm });
  problems.push(...contentArmProblems(definition, block));
  if (problems.length > 0) throw invalidFields(problems);
  return block;
}

/** Returns a problem if a page or block within the block is for an arm that it no longer has. */
function contentArmProblems({ pages, blocks }: SurveyDefinition, block: Block): ErrorDetail[] {
  const used = [
    ...pages.filter((page) => page.blockId === block.id && !page.retired).map(({ arm }) => arm),
    ...blocks.filter(({ parentId, retired }) => parentId === block.id && !retired).map(({ arm }) => arm),
  ];
  const lost = used.find((arm) => armProblem(block, arm) !== null);
  return lost === undefined
    ? []
    : [{ field: 'arms', message: `must contain ${lost}: parts of the block are shown to this arm only` }];
}

/** Puts the pages into the block, and brings all pages of the block together. Throws 400. */
async function placePages(
  repositories: Repositories,
  scope: SurveyScope,
  {
    definition,
    block,
    pageIds,
  }: { definition: SurveyDefinition; block: Block; pageIds: readonly number[] | undefined },
): Promise<void> {
  const live = definition.pages.filter(({ retired }) => !retired);
  const problems = (pageIds ?? []).flatMap((id, index): ErrorDetail[] => {
    const field = `page_ids[${index}]`;
    if (!live.some((page) => page.id === id))
      return [{ field, message: unknownObject({ kind: 'page', idOrCode: id, scope: 'in this survey' }) }];
    return pageIds?.indexOf(id) === index ? [] : [{ field, message: duplicateItem(`page ${id}`) }];
  });
  if (problems.length > 0) throw invalidFields(problems);
  const blocks = [...definition.blocks.filter(({ id }) => id !== block.id), block];
  const newBlockOf = (page: (typeof live)[number]): number | null => {
    if (pageIds === undefined) return page.blockId;
    if (pageIds.includes(page.id)) return block.id;
    return page.blockId === block.id ? block.parentId : page.blockId;
  };
  const moved = live.map((page) => ({ ...page, blockId: newBlockOf(page) }));
  const changed = moved.filter((page, index) => page.blockId !== live[index]?.blockId);
  for (const blockId of new Set(changed.map((page) => page.blockId)))
    await repositories.blocks.moveContents(
      scope,
      { pageIds: changed.filter((page) => page.blockId === blockId).map(({ id }) => id), blockIds: [] },
      blockId,
    );
  const gathered =
    pageIds ?? moved.filter(({ blockId }) => isWithin(blocks, blockId, block.id)).map(({ id }) => id);
  if (pageIds === undefined && interruptedBlock(moved, blocks) === null) return;
  await repositories.questions.setPageOrder(scope, gatherPages(moved, blocks, gathered));
}

function isWithin(blocks: readonly Block[], blockId: number | null, ancestorId: number): boolean {
  for (let id = blockId; id !== null; id = blocks.find((block) => block.id === id)?.parentId ?? null)
    if (id === ancestorId) return true;
  return false;
}

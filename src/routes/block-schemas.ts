import { z } from 'zod';
import {
  arrangementSchema,
  armsSchema,
  loopSchema,
  presentArm,
  presentLoop,
} from '../domain/survey/block-input.ts';
import { ARM_ASSIGNMENTS, type Block, liveArms } from '../domain/survey/blocks.ts';
import type { SurveyDefinition } from '../domain/survey/definition.ts';
import { pageLogicSchema } from '../domain/questions/logic-schema.ts';
import { etagOf } from '../http/object-versions.ts';

const BLOCK_EXAMPLE = {
  block_id: 1,
  block_code: 'CONCEPT',
  block_title: 'Concepts',
  parent_block_id: null,
  shown_to_arm: null,
  block_arrangement: null,
  arms: [
    { arm_code: 'A', arm_label: 'Oat milk', share: 1 },
    { arm_code: 'B', arm_label: 'Cold brew', share: 1 },
  ],
  arm_assignment: 'least_filled' as const,
  block_logic: null,
  block_loop: null,
  page_ids: [3, 4],
  retired: false,
  etag: 'x8Fq2Lr0VbT5nKd9WcYm',
};

export const blockSchema = z
  .strictObject({
    block_id: z.int(),
    block_code: z.string().describe('Names the column of its arms: `<code>_arm`'),
    block_title: z.string().nullable(),
    parent_block_id: z.int().nullable().describe('The block that contains it; null: the survey'),
    shown_to_arm: z.string().nullable().describe('The arm of the parent that sees it; null: every arm'),
    block_arrangement: arrangementSchema
      .nullable()
      .describe('Of its pages and blocks; null: all, in survey order'),
    arms: armsSchema.describe('The groups to which the block assigns respondents; empty: none'),
    arm_assignment: z
      .enum(ARM_ASSIGNMENTS)
      .describe(
        'random: with the probabilities of the shares. least_filled: the arm with the fewest complete responses and interviews in progress for its share',
      ),
    block_logic: pageLogicSchema.pick({ display: true }).meta({ id: 'BlockLogic' }).nullable(),
    block_loop: loopSchema
      .nullable()
      .describe('Shows the contents once for each of several items; null: once'),
    page_ids: z.array(z.int()).describe('Its pages, in order, without those of blocks within it'),
    retired: z.boolean(),
    etag: z.string().describe('Changes with every change of the object; for the header `If-Match`'),
  })
  .meta({ id: 'Block', examples: [BLOCK_EXAMPLE] });

/** The fields of a block that respondents and authors see. */
export const presentBlockFields = (block: Block) => ({
  block_id: block.id,
  block_code: block.code,
  parent_block_id: block.parentId,
  shown_to_arm: block.arm,
  block_arrangement: block.arrangement,
  arms: liveArms(block).map(presentArm),
  arm_assignment: block.assignment,
  block_logic: block.logic,
});

export const presentBlock = (block: Block, { pages }: SurveyDefinition): z.input<typeof blockSchema> => ({
  ...presentBlockFields(block),
  block_title: block.title,
  block_loop: block.loop === null ? null : presentLoop(block.loop),
  page_ids: pages.filter((page) => page.blockId === block.id && !page.retired).map(({ id }) => id),
  retired: block.retired,
  etag: etagOf(block),
});

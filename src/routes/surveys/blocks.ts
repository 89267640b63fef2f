import { z } from 'zod';
import { arrangementSchema, armsSchema, loopSchema } from '../../domain/survey/block-input.ts';
import { ARM_ASSIGNMENTS, type Block } from '../../domain/survey/blocks.ts';
import type { SurveyDefinition } from '../../domain/survey/definition.ts';
import { MAX_PAGES } from '../../domain/survey/survey-export.ts';
import { etagHeaders, ifMatch } from '../../http/object-versions.ts';
import { withDocumentedSchema } from '../../http/openapi.ts';
import { idNumber, idParam, paginateItems, pagingQuery } from '../../http/paging.ts';
import { dataReply, emptyReply, listReply, withReply } from '../../http/reply.ts';
import { notFound } from '../../lib/errors.ts';
import { jsonObject } from '../../lib/json-value.ts';
import { blockSchema, presentBlock } from '../block-schemas.ts';
import { defineRoute } from '../define-route.ts';
import { pageLogicInput } from '../question-schemas.ts';
import { includeRetired, onSurvey, readOnly, surveyQuery } from '../guards.ts';

const ofSurvey = z.strictObject({ surveyId: idParam });
const ofBlock = z.strictObject({ surveyId: idParam, blockId: idParam });

const fields = {
  block_code: z
    .string()
    .max(48)
    .optional()
    .describe(
      'Default: the next of BLOCK1, BLOCK2 and so on. Fixed once the survey was published or has responses',
    ),
  block_title: z.string().max(500).nullish(),
  parent_block_id: idNumber.nullish().describe('The block that contains it'),
  shown_to_arm: z.string().max(40).nullish().describe('The arm of the parent that sees it; null: every arm'),
  block_arrangement: arrangementSchema.nullish(),
  arms: armsSchema.optional(),
  arm_assignment: z.enum(ARM_ASSIGNMENTS).optional(),
  block_logic: withDocumentedSchema(
    jsonObject,
    pageLogicInput.pick({ display: true }).meta({ id: 'BlockLogicInput' }),
  )
    .nullish()
    .describe(
      'When the block is shown: `display`, as in `page_logic`. It is evaluated once, where the block begins',
    ),
  block_loop: loopSchema
    .nullish()
    .describe(
      'Shows the contents once for each of several items, such as the brands that a respondent knows; null: once',
    ),
  page_ids: z
    .array(idNumber)
    .max(MAX_PAGES)
    .optional()
    .describe(
      'Its pages, in order. They move together, to the place of the first; pages that are left out move to the parent',
    ),
};

type Body = { [K in keyof typeof fields]: z.output<(typeof fields)[K]> };

const inputOf = (body: Partial<Body>) => ({
  code: body.block_code,
  title: body.block_title,
  parentId: body.parent_block_id,
  arm: body.shown_to_arm,
  arrangement: body.block_arrangement,
  arms: body.arms,
  assignment: body.arm_assignment,
  logic: body.block_logic,
  loop: body.block_loop,
  pageIds: body.page_ids,
});

function replyBlock({ block, definition }: { block: Block; definition: SurveyDefinition }) {
  const reply = presentBlock(block, definition);
  return withReply(reply, { headers: etagHeaders(reply) });
}

export const blockRoutes = [
  defineRoute({
    method: 'get',
    path: '/api/surveys/:surveyId/blocks',
    operationId: 'listBlocks',
    summary: 'List blocks',
    description:
      'Returns the blocks of the draft in the order in which they were created. A block groups pages and other blocks: to show them in ' +
      'random order, to show some of them, to show them under a condition, or to assign respondents to the arms of an experiment.',
    access: onSurvey('view'),
    params: ofSurvey,
    query: surveyQuery.extend({ ...pagingQuery, include_retired: includeRetired }),
    reply: listReply(blockSchema),
    async handler({ services, scope, query }) {
      const { definition } = await services.surveys.getWithDefinition(scope);
      const blocks = definition.blocks.filter((block) => query.include_retired === true || !block.retired);
      return paginateItems(
        blocks.map((block) => presentBlock(block, definition)),
        (block) => block.block_id,
        query,
      );
    },
  }),
  defineRoute({
    method: 'get',
    path: '/api/surveys/:surveyId/blocks/:blockId',
    operationId: 'getBlock',
    summary: 'Get a block',
    description: 'Returns the block of the draft, also a retired one.',
    access: onSurvey('view'),
    params: ofBlock,
    query: surveyQuery,
    reply: dataReply(blockSchema),
    hasObjectVersion: true,
    async handler({ services, scope, params }) {
      const { definition } = await services.surveys.getWithDefinition(scope);
      const block = definition.blocks.find(({ id }) => id === params.blockId);
      if (block === undefined) throw notFound('block');
      return replyBlock({ block, definition });
    },
  }),
  defineRoute({
    method: 'post',
    path: '/api/surveys/:surveyId/blocks',
    operationId: 'createBlock',
    summary: 'Create a block',
    description: 'Groups the pages of `page_ids`; they follow each other from the place of the first.',
    access: onSurvey('edit'),
    params: ofSurvey,
    query: surveyQuery,
    body: z.strictObject(fields),
    example: {
      block_code: 'CONCEPT',
      block_title: 'Concepts',
      arms: [
        { arm_code: 'A', arm_label: 'Oat milk' },
        { arm_code: 'B', arm_label: 'Cold brew' },
      ],
      arm_assignment: 'least_filled',
      page_ids: [1],
    },
    reply: dataReply(blockSchema),
    status: 201,
    hasObjectVersion: true,
    errors: { 409: 'The survey already has 200 blocks' },
    handler: async ({ services, scope, body }) =>
      replyBlock(await services.surveyBlocks.create(scope, inputOf(body))),
  }),
  defineRoute({
    method: 'put',
    path: '/api/surveys/:surveyId/blocks/:blockId',
    operationId: 'updateBlock',
    summary: 'Update a block',
    description:
      'Omitted fields keep their values; null clears a field. Arms that are left out are not assigned any more; responses keep them.',
    access: onSurvey('edit'),
    params: ofBlock,
    query: surveyQuery,
    body: z.strictObject({ ...fields, block_id: readOnly, retired: readOnly, etag: readOnly }),
    example: { block_arrangement: { order: 'random', pinned: [1], show: 2 } },
    reply: dataReply(blockSchema),
    hasObjectVersion: true,
    ifMatch: blockSchema,
    errors: { 409: '`block_has_data`: the code or the loop names data and cannot change' },
    handler: async ({ services, scope, params, body, request }) =>
      replyBlock(
        await services.surveyBlocks.update(
          scope,
          params.blockId,
          inputOf(body),
          ifMatch(request, ({ block, definition }) => presentBlock(block, definition)),
        ),
      ),
  }),
  defineRoute({
    method: 'delete',
    path: '/api/surveys/:surveyId/blocks/:blockId',
    operationId: 'deleteBlock',
    summary: 'Delete a block',
    description:
      'Its pages and blocks remain: they move to its parent. Once responses can have its arm, its column remains too.',
    access: onSurvey('edit'),
    params: ofBlock,
    query: surveyQuery,
    reply: emptyReply,
    ifMatch: blockSchema,
    errors: { 409: '`block_has_data`: a published loop names data' },
    handler: ({ services, scope, params, request }) =>
      services.surveyBlocks.delete(
        scope,
        params.blockId,
        ifMatch(request, ({ block, definition }) => presentBlock(block, definition)),
      ),
  }),
];

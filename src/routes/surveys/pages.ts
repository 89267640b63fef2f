import { z } from 'zod';
import { idNumber, idParam, paginateItems, pagingQuery } from '../../http/paging.ts';
import { dataReply, emptyReply, listReply, withReply } from '../../http/reply.ts';
import { arrangementSchema } from '../../domain/survey/block-input.ts';
import type { Arrangement } from '../../domain/survey/blocks.ts';
import type { Page } from '../../domain/survey/definition.ts';
import { etagHeaders, ifMatch } from '../../http/object-versions.ts';
import { notFound } from '../../lib/errors.ts';
import { includeRetired, onSurvey, readOnly, surveyQuery } from '../guards.ts';
import { defineRoute } from '../define-route.ts';
import { pageSchema, presentPage, type Shown, unpagedList } from './question-replies.ts';
import { pageFields, positionSchema } from './questions.ts';

const ofSurvey = z.strictObject({ surveyId: idParam });
const ofPage = z.strictObject({ surveyId: idParam, pageId: idParam });

const fields = {
  ...pageFields,
  block_id: idNumber
    .nullish()
    .describe(
      'The block that contains the page; null: none. Default: the block at its `position`. Without `position`, the page moves to the end of the block',
    ),
  shown_to_arm: z
    .string()
    .max(40)
    .nullish()
    .describe('The arm of the block that sees the page; null: every arm'),
  page_arrangement: arrangementSchema
    .nullish()
    .describe('Order and number of its questions; null: all, in survey order'),
  position: positionSchema.describe('Position in the survey, from 1; later pages move back'),
};

const blockFieldsOf = (body: {
  block_id?: number | null | undefined;
  shown_to_arm?: string | null | undefined;
  page_arrangement?: Arrangement | null | undefined;
}) => ({ blockId: body.block_id, arm: body.shown_to_arm, arrangement: body.page_arrangement });

const replyPage = (page: Page, shown?: Shown) => {
  const reply = presentPage(page, shown);
  return withReply(reply, { headers: etagHeaders(reply) });
};

export const pageRoutes = [
  defineRoute({
    method: 'get',
    path: '/api/surveys/:surveyId/pages',
    operationId: 'listPages',
    summary: 'List pages',
    description: 'Returns the pages in order. Retired pages are left out unless `include_retired` is true.',
    access: onSurvey('view'),
    params: ofSurvey,
    query: surveyQuery.extend({ ...pagingQuery, include_retired: includeRetired }),
    reply: listReply(pageSchema),
    async handler({ services, scope, query }) {
      const { definition } = await services.surveys.getWithDefinition(scope);
      const shown = query.include_retired === true ? 'all' : 'live';
      const pages = definition.pages.filter((page) => shown === 'all' || !page.retired);
      return paginateItems(
        pages.map((page) => presentPage(page, shown)),
        (page) => page.page_id,
        query,
      );
    },
  }),
  defineRoute({
    method: 'get',
    path: '/api/surveys/:surveyId/pages/:pageId',
    operationId: 'getPage',
    summary: 'Get a page',
    description: 'Returns the page of the draft, also a retired one.',
    access: onSurvey('view'),
    params: ofPage,
    query: surveyQuery.extend({ include_retired: includeRetired }),
    reply: dataReply(pageSchema),
    hasObjectVersion: true,
    async handler({ services, scope, params, query }) {
      const { definition } = await services.surveys.getWithDefinition(scope);
      const page = definition.pages.find(({ id }) => id === params.pageId);
      if (page === undefined) throw notFound('page');
      return replyPage(page, query.include_retired === true ? 'all' : 'live');
    },
  }),
  defineRoute({
    method: 'post',
    path: '/api/surveys/:surveyId/pages',
    operationId: 'createPage',
    summary: 'Create a page',
    description: 'Inserts the page at `position`, by default at the end.',
    access: onSurvey('edit'),
    params: ofSurvey,
    query: surveyQuery,
    body: z.strictObject(fields),
    example: {
      page_title: 'Coffee',
      page_description: 'Think of the last seven days.',
    },
    reply: dataReply(pageSchema),
    status: 201,
    hasObjectVersion: true,
    errors: { 409: 'The survey already has 500 pages' },
    handler: async ({ services, scope, body }) =>
      replyPage(
        await services.surveyPages.create(scope, {
          title: body.page_title ?? null,
          description: body.page_description ?? null,
          logic: body.page_logic ?? null,
          ...blockFieldsOf(body),
          position: body.position,
        }),
      ),
  }),
  defineRoute({
    method: 'put',
    path: '/api/surveys/:surveyId/pages/reorder',
    operationId: 'reorderPages',
    summary: 'Reorder pages',
    description:
      'Requires the ids of all pages that are not retired. Questions stay on their pages, pages in their blocks: the pages of a block must ' +
      'follow each other.',
    access: onSurvey('edit'),
    params: ofSurvey,
    query: surveyQuery,
    body: z.strictObject({ page_ids: z.array(idNumber).max(1_000) }),
    example: {
      page_ids: [1, 2],
    },
    reply: listReply(pageSchema),
    handler: async ({ services, scope, body }) =>
      unpagedList(
        (await services.surveyPages.reorder(scope, body.page_ids)).map((page) => presentPage(page)),
      ),
  }),
  defineRoute({
    method: 'put',
    path: '/api/surveys/:surveyId/pages/:pageId',
    operationId: 'updatePage',
    summary: 'Update a page',
    description: 'Omitted fields keep their values; null clears a field.',
    access: onSurvey('edit'),
    params: ofPage,
    query: surveyQuery,
    body: z.strictObject({
      ...fields,
      page_id: readOnly,
      question_ids: readOnly,
      questions: readOnly,
      retired: readOnly,
      etag: readOnly,
    }),
    example: {
      page_title: 'Coffee at work',
      page_logic: { display: { left: { code: 'Q2' }, operator: 'gte', right: 18 } },
    },
    reply: dataReply(pageSchema),
    hasObjectVersion: true,
    ifMatch: pageSchema,
    handler: async ({ services, scope, params, body, request }) =>
      replyPage(
        await services.surveyPages.update(
          scope,
          params.pageId,
          {
            title: body.page_title,
            description: body.page_description,
            logic: body.page_logic,
            ...blockFieldsOf(body),
            position: body.position,
          },
          ifMatch(request, presentPage),
        ),
      ),
  }),
  defineRoute({
    method: 'delete',
    path: '/api/surveys/:surveyId/pages/:pageId',
    operationId: 'deletePage',
    summary: 'Delete a page',
    description:
      'Deletes the page with its questions. Published questions, and all questions once responses exist, are retired instead: ' +
      'respondents no longer see them, but their data columns remain.',
    access: onSurvey('edit'),
    params: ofPage,
    query: surveyQuery,
    reply: emptyReply,
    ifMatch: pageSchema,
    handler: ({ services, scope, params, request }) =>
      services.surveyPages.delete(scope, params.pageId, ifMatch(request, presentPage)),
  }),
];

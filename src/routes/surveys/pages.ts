import { z } from 'zod';
import { idNumber, idParam, paginateItems, pagingQuery } from '../../http/paging.ts';
import { dataReply, emptyReply, listReply } from '../../http/reply.ts';
import { includeRetired, onSurvey, readOnly, surveyQuery } from '../guards.ts';
import { defineRoute } from '../define-route.ts';
import { pageFields, positionSchema, pageSchema, presentPage, unpagedList } from './questions.ts';

const ofSurvey = z.strictObject({ surveyId: idParam });
const ofPage = z.strictObject({ surveyId: idParam, pageId: idParam });

const fields = {
  ...pageFields,
  position: positionSchema.describe('Position in the survey, from 1; later pages move back'),
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
    errors: { 409: 'The survey already has 500 pages' },
    handler: async ({ services, scope, body }) =>
      presentPage(
        await services.surveyPages.create(scope, {
          title: body.page_title ?? null,
          description: body.page_description ?? null,
          logic: body.page_logic ?? null,
          position: body.position,
        }),
      ),
  }),
  defineRoute({
    method: 'put',
    path: '/api/surveys/:surveyId/pages/reorder',
    operationId: 'reorderPages',
    summary: 'Reorder pages',
    description: 'Requires the ids of all pages that are not retired. Questions stay on their pages.',
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
    }),
    example: {
      page_title: 'Coffee at work',
      page_logic: { display: { left: { code: 'Q2' }, operator: 'gte', right: 18 } },
    },
    reply: dataReply(pageSchema),
    handler: async ({ services, scope, params, body }) =>
      presentPage(
        await services.surveyPages.update(scope, params.pageId, {
          title: body.page_title,
          description: body.page_description,
          logic: body.page_logic,
          position: body.position,
        }),
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
    handler: ({ services, scope, params }) => services.surveyPages.delete(scope, params.pageId),
  }),
];

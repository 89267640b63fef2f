import { z } from 'zod';
import { idText } from '../../http/paging.ts';
import { data } from '../../http/reply.ts';
import { onSurvey } from '../guards.ts';
import { defineRoute } from '../define-route.ts';
import { narrowedQuery } from '../in-workspace.ts';

const previewSchema = z
  .strictObject({
    preview_token: z.string().describe("Takes a link token's place under `/api/public/s/…`"),
    preview_url: z.string(),
    expires_at: z.iso.datetime(),
  })
  .meta({ id: 'Preview' });

export const previewRoutes = [
  defineRoute({
    method: 'post',
    path: '/api/surveys/:id/preview',
    operationId: 'previewSurvey',
    summary: 'Preview a survey',
    description:
      'The draft as it is at each moment, published or not, for whoever has the address, for 24 hours. Responses through it are tests of their ' +
      'own kind: no figure, grid, file, quota or count ever holds them, and questions stay as free to change as without them.',
    access: onSurvey('edit'),
    params: z.strictObject({ id: idText }),
    query: narrowedQuery,
    reply: data(previewSchema),
    status: 201,
    handler({ services, scope, request }) {
      const { token, expiresAt } = services.surveyPreviews.make(scope.surveyId);
      return Promise.resolve({
        preview_token: token,
        preview_url: `${request.baseUrl}/s/preview/${token}`,
        expires_at: expiresAt.toISOString(),
      });
    },
  }),
];

import { z } from 'zod';
import { idParam } from '../../http/paging.ts';
import { dataReply } from '../../http/reply.ts';
import { onSurvey } from '../guards.ts';
import { defineRoute } from '../define-route.ts';
import { surveyQuery } from '../in-workspace.ts';

const previewSchema = z
  .strictObject({
    preview_token: z.string().describe('Used like a link token under `/api/public/s/…`'),
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
      'Creates a preview address for the draft, published or not, valid for 24 hours. Anyone with the address can open it and ' +
      'always sees the current draft. Preview responses are stored separately: no statistic, export, quota or count includes ' +
      'them, and they do not restrict changes to questions.',
    access: onSurvey('edit'),
    params: z.strictObject({ id: idParam }),
    query: surveyQuery,
    reply: dataReply(previewSchema),
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

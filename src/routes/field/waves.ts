import { z } from 'zod';
import { resolveEnd, resolveStart, surveyTimestamp } from '../../http/timestamp-schemas.ts';
import { idNumber } from '../../http/paging.ts';
import { dataReply, emptyReply } from '../../http/reply.ts';
import { onSurveyInBody } from '../guards.ts';
import { surveyQuery, readOnly } from '../in-workspace.ts';
import { defineRoute } from '../define-route.ts';
import { onWave, waveParams, waveQuery } from './wave-guards.ts';
import { presentWave, waveSchema } from './wave-reply.ts';

const MAX_TARGET = 100_000_000;

const waveName = z.string().trim().min(1).max(200);
const fields = {
  wave_start_date: surveyTimestamp
    .nullish()
    .describe(
      'No response can start before this time. A date without a time is the start of that day in the time zone of the survey. null: no start date',
    ),
  wave_end_date: surveyTimestamp
    .nullish()
    .describe(
      'No response can start from this time on. A date without a time includes that day in the time zone of the survey. null: no end date',
    ),
  target: z
    .int()
    .min(1)
    .max(MAX_TARGET)
    .nullish()
    .describe('Target number of complete responses; null: that of the largest quota'),
};

export const waveRoutes = [
  defineRoute({
    method: 'post',
    path: '/api/surveys/waves',
    operationId: 'createWave',
    summary: 'Create a wave',
    description:
      'A response belongs to the wave in which it started: the wave of its link, else the open wave of the survey; of several, the one ' +
      'that started last. A link with a wave takes new responses while that wave is active; a link without one takes them while any wave ' +
      'of the survey is active, or when the survey has no waves. Otherwise respondents get 409 `wave_not_open` or `wave_ended`. Responses ' +
      'in progress can be completed within an hour after the wave ends. Quotas are set per wave: `PATCH /api/surveys/waves/:id/quotas`. ' +
      '404: the survey does not exist.',
    access: onSurveyInBody('edit'),
    query: surveyQuery,
    body: z.strictObject({ survey_id: idNumber, wave_name: waveName, ...fields }),
    example: {
      survey_id: 1,
      wave_name: 'Autumn 2026',
      wave_start_date: '2026-09-01T00:00:00Z',
      wave_end_date: '2027-12-31T23:59:59Z',
      target: 1000,
    },
    reply: dataReply(waveSchema),
    status: 201,
    async handler({ services, scope, body }) {
      const zone = await services.surveys.timeZone(scope);
      const wave = await services.waves.create(scope, {
        name: body.wave_name,
        start: resolveStart(body.wave_start_date ?? null, zone),
        end: resolveEnd(body.wave_end_date ?? null, zone),
        target: body.target ?? null,
      });
      return presentWave(wave, services.waves.now());
    },
  }),
  defineRoute({
    method: 'get',
    path: '/api/surveys/waves/:id',
    operationId: 'getWave',
    summary: 'Get a wave',
    description: 'Returns the wave with its counts.',
    access: onWave('view'),
    params: waveParams,
    query: waveQuery,
    reply: dataReply(waveSchema),
    handler: async ({ services, scope }) =>
      presentWave(await services.waves.get(scope), services.waves.now()),
  }),
  defineRoute({
    method: 'put',
    path: '/api/surveys/waves/:id',
    operationId: 'updateWave',
    summary: 'Update a wave',
    description:
      'Omitted fields keep their values; null removes a date or the target. The reply of the GET can be sent back. New dates ' +
      'open or close the wave immediately and are recorded in the audit log. Responses keep the wave in which they started.',
    access: onWave('edit'),
    params: waveParams,
    query: waveQuery,
    body: z.strictObject({
      wave_name: waveName.optional(),
      ...fields,
      survey_id: idNumber.optional().describe('Cannot be changed'),
      wave_id: readOnly,
      wave_status: readOnly,
      completed: readOnly,
      created_at: readOnly,
    }),
    example: {
      wave_name: 'Autumn and winter 2026',
      target: 1200,
    },
    reply: dataReply(waveSchema),
    async handler({ services, scope, body }) {
      const zone = await services.surveys.timeZone(scope);
      const wave = await services.waves.update(scope, {
        surveyId: body.survey_id,
        name: body.wave_name,
        start: resolveStart(body.wave_start_date, zone),
        end: resolveEnd(body.wave_end_date, zone),
        target: body.target,
      });
      return presentWave(wave, services.waves.now());
    },
  }),
  defineRoute({
    method: 'delete',
    path: '/api/surveys/waves/:id',
    operationId: 'deleteWave',
    summary: 'Delete a wave',
    description: 'Only possible while no response started in the wave and no link belongs to it.',
    access: onWave('edit'),
    params: waveParams,
    query: waveQuery,
    reply: emptyReply,
    errors: { 409: '`wave_has_responses` or `wave_has_links`' },
    handler: ({ services, scope }) => services.waves.delete(scope),
  }),
];

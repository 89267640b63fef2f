import { z } from 'zod';
import { endInZone, startInZone, surveyMoment } from '../../http/moment-text.ts';
import { idNumber } from '../../http/paging.ts';
import { data, empty } from '../../http/reply.ts';
import { onSurveyNamed } from '../guards.ts';
import { narrowedQuery, readOnly } from '../in-workspace.ts';
import { defineRoute } from '../define-route.ts';
import { onWave, waveParams, waveQuery } from './wave-guards.ts';
import { presentWave, waveSchema } from './wave-reply.ts';

const MAX_TARGET = 100_000_000;

const waveName = z.string().trim().min(1).max(200);
const fields = {
  wave_start_date: surveyMoment
    .nullish()
    .describe(
      'No response can start before it; a plain date is the start of that day in the time zone of the survey; null: open from the beginning',
    ),
  wave_end_date: surveyMoment
    .nullish()
    .describe(
      'No response can start from then on; a plain date counts whole, in the time zone of the survey; null: it does not end',
    ),
  target: z
    .int()
    .min(1)
    .max(MAX_TARGET)
    .nullish()
    .describe('How many complete responses there should be; null: the largest of its quotas'),
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
    access: onSurveyNamed('edit'),
    query: narrowedQuery,
    body: z.strictObject({ survey_id: idNumber, wave_name: waveName, ...fields }),
    example: {
      survey_id: 1,
      wave_name: 'Autumn 2026',
      wave_start_date: '2026-09-01T00:00:00Z',
      wave_end_date: '2027-12-31T23:59:59Z',
      target: 1000,
    },
    reply: data(waveSchema),
    status: 201,
    async handler({ services, scope, body }) {
      const zone = await services.surveys.timeZone(scope);
      const wave = await services.waves.create(scope, {
        name: body.wave_name,
        start: startInZone(body.wave_start_date ?? null, zone),
        end: endInZone(body.wave_end_date ?? null, zone),
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
    access: onWave('view'),
    params: waveParams,
    query: waveQuery,
    reply: data(waveSchema),
    handler: async ({ services, scope }) =>
      presentWave(await services.waves.get(scope), services.waves.now()),
  }),
  defineRoute({
    method: 'put',
    path: '/api/surveys/waves/:id',
    operationId: 'updateWave',
    summary: 'Change a wave',
    description:
      'Absent fields stay; null takes a date or the target away. What was read can be sent back as it is. New dates open and close the ' +
      'wave at once, and stand in the audit log; responses keep the wave that they began in.',
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
    reply: data(waveSchema),
    async handler({ services, scope, body }) {
      const zone = await services.surveys.timeZone(scope);
      const wave = await services.waves.update(scope, {
        surveyId: body.survey_id,
        name: body.wave_name,
        start: startInZone(body.wave_start_date, zone),
        end: endInZone(body.wave_end_date, zone),
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
    description: 'One that no response ever began in, and that no link belongs to.',
    access: onWave('edit'),
    params: waveParams,
    query: waveQuery,
    reply: empty,
    errors: { 409: '`wave_has_responses`, `wave_has_links`: something belongs to it' },
    handler: ({ services, scope }) => services.waves.delete(scope),
  }),
];

import { z } from 'zod';
import { idParam, pagingQuery, parseDescendingPage, toListPage } from '../../http/paging.ts';
import { dataReply, listReply } from '../../http/reply.ts';
import { inWorkspace } from '../in-workspace.ts';
import { defineRoute } from '../define-route.ts';
import { presentWave, waveSchema, waveStatus } from './wave-reply.ts';

const currentWorkspaceQuery = {
  workspace_id: idParam.optional().describe('Default: the current workspace'),
  survey_id: idParam.optional().describe('Only waves of this survey'),
};
const filters = { ...currentWorkspaceQuery, wave_status: waveStatus.optional().describe('Current status') };

/** This reply is not paged. */
const EVERY_WAVE = { after: null, skip: 0, limit: 1_000_000_000 };

export const waveListRoutes = [
  defineRoute({
    method: 'get',
    path: '/api/surveys/waves',
    operationId: 'listWaves',
    summary: 'List waves',
    description:
      'Returns the waves of all surveys of the workspace, newest first. `meta.total` is the number of all matches.',
    access: inWorkspace('view'),
    query: z.strictObject({ ...filters, ...pagingQuery }),
    reply: listReply(waveSchema),
    async handler({ services, scope, query }) {
      const { beforeId: after, ...part } = parseDescendingPage(query);
      const search = { surveyId: query.survey_id ?? null, status: query.wave_status ?? null };
      const { found, total } = await services.waves.list(scope, search, { after, ...part });
      const now = services.waves.now();
      return toListPage(
        found,
        { ...part, total },
        (wave) => wave.wave_id,
        (wave) => presentWave(wave, now),
      );
    },
  }),
  defineRoute({
    method: 'get',
    path: '/api/surveys/waves/count',
    operationId: 'countWaves',
    summary: 'Count waves',
    description: 'Counts the waves that match the filters.',
    access: inWorkspace('view'),
    query: z.strictObject(filters),
    reply: dataReply(
      z
        .strictObject({ count: z.int(), scheduled: z.int(), active: z.int(), ended: z.int() })
        .meta({ id: 'WaveCount' }),
    ),
    async handler({ services, scope, query }) {
      const search = { surveyId: query.survey_id ?? null, status: query.wave_status ?? null };
      const { scheduled, active, ended } = await services.waves.countByStatus(scope, search);
      return { count: scheduled + active + ended, scheduled, active, ended };
    },
  }),
  defineRoute({
    method: 'get',
    path: '/api/surveys/waves/active-by-survey',
    operationId: 'listActiveWavesBySurvey',
    summary: 'List active waves by survey',
    description: 'Returns an object keyed by `survey_id`. Surveys without an active wave are left out.',
    access: inWorkspace('view'),
    query: z.strictObject(currentWorkspaceQuery),
    reply: dataReply(
      z.record(z.string(), z.array(waveSchema)).meta({ id: 'ActiveWaves' }).describe('By survey_id'),
    ),
    async handler({ services, scope, query }) {
      const search = { surveyId: query.survey_id ?? null, status: 'active' } as const;
      const { found } = await services.waves.list(scope, search, EVERY_WAVE);
      const now = services.waves.now();
      const bySurvey = new Map<number, ReturnType<typeof presentWave>[]>();
      for (const wave of found.reverse()) {
        const others = bySurvey.get(wave.survey_id) ?? [];
        bySurvey.set(wave.survey_id, [...others, presentWave(wave, now)]);
      }
      return Object.fromEntries(bySurvey);
    },
  }),
];

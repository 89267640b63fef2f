import { z } from 'zod';
import type { Caller } from '../../domain/access/caller.ts';
import type { AccessLevel } from '../../domain/access/scopes.ts';
import { computeCellFigures, QUOTA_MODES, type QuotaMode } from '../../domain/quota/quota.ts';
import { WAVE_STATUSES, waveStatusOf } from '../../domain/survey/status.ts';
import { memberOn } from '../../http/access.ts';
import { idNumber, idParam, pagingQuery, parseIdPage, toListPage } from '../../http/paging.ts';
import { dataReply, emptyReply, listReply } from '../../http/reply.ts';
import { resolveEnd, resolveStart, surveyTimestamp } from '../../http/timestamp-schemas.ts';
import type { WaveCellRow, WaveProgressRow, WaveRow } from '../../repositories/waves.ts';
import type { Services } from '../../services/services.ts';
import { defineRoute } from '../define-route.ts';
import { inWorkspace, onSurveyInBody, readOnly, surveyQuery } from '../guards.ts';

export const waveParams = z.strictObject({ id: idParam });

/** Query of operations on a wave. */
export const waveQuery = z.strictObject({
  workspace_id: idParam.optional().describe('The workspace of the wave. 404 if it is in another workspace'),
});

/** Access to the wave in the path, by the permission on its survey. */
export function onWave(need: AccessLevel) {
  return memberOn(
    `survey: ${need}`,
    (context: {
      services: Services;
      caller: Caller;
      params: z.output<typeof waveParams>;
      query: z.output<typeof waveQuery>;
    }) =>
      context.services.access.wave({
        caller: context.caller,
        waveId: context.params.id,
        need,
        workspaceId: context.query.workspace_id,
      }),
  );
}

const waveStatus = z.enum(WAVE_STATUSES, { error: `must be one of ${WAVE_STATUSES.join(', ')}` });

const WAVE_EXAMPLE = {
  wave_id: 1,
  survey_id: 1,
  wave_name: 'Autumn 2026',
  wave_status: 'active',
  wave_start_date: '2026-09-01T00:00:00.000Z',
  wave_end_date: '2027-01-01T00:00:00.000Z',
  completed: 412,
  target: 1000,
  created_at: '2026-08-20T08:00:00.000Z',
};

const waveSchema = z
  .strictObject({
    wave_id: z.int(),
    survey_id: z.int(),
    wave_name: z.string(),
    wave_status: waveStatus.describe(
      'Derived from the dates: scheduled before the start, ended from the end on',
    ),
    wave_start_date: z.iso.datetime().nullable().describe('null: no start date'),
    wave_end_date: z.iso.datetime().nullable().describe('Exclusive end; null: no end date'),
    completed: z.int().describe('Complete responses that are neither deleted nor test'),
    target: z
      .int()
      .nullable()
      .describe('Target number of complete responses; by default that of its largest quota'),
    created_at: z.iso.datetime(),
  })
  .meta({ id: 'Wave', examples: [WAVE_EXAMPLE] });

const presentWave = (wave: WaveRow, now: Date) => ({
  wave_id: wave.wave_id,
  survey_id: wave.survey_id,
  wave_name: wave.wave_name,
  wave_status: waveStatusOf({ start: wave.wave_start_date, end: wave.wave_end_date }, now),
  wave_start_date: wave.wave_start_date?.toISOString() ?? null,
  wave_end_date: wave.wave_end_date?.toISOString() ?? null,
  completed: wave.completed,
  target: wave.target,
  created_at: wave.created_at.toISOString(),
});

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
      const part = parseIdPage(query);
      const search = { surveyId: query.survey_id ?? null, status: query.wave_status ?? null };
      const { found, total } = await services.waves.list(scope, search, part);
      const now = services.waves.now();
      return toListPage({
        found,
        limit: part.limit,
        total,
        positionOf: (wave) => wave.wave_id,
        present: (wave) => presentWave(wave, now),
      });
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
        .meta({ id: 'WaveCount', examples: [{ count: 3, scheduled: 1, active: 1, ended: 1 }] }),
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
      z
        .record(z.string(), z.array(waveSchema))
        .meta({ id: 'ActiveWaves', examples: [{ '1': [WAVE_EXAMPLE] }] })
        .describe('By survey_id'),
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

const cellSchema = z
  .strictObject({
    cell_id: z.int(),
    cell_label: z.string(),
    target: z.int().nullable(),
    completed: z.int(),
    pending: z.int().describe('Places reserved by responses in progress'),
    over_quota: z.int().describe('Rejected responses; for a soft quota, complete responses over the target'),
    remaining: z.int().nullable().describe('target minus completed and pending; null without a target'),
  })
  .meta({ id: 'WaveQuotaCell' });

const progressSchema = waveSchema
  .extend({
    percent: z
      .number()
      .nullable()
      .describe('completed as a percentage of target, to one decimal; null without a target'),
    partial: z.int(),
    screened_out: z.int(),
    quotas: z.array(
      z
        .strictObject({
          quota_id: z.int(),
          quota_name: z.string(),
          mode: z.enum(QUOTA_MODES),
          cells: z.array(cellSchema),
        })
        .meta({ id: 'WaveQuota' }),
    ),
  })
  .meta({
    id: 'WaveProgress',
    examples: [
      {
        ...WAVE_EXAMPLE,
        percent: 41.2,
        partial: 18,
        screened_out: 25,
        quotas: [
          {
            quota_id: 1,
            quota_name: 'Gender',
            mode: 'hard',
            cells: [
              {
                cell_id: 1,
                cell_label: 'Female',
                target: 500,
                completed: 210,
                pending: 4,
                over_quota: 0,
                remaining: 286,
              },
            ],
          },
        ],
      },
    ],
  });

/** To one decimal. */
const percentOf = (completed: number, target: number | null): number | null =>
  target === null || target === 0 ? null : Math.round((completed / target) * 1000) / 10;

function presentCell(mode: QuotaMode, cell: WaveCellRow) {
  const { completed, pending, overQuota, remaining } = computeCellFigures(mode, {
    ...cell,
    rejected: cell.turned_away,
  });
  const { cell_id, cell_label, target } = cell;
  return { cell_id, cell_label, target, completed, pending, over_quota: overQuota, remaining };
}

const presentProgress = (wave: WaveProgressRow, now: Date) => ({
  ...presentWave(wave, now),
  percent: percentOf(wave.completed, wave.target),
  partial: wave.partial,
  screened_out: wave.screened_out,
  quotas: (wave.quotas ?? []).map(({ quota_id, quota_name, mode, cells }) => ({
    quota_id,
    quota_name,
    mode,
    cells: cells.map((cell) => presentCell(mode, cell)),
  })),
});

export const waveProgressRoute = defineRoute({
  method: 'get',
  path: '/api/surveys/waves/progress',
  operationId: 'listWaveProgress',
  summary: 'List wave progress',
  description:
    'Returns all active waves with their quota cells, newest first. `meta.total` is the number of all matches.',
  access: inWorkspace('view'),
  query: z.strictObject({
    workspace_id: idParam.optional().describe('Default: the current workspace'),
    survey_id: idParam.optional().describe('Only waves of this survey'),
    ...pagingQuery,
  }),
  reply: listReply(progressSchema),
  async handler({ services, scope, query }) {
    const part = parseIdPage(query);
    const { found, total } = await services.waves.listProgress(scope, query.survey_id ?? null, part);
    const now = services.waves.now();
    return toListPage({
      found,
      limit: part.limit,
      total,
      positionOf: (wave) => wave.wave_id,
      present: (wave) => presentProgress(wave, now),
    });
  },
});

import { z } from 'zod';
import { computeCellFigures, QUOTA_MODES, type QuotaMode } from '../../domain/quota/quota.ts';
import { idParam, pagingQuery, parseDescendingPage, toListPage } from '../../http/paging.ts';
import { listReply } from '../../http/reply.ts';
import type { WaveCellRow, WaveProgressRow } from '../../repositories/waves.ts';
import { inWorkspace } from '../in-workspace.ts';
import { defineRoute } from '../define-route.ts';
import { presentWave, waveSchema } from './wave-reply.ts';

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
  .meta({ id: 'WaveProgress' });

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
    const { beforeId: after, ...part } = parseDescendingPage(query);
    const { found, total } = await services.waves.listProgress(scope, query.survey_id ?? null, {
      after,
      ...part,
    });
    const now = services.waves.now();
    return toListPage(
      found,
      { ...part, total },
      (wave) => wave.wave_id,
      (wave) => presentProgress(wave, now),
    );
  },
});

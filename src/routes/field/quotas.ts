import { z } from 'zod';
import { computeCellFigures } from '../../domain/quota/cell-figures.ts';
import { QUOTA_MODES } from '../../domain/quota/quota.ts';
import { MAX_CELLS, MAX_QUOTAS } from '../../domain/quota/quota-problems.ts';
import { conditionSchema } from '../../domain/survey/logic/condition-schema.ts';
import { documentedAs } from '../../http/openapi.ts';
import { pageOfNewest } from '../../http/newest-first.ts';
import { oldestFirst } from '../../http/oldest-first.ts';
import { idText, pagingQuery } from '../../http/paging.ts';
import { data, list } from '../../http/reply.ts';
import type { WaveScope } from '../../domain/access/scopes.ts';
import { jsonObject } from '../../lib/json-value.ts';
import { conditionInput } from '../logic-schemas.ts';
import type { QuotaInput, DescribedQuotaCell } from '../../services/field/quotas.ts';
import { inWorkspace, readOnly } from '../in-workspace.ts';
import { defineRoute } from '../define-route.ts';
import { onWave, waveParams, waveQuery } from './wave-guards.ts';

const MAX_TARGET = 100_000_000;

const mode = z
  .enum(QUOTA_MODES)
  .describe(
    'hard: targets are never exceeded, and who would exceed one ends as over_quota. soft: nobody is turned away. counter: it counts',
  );

const cellFields = {
  cell_id: z.int(),
  cell_label: z.string(),
  condition: conditionSchema,
  rule: z.string().describe('The condition in words, with the texts of the survey'),
  target: z.int().nullable(),
  completed: z.int().describe('Complete responses that count in it'),
  pending: z.int().describe('Places held by responses that have begun'),
  over_quota: z.int().describe('Turned away; of a soft quota, how many it has over its target'),
  remaining: z.int().nullable().describe('Places that nobody has or holds; null without a target'),
};
const quotaFields = { quota_id: z.int(), quota_name: z.string(), mode };

const waveQuotasSchema = z
  .strictObject({
    wave_id: z.int(),
    survey_id: z.int(),
    quotas: z.array(
      z
        .strictObject({
          ...quotaFields,
          cells: z.array(z.strictObject(cellFields).meta({ id: 'QuotaCell' })),
        })
        .meta({ id: 'Quota' }),
    ),
  })
  .meta({ id: 'WaveQuotas' });

const ruleSchema = z
  .strictObject({ wave_id: z.int(), survey_id: z.int(), ...quotaFields, ...cellFields })
  .meta({ id: 'QuotaRule' });

const newQuota = z.strictObject({
  quota_name: z.string().trim().min(1).max(200).describe('Of no other quota of the wave'),
  mode: mode.default('hard'),
  cells: z.array(
    z.strictObject({
      cell_label: z.string().trim().min(1).max(200),
      condition: documentedAs(jsonObject, conditionInput).describe(
        'Who counts in it: questions (by code or id, options by option_value or label), `hidden` values of the link and `attribute`s of the ' +
          'respondent. The short form `{"Q1":["1","2"]}` is accepted; what is stored and returned is the long one. `{}`: every response',
      ),
      target: z
        .int()
        .min(0)
        .max(MAX_TARGET)
        .nullable()
        .default(null)
        .describe('How many complete responses; required but in a counter'),
      cell_id: readOnly,
      rule: readOnly,
      completed: readOnly,
      pending: readOnly,
      over_quota: readOnly,
      remaining: readOnly,
    }),
  ),
  quota_id: readOnly,
});

const inputOf = ({ quota_name, mode: ofQuota, cells }: z.output<typeof newQuota>): QuotaInput => ({
  name: quota_name,
  mode: ofQuota,
  cells: cells.map(({ cell_label, condition, target }) => ({ label: cell_label, condition, target })),
});

function presentCell(cell: DescribedQuotaCell) {
  const { cell_id, cell_label, condition, rule, target } = cell;
  const { completed, pending, overQuota, remaining } = computeCellFigures(cell.mode, {
    ...cell,
    turnedAway: cell.turned_away,
  });
  return {
    cell_id,
    cell_label,
    condition,
    rule,
    target,
    completed,
    pending,
    over_quota: overQuota,
    remaining,
  };
}

function presentQuotas({ waveId, surveyId }: WaveScope, cells: readonly DescribedQuotaCell[]) {
  const quotas = new Map<number, z.output<typeof waveQuotasSchema>['quotas'][number]>();
  for (const cell of cells) {
    const { quota_id, quota_name, mode: ofQuota } = cell;
    const quota = quotas.get(quota_id) ?? { quota_id, quota_name, mode: ofQuota, cells: [] };
    quota.cells.push(presentCell(cell));
    quotas.set(quota_id, quota);
  }
  return { wave_id: waveId, survey_id: surveyId, quotas: [...quotas.values()] };
}

export const quotaRoutes = [
  defineRoute({
    method: 'get',
    path: '/api/surveys/waves/quota-rules',
    operationId: 'listQuotaRules',
    summary: 'List quota cells',
    description:
      'Of all quotas of the workspace. Who counts in each, and how it is filled. Oldest first. `total` counts all that match.',
    access: inWorkspace('view'),
    query: z.strictObject({
      workspace_id: idText.optional().describe('Absent: the current workspace'),
      survey_id: idText.optional(),
      wave_id: idText.optional(),
      ...pagingQuery,
    }),
    reply: list(ruleSchema),
    async handler({ services, scope, query }) {
      const { afterId: after, ...part } = oldestFirst(query);
      const search = { surveyId: query.survey_id ?? null, waveId: query.wave_id ?? null };
      const { found, total } = await services.quotas.list(scope, search, { after, ...part });
      return pageOfNewest(
        found,
        { ...part, total },
        (cell) => cell.cell_id,
        (cell) => ({
          wave_id: cell.wave_id,
          survey_id: cell.survey_id,
          quota_id: cell.quota_id,
          quota_name: cell.quota_name,
          mode: cell.mode,
          ...presentCell(cell),
        }),
      );
    },
  }),
  defineRoute({
    method: 'get',
    path: '/api/surveys/waves/:id/quotas',
    operationId: 'getWaveQuotas',
    summary: 'Get the quotas of a wave',
    access: onWave('view'),
    params: waveParams,
    query: waveQuery,
    reply: data(waveQuotasSchema),
    handler: async ({ services, scope }) => presentQuotas(scope, await services.quotas.get(scope)),
  }),
  defineRoute({
    method: 'patch',
    path: '/api/surveys/waves/:id/quotas',
    operationId: 'setWaveQuotas',
    summary: 'Set the quotas of a wave',
    description:
      `The whole set, of ${MAX_QUOTAS} quotas and ${MAX_CELLS} cells at most; \`[]\` takes all away. What was read can be sent back. ` +
      'A response counts in one cell of each quota: the least filled of those that it fits and that have room; one that fits none is no ' +
      'concern of that quota. With the page that decides it, it holds a place there for 15 minutes after its last call; where a hard ' +
      'quota has none left it ends at once, screened_out with the reason over_quota. Responses that are complete already are counted ' +
      'anew. A quota of the same name keeps its id, and in it a cell of the same condition its id and counts, so targets and labels may ' +
      'be changed while responses come in. 400: a question that is not there or no longer asked, an option that it has not, a condition ' +
      'that no response can fulfil, two cells of one quota with the same one.',
    access: onWave('edit'),
    params: waveParams,
    query: waveQuery,
    body: z.strictObject({
      quotas: z.array(newQuota),
      dry_run: z.boolean().default(false).describe('Says what would be, and changes nothing'),
      wave_id: readOnly,
      survey_id: readOnly,
    }),
    example: {
      quotas: [
        {
          quota_name: 'Gender',
          mode: 'hard',
          cells: [
            {
              cell_label: 'Female',
              condition: { left: { code: 'Q1' }, operator: 'equals', right: 'female' },
              target: 500,
            },
            {
              cell_label: 'Male',
              condition: { left: { code: 'Q1' }, operator: 'equals', right: 'male' },
              target: 500,
            },
          ],
        },
      ],
    },
    reply: data(waveQuotasSchema),
    handler: async ({ services, scope, body }) =>
      presentQuotas(scope, await services.quotas.replace(scope, body.quotas.map(inputOf), body.dry_run)),
  }),
];

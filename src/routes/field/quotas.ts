import { z } from 'zod';
import { computeCellFigures, MAX_CELLS, MAX_QUOTAS, QUOTA_MODES } from '../../domain/quota/quota.ts';
import { conditionSchema } from '../../domain/questions/logic-schema.ts';
import { withDocumentedSchema } from '../../http/openapi.ts';
import { idParam, pagingQuery, parseIdPage, toListPage } from '../../http/paging.ts';
import { dataReply, listReply } from '../../http/reply.ts';
import type { WaveScope } from '../../domain/access/scopes.ts';
import { jsonObject } from '../../lib/json-value.ts';
import { conditionInput } from '../question-schemas.ts';
import type { QuotaInput, DescribedQuotaCell } from '../../services/field/quotas.ts';
import { inWorkspace, readOnly } from '../guards.ts';
import { defineRoute } from '../define-route.ts';
import { onWave, waveParams, waveQuery } from './waves.ts';

const MAX_TARGET = 100_000_000;

const mode = z
  .enum(QUOTA_MODES)
  .describe(
    'hard: responses over a target end as over_quota. soft: responses over a target are accepted. counter: no targets',
  );

const cellFields = {
  cell_id: z.int(),
  cell_label: z.string(),
  condition: conditionSchema,
  rule: z.string().describe('The condition as text, with the labels of the survey'),
  target: z.int().nullable(),
  completed: z.int().describe('Complete responses in the cell'),
  pending: z.int().describe('Places reserved by responses in progress'),
  over_quota: z.int().describe('Rejected responses; for a soft quota, complete responses over the target'),
  remaining: z.int().nullable().describe('target minus completed and pending; null without a target'),
};
const quotaFields = { quota_id: z.int(), quota_name: z.string(), mode };

const CELL_EXAMPLE = {
  cell_id: 1,
  cell_label: 'Female',
  condition: { left: { type: 'question', code: 'Q1' }, operator: 'equals', right: 'female' },
  rule: '“What is your gender?” is “Female”',
  target: 500,
  completed: 210,
  pending: 4,
  over_quota: 0,
  remaining: 286,
};
const QUOTA_EXAMPLE = { quota_id: 1, quota_name: 'Gender', mode: 'hard' };

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
  .meta({
    id: 'WaveQuotas',
    examples: [{ wave_id: 1, survey_id: 1, quotas: [{ ...QUOTA_EXAMPLE, cells: [CELL_EXAMPLE] }] }],
  });

const ruleSchema = z
  .strictObject({ wave_id: z.int(), survey_id: z.int(), ...quotaFields, ...cellFields })
  .meta({ id: 'QuotaRule', examples: [{ wave_id: 1, survey_id: 1, ...QUOTA_EXAMPLE, ...CELL_EXAMPLE }] });

const newQuota = z.strictObject({
  quota_name: z.string().trim().min(1).max(200).describe('Unique in the wave'),
  mode: mode.default('hard'),
  cells: z.array(
    z.strictObject({
      cell_label: z.string().trim().min(1).max(200),
      condition: withDocumentedSchema(jsonObject, conditionInput).describe(
        'Which responses belong to the cell: questions (by code or id, options by value or label), `hidden` values of the link and ' +
          '`attribute`s of the respondent. The short form `{"Q1":["1","2"]}` is accepted and returned in the long form. `{}`: every response',
      ),
      target: z
        .int()
        .min(0)
        .max(MAX_TARGET)
        .nullable()
        .default(null)
        .describe('Target number of complete responses; required unless mode is counter'),
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
    rejected: cell.turned_away,
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
    summary: 'List quotas',
    description:
      'Returns the cells of all quotas of the workspace with their conditions and counts, oldest first. `meta.total` is the ' +
      'number of all matches.',
    access: inWorkspace('view'),
    query: z.strictObject({
      workspace_id: idParam.optional().describe('Default: the current workspace'),
      survey_id: idParam.optional().describe('Only quotas of this survey'),
      wave_id: idParam.optional().describe('Only quotas of this wave'),
      ...pagingQuery,
    }),
    reply: listReply(ruleSchema),
    async handler({ services, scope, query }) {
      const part = parseIdPage(query);
      const search = { surveyId: query.survey_id ?? null, waveId: query.wave_id ?? null };
      const { found, total } = await services.quotas.list(scope, search, part);
      return toListPage({
        found,
        limit: part.limit,
        total,
        positionOf: (cell) => cell.cell_id,
        present: (cell) => ({
          wave_id: cell.wave_id,
          survey_id: cell.survey_id,
          quota_id: cell.quota_id,
          quota_name: cell.quota_name,
          mode: cell.mode,
          ...presentCell(cell),
        }),
      });
    },
  }),
  defineRoute({
    method: 'get',
    path: '/api/surveys/waves/:id/quotas',
    operationId: 'getWaveQuotas',
    summary: 'Get the quotas of a wave',
    description: 'Returns the quotas of the wave with their cells, conditions and counts.',
    access: onWave('view'),
    params: waveParams,
    query: waveQuery,
    reply: dataReply(waveQuotasSchema),
    handler: async ({ services, scope }) => presentQuotas(scope, await services.quotas.get(scope)),
  }),
  defineRoute({
    method: 'patch',
    path: '/api/surveys/waves/:id/quotas',
    operationId: 'setWaveQuotas',
    summary: 'Replace the quotas of a wave',
    description:
      `Replaces all quotas of the wave: at most ${MAX_QUOTAS} quotas and ${MAX_CELLS} cells; \`[]\` removes all. The reply of the ` +
      'GET can be sent back.\n\n' +
      '- A response counts in one cell of each quota: the least filled cell that it matches and that has room. If it matches no ' +
      'cell, the quota does not apply.\n' +
      '- When a saved page decides the cell, the response reserves a place in it for 15 minutes after its last request. If a ' +
      'hard quota has no place left, the response ends as screened_out with the reason `over_quota`.\n' +
      '- Complete responses are counted again. A quota with an existing name keeps its id; in it, a cell with an existing ' +
      'condition keeps its id and counts, so targets and labels can change during data collection.\n' +
      '- 400: a question that does not exist or is retired, an unknown option, a condition that no response can meet, or two ' +
      'cells of one quota with the same condition.',
    access: onWave('edit'),
    params: waveParams,
    query: waveQuery,
    body: z.strictObject({
      quotas: z.array(newQuota),
      dry_run: z.boolean().default(false).describe('Return the result without storing it'),
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
    reply: dataReply(waveQuotasSchema),
    handler: async ({ services, scope, body }) =>
      presentQuotas(scope, await services.quotas.replace(scope, body.quotas.map(inputOf), body.dry_run)),
  }),
];

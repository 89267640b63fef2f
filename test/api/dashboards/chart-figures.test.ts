import { beforeAll, describe, expect, test } from 'vitest';
import { chartConfigSchema, type ChartType } from '../../../src/domain/charts/registry.ts';
import type { Audience } from '../../../src/domain/charts/disclosure/protection.ts';
import { Store } from '../../../src/repositories/store.ts';
import { chartBatchSchema } from '../../../src/routes/dashboard-schemas.ts';
import {
  PreparedDefinitionCache,
  PublishedWordings,
} from '../../../src/services/surveys/survey-definitions.ts';
import { type ChartViewer, ChartFigureService } from '../../../src/services/dashboards/chart-figures.ts';
import type { ChartRequest } from '../../../src/services/dashboards/resolve-chart.ts';
import { DatasetService } from '../../../src/services/datasets/datasets.ts';
import { newOrganization } from '../../support/actors.ts';
import { useApp } from '../../support/app.ts';
import { choice, number, text } from '../../support/questions.ts';
import { publishedSurvey } from '../../support/surveys.ts';

const app = useApp();
let surveyIds: number[] = [];
let addResponse: (surveyId: number) => Promise<void>;

beforeAll(async () => {
  const { admin } = await newOrganization(app);
  for (const name of ['First', 'Second']) {
    const { surveyId } = await publishedSurvey(admin, {
      survey_name: name,
      pages: [[choice('Q1'), number('Q2'), text('Q3')]],
    });
    const rows = Array.from({ length: 30 }, (_, index) => ({
      answers: { Q1: String(1 + (index % 3)), Q2: index, Q3: `comment ${index}` },
    }));
    await admin.post(`/api/responses/${surveyId}/rows`, { rows }).expect(201);
    surveyIds = [...surveyIds, surveyId];
  }
  addResponse = async (surveyId) => {
    const rows = [{ answers: { Q1: '1', Q2: 5, Q3: 'more' } }];
    await admin.post(`/api/responses/${surveyId}/rows`, { rows }).expect(201);
  };
});

/** Counts how often a survey is opened. */
class CountingDatasets extends DatasetService {
  opened: number[] = [];

  override open(...[surveyId, needs]: Parameters<DatasetService['open']>) {
    this.opened.push(surveyId);
    return super.open(surveyId, needs);
  }
}

const createWordings = () => {
  const store = new Store(app.database.db);
  return new PublishedWordings(store, new PreparedDefinitionCache(store));
};
const countedDatasets = () => new CountingDatasets(new Store(app.database.db), 1e9);
const createViewer = (audience: Audience, confidential = false): ChartViewer => {
  const settings = new Map(
    surveyIds.map((surveyId) => [surveyId, { confidential, min_base: 5, dominance_percent: 50 }]),
  );
  const common = { settings, isPublishedWording: audience === 'public' };
  return audience === 'public'
    ? { ...common, audience, publicMinBase: 1, publishedCharts: () => [] }
    : { ...common, audience };
};

function chartRequest(
  surveyId: number,
  config: object,
  chartType: ChartType = 'bar',
  filters?: unknown,
): ChartRequest {
  const parsedConfig = chartConfigSchema(chartType).parse({ survey_id: surveyId, ...config });
  return { chartType, config: parsedConfig, surveyId, ...(filters === undefined ? {} : { filters }) };
}

describe('a batch of charts', () => {
  test('opens each survey once and keeps the order', async () => {
    const [first, second] = surveyIds as [number, number];
    const counted = countedDatasets();
    const replies = await new ChartFigureService(counted, createWordings()).computeBatch(
      [
        chartRequest(first, { dimension: 'Q1' }),
        chartRequest(second, { dimension: 'Q1' }, 'pie'),
        { chartType: 'text', config: { text: '# Hello' }, surveyId: null },
        chartRequest(
          first,
          { dimension: 'Q1', aggregation: { function: 'mean', column_code: 'Q2' } },
          'line',
        ),
        chartRequest(second, { dimension: 'Q2', variable: 'mean' }, 'variable'),
        chartRequest(first, { filterElement: { column_code: 'Q1' } }, 'filter'),
      ],
      createViewer('member'),
    );
    expect(counted.opened).toEqual([first, second]);
    expect(replies.map((reply) => ('chart_type' in reply ? reply.chart_type : reply.error))).toEqual([
      'bar',
      'pie',
      'text',
      'line',
      'variable',
      'filter',
    ]);
    expect(chartBatchSchema.safeParse(JSON.parse(JSON.stringify(replies))).error).toBeUndefined();
    expect(replies[0]).toMatchObject({ series: [{ values: [10, 10, 10] }], base: { unweighted: 30 } });
    expect(replies[4]).toMatchObject({ value: 14.5 });
  });

  test('reports an invalid chart at its position and computes the others', async () => {
    const [first] = surveyIds as [number];
    const replies = await new ChartFigureService(countedDatasets(), createWordings()).computeBatch(
      [
        chartRequest(first, { dimension: 'Q9' }),
        chartRequest(first, { dimension: 'Q1' }),
        chartRequest(first, { dimension: 'Q1', filter: { Q7: ['1'] } }),
        chartRequest(first, { dimension: 'Q1', aggregation: { function: 'mean', column_code: 'Q3' } }),
        chartRequest(first, { dimension: 'Q1', weight_column: 'Q1' }),
        chartRequest(first, { dimension: 'Q1' }, 'bar', { Q8: ['1'] }),
        chartRequest(999_999, { dimension: 'Q1' }),
      ],
      createViewer('member'),
    );
    expect(replies.map((reply) => ('error' in reply ? [reply.error.code, reply.error.field] : null))).toEqual(
      [
        ['validation_failed', 'dimension.column_code'],
        null,
        ['validation_failed', 'filter.Q7'],
        ['no_number', 'aggregation.column_code'],
        ['not_a_weight', 'weight_column'],
        ['validation_failed', 'filters.Q8'],
        ['not_found', null],
      ],
    );
  });

  test('applies the dashboard filters and lists them', async () => {
    const [first] = surveyIds as [number];
    const reply = await new ChartFigureService(countedDatasets(), createWordings()).computeOne(
      chartRequest(first, { dimension: 'Q1', filter: { Q1: ['1', '2'] } }, 'bar', { Q1: ['2', '3'] }),
      createViewer('member'),
    );
    expect(reply).toMatchObject({
      series: [{ values: [0, 10, 0] }],
      filters_applied: [{ column_code: 'Q1', values: ['2', '3'] }],
    });
  });

  test('keeps data_version until a response is added', async () => {
    const [, second] = surveyIds as [number, number];
    const service = new ChartFigureService(countedDatasets(), createWordings());
    const computeKpi = () =>
      service.computeOne(chartRequest(second, { dimension: 'Q2' }, 'kpi'), createViewer('member'));
    const [before, repeated] = [await computeKpi(), await computeKpi()];
    expect(repeated).toEqual(before);
    await addResponse(second);
    const after = await computeKpi();
    expect(after).toMatchObject({ base: { unweighted: 31 } });
    expect(
      'data_version' in after && 'data_version' in before && after.data_version !== before.data_version,
    ).toBe(true);
  });
});

describe('viewers without access to the responses', () => {
  test('never see verbatim answers, except a client of a survey that is not confidential', async () => {
    const [first] = surveyIds as [number];
    const service = new ChartFigureService(countedDatasets(), createWordings());
    const verbatims = chartRequest(first, { dimension: 'Q3' });
    await expect(service.computeOne(verbatims, createViewer('public'))).rejects.toMatchObject({
      code: 'no_verbatims',
    });
    await expect(service.computeOne(verbatims, createViewer('client', true))).rejects.toMatchObject({
      code: 'no_verbatims',
    });
    await expect(service.computeOne(verbatims, createViewer('client'))).resolves.toMatchObject({
      base: { unweighted: 30 },
    });
  });

  test('never see small groups of a confidential survey that members have cached', async () => {
    const [first] = surveyIds as [number];
    const service = new ChartFigureService(countedDatasets(), createWordings());
    const smallGroup = chartRequest(first, { dimension: 'Q1' }, 'bar', { Q2: ['0', '1', '2'] });
    await expect(service.computeOne(smallGroup, createViewer('member', true))).resolves.toMatchObject({
      base: { unweighted: 3 },
    });
    for (const audience of ['client', 'public'] as const) {
      const figures = await service.computeOne(smallGroup, createViewer(audience, true));
      expect(figures).toMatchObject({ suppressed: true, base: null, series: [], categories: [] });
    }
  });
});

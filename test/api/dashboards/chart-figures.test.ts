import { beforeAll, describe, expect, test } from 'vitest';
import { chartConfigSchema } from '../../../src/domain/charts/chart-config.ts';
import type { ChartType } from '../../../src/domain/charts/chart-types.ts';
import type { Audience } from '../../../src/domain/charts/protection.ts';
import { Store } from '../../../src/repositories/store.ts';
import { chartBatchSchema } from '../../../src/routes/chart-reply.ts';
import { PreparedDefinitionCache } from '../../../src/services/surveys/prepared-definition-cache.ts';
import { PublishedWordings } from '../../../src/services/surveys/published-wordings.ts';
import { type ChartViewer, ChartFigureService } from '../../../src/services/dashboards/chart-figures.ts';
import type { ChartRequest } from '../../../src/services/dashboards/chart-request.ts';
import { DatasetService } from '../../../src/services/datasets/datasets.ts';
import { newOrganization } from '../../support/actors.ts';
import { useApp } from '../../support/app.ts';
import { choice, number, text } from '../../support/questions.ts';
import { publishedSurvey } from '../../support/surveys.ts';

const app = useApp();
let surveyIds: number[] = [];
let add: (surveyId: number) => Promise<void>;

beforeAll(async () => {
  const { admin } = await newOrganization(app);
  for (const name of ['First', 'Second']) {
    const { surveyId } = await publishedSurvey(admin, {
      survey_name: name,
      pages: [[choice('Q1'), number('Q2'), text('Q3')]],
    });
    const rows = Array.from({ length: 30 }, (_, index) => ({
      answers: { Q1: String(1 + (index % 3)), Q2: index, Q3: `words ${index}` },
    }));
    await admin.post(`/api/responses/${surveyId}/rows`, { rows }).expect(201);
    surveyIds = [...surveyIds, surveyId];
  }
  add = async (surveyId) => {
    const rows = [{ answers: { Q1: '1', Q2: 5, Q3: 'more' } }];
    await admin.post(`/api/responses/${surveyId}/rows`, { rows }).expect(201);
  };
});

/** Counts how often a survey is opened. */
class CountedDatasets extends DatasetService {
  opened: number[] = [];

  override open(...[surveyId, needs]: Parameters<DatasetService['open']>) {
    this.opened.push(surveyId);
    return super.open(surveyId, needs);
  }
}

const wordings = () => {
  const store = new Store(app.database.db);
  return new PublishedWordings(store, new PreparedDefinitionCache(store));
};
const datasets = () => new CountedDatasets(new Store(app.database.db), 1e9);
const viewing = (audience: Audience, confidential = false): ChartViewer => {
  const settings = new Map(
    surveyIds.map((surveyId) => [surveyId, { confidential, min_base: 5, dominance_percent: 50 }]),
  );
  const seen = { settings, isPublishedWording: audience === 'public' };
  return audience === 'public' ? { ...seen, audience, publicMinBase: 1 } : { ...seen, audience };
};

function asked(
  surveyId: number,
  config: object,
  chartType: ChartType = 'bar',
  filters?: unknown,
): ChartRequest {
  const read = chartConfigSchema(chartType).parse({ survey_id: surveyId, ...config });
  return { chartType, config: read, surveyId, ...(filters === undefined ? {} : { filters }) };
}

describe('a batch of charts', () => {
  test('opens each survey once and keeps the order', async () => {
    const [first, second] = surveyIds as [number, number];
    const counted = datasets();
    const replies = await new ChartFigureService(counted, wordings()).computeBatch(
      [
        asked(first, { dimension: 'Q1' }),
        asked(second, { dimension: 'Q1' }, 'pie'),
        { chartType: 'text', config: { text: '# Hello' }, surveyId: null },
        asked(first, { dimension: 'Q1', aggregation: { function: 'mean', column_code: 'Q2' } }, 'line'),
        asked(second, { dimension: 'Q2', variable: 'mean' }, 'variable'),
        asked(first, { filterElement: { column_code: 'Q1' } }, 'filter'),
      ],
      viewing('member'),
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

  test('reports an invalid chart in its place and computes the others', async () => {
    const [first] = surveyIds as [number];
    const replies = await new ChartFigureService(datasets(), wordings()).computeBatch(
      [
        asked(first, { dimension: 'Q9' }),
        asked(first, { dimension: 'Q1' }),
        asked(first, { dimension: 'Q1', filter: { Q7: ['1'] } }),
        asked(first, { dimension: 'Q1', aggregation: { function: 'mean', column_code: 'Q3' } }),
        asked(first, { dimension: 'Q1', weight_column: 'Q1' }),
        asked(first, { dimension: 'Q1' }, 'bar', { Q8: ['1'] }),
        asked(999_999, { dimension: 'Q1' }),
      ],
      viewing('member'),
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
    const reply = await new ChartFigureService(datasets(), wordings()).computeOne(
      asked(first, { dimension: 'Q1', filter: { Q1: ['1', '2'] } }, 'bar', { Q1: ['2', '3'] }),
      viewing('member'),
    );
    expect(reply).toMatchObject({
      series: [{ values: [0, 10, 0] }],
      filters_applied: [{ column_code: 'Q1', values: ['2', '3'] }],
    });
  });

  test('keeps its version until the data change', async () => {
    const [, second] = surveyIds as [number, number];
    const service = new ChartFigureService(datasets(), wordings());
    const look = () => service.computeOne(asked(second, { dimension: 'Q2' }, 'kpi'), viewing('member'));
    const [before, again] = [await look(), await look()];
    expect(again).toEqual(before);
    await add(second);
    const after = await look();
    expect(after).toMatchObject({ base: { unweighted: 31 } });
    expect(
      'data_version' in after && 'data_version' in before && after.data_version !== before.data_version,
    ).toBe(true);
  });
});

describe('viewers without access to the responses', () => {
  test('never show texts in public', async () => {
    const [first] = surveyIds as [number];
    const service = new ChartFigureService(datasets(), wordings());
    const words = asked(first, { dimension: 'Q3' });
    await expect(service.computeOne(words, viewing('public'))).rejects.toMatchObject({
      code: 'no_verbatims',
    });
    await expect(service.computeOne(words, viewing('client', true))).rejects.toMatchObject({
      code: 'no_verbatims',
    });
    await expect(service.computeOne(words, viewing('client'))).resolves.toMatchObject({
      base: { unweighted: 30 },
    });
  });

  test('never get small groups of a confidential survey from the members’ cache', async () => {
    const [first] = surveyIds as [number];
    const service = new ChartFigureService(datasets(), wordings());
    const narrow = asked(first, { dimension: 'Q1' }, 'bar', { Q2: ['0', '1', '2'] });
    await expect(service.computeOne(narrow, viewing('member', true))).resolves.toMatchObject({
      base: { unweighted: 3 },
    });
    for (const audience of ['client', 'public'] as const) {
      const told = await service.computeOne(narrow, viewing(audience, true));
      expect(told).toMatchObject({ suppressed: true, base: null, series: [], categories: [] });
    }
  });
});

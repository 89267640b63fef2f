import { bigFiveSurvey } from '../seeds/demo/big-five.ts';
import type { Child } from './support/child.ts';
import { type Download, downloadFile } from './support/download.ts';
import { amount, type Figure, short, withinLimit } from './support/figure.ts';
import type { TestBed } from './support/test-bed.ts';
import { bigFiveAnswers, fillSurvey, publishSurvey, STATEMENTS } from '../test/support/served-surveys.ts';

const RESPONSES = 100_000;
const MEGABYTE = 1_000_000;
const MAX_GROWTH_MEGABYTES = 500;
const MAX_DELAY_MS = 50;

/** Four charts of each of 25 statements. */
const CHARTS = STATEMENTS.flatMap((code) => [
  { chart_type: 'bar', config: { dimension: code, aggregation: 'percent' } },
  {
    chart_type: 'stacked-bar',
    config: {
      dimension: 'education',
      series: code,
      aggregation: 'percent',
      options: { stacked_percent: true },
    },
  },
  {
    chart_type: 'line',
    config: {
      dimension: 'education',
      series: 'gender',
      aggregation: { function: 'mean', column_code: code },
      compare: { letters: true },
    },
  },
  { chart_type: 'donut', config: { dimension: code, filter: { gender: ['1'] } } },
]);

/** A report of 100 charts as PDF and as PowerPoint file, against their figures alone. */
export async function reports(testBed: TestBed): Promise<Figure[]> {
  // A separate process for each, so that none profits from what another has loaded.
  const servers = { figures: await testBed.api(), pdf: await testBed.api(), pptx: await testBed.api() };
  const surveyId = await filled(testBed, servers.figures);
  const reportId = await madeReport(testBed, servers.figures, surveyId);
  const dashboardId = await createObject(testBed, servers.figures, '/api/dashboards', {
    dashboard_name: 'Bench',
  });
  const charts = CHARTS.map(({ chart_type, config }) => ({
    chart_type,
    chart_config: { survey_id: surveyId, ...config },
  }));
  const figuresAlone = () =>
    downloadFile(testBed, servers.figures, `/api/dashboards/${dashboardId}/chart-data-batch`, { charts });
  const [alone] = [await figuresAlone(), await figuresAlone()];
  const figures: Figure[] = [];
  for (const format of ['pdf', 'pptx'] as const) {
    const file = () =>
      downloadFile(testBed, servers[format], `/api/reports/${reportId}/export/${format}`, {});
    figures.push(...figuresOf(format, await file(), await file(), alone));
  }
  return figures;
}

function figuresOf(format: string, first: Download, secondDownload: Download, alone: Download): Figure[] {
  const growth = Math.max(first.strain.memoryGrowthBytes, secondDownload.strain.memoryGrowthBytes) / MEGABYTE;
  const delay = Math.max(first.strain.delayP99Ms, secondDownload.strain.delayP99Ms);
  const longest = Math.max(first.strain.delayMaxMs, secondDownload.strain.delayMaxMs);
  const size = `${short(first.bytes / MEGABYTE)} MB`;
  return [
    {
      what: `${CHARTS.length} charts over ${RESPONSES.toLocaleString('en')} responses as ${format} (${size})`,
      ours: amount(first.milliseconds, 'ms', `again ${short(secondDownload.milliseconds)} ms`),
      yardstick: amount(alone.milliseconds, 'ms'),
      against: 'their figures alone',
      ratio: first.milliseconds / alone.milliseconds,
      target: null,
    },
    {
      ...withinLimit(
        `Growth of the server's memory during the run, ${format}`,
        amount(growth, 'MB'),
        MAX_GROWTH_MEGABYTES,
      ),
    },
    withinLimit(
      `Delay of the server's event loop during the run (p99), ${format}`,
      amount(delay, 'ms', `longest ${short(longest)} ms`),
      MAX_DELAY_MS,
    ),
  ];
}

async function filled(testBed: TestBed, api: Child): Promise<number> {
  const { surveyId } = await publishSurvey(testBed, api, bigFiveSurvey());
  await fillSurvey(testBed, surveyId, RESPONSES, bigFiveAnswers(testBed.seed));
  return surveyId;
}

async function madeReport(testBed: TestBed, api: Child, surveyId: number): Promise<number> {
  const reportId = await createObject(testBed, api, '/api/reports', { report_name: 'Bench' });
  for (const [index, { chart_type, config }] of CHARTS.entries())
    await createObject(testBed, api, `/api/reports/${reportId}/slides`, {
      slide_type: 'chart',
      slide_title: `Chart ${index + 1}`,
      slide_content: { chart_type, chart_config: { survey_id: surveyId, ...config } },
    });
  return reportId;
}

/** Returns the id of the created object. */
async function createObject(testBed: TestBed, api: Child, path: string, body: object): Promise<number> {
  const reply = await fetch(`${api.url}${path}`, {
    method: 'POST',
    headers: { 'X-API-Key': testBed.apiKey, 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (!reply.ok) throw new Error(await reply.text());
  const { data } = (await reply.json()) as { data: Record<string, number> };
  return (data.report_id ?? data.slide_id ?? data.dashboard_id)!;
}

import { z } from 'zod';
import { bigFiveSurvey } from '../seeds/demo/big-five.ts';
import type { Child } from './support/child.ts';
import type { Figure } from './support/figure.ts';
import { runLoad } from './support/load.ts';
import { requestsFigure } from './support/requests-figure.ts';
import { interleaved } from './support/rounds.ts';
import type { TestBed } from './support/test-bed.ts';
import { bigFiveAnswers, call, fillSurvey, publishSurvey } from '../test/support/served-surveys.ts';

const RESPONSES = 10_000;
const ROUNDS = 5;
const SECONDS = 4;

const CHARTS = [
  ...['A1', 'A2', 'A3', 'C1', 'C2', 'E1'].map((code) => ['bar', { dimension: code }] as const),
  ...['N1', 'N2', 'O1'].map(
    (code) => ['stacked-bar', { dimension: code, series: 'education', aggregation: 'percent' }] as const,
  ),
  ['donut', { dimension: 'gender' }],
  ['kpi', { dimension: 'age', aggregation: 'mean' }],
  ['filter', { filterElement: { column_code: 'gender', multiple: true } }],
] as const;

/** Repeated requests of a public dashboard with cached figures, with and without an ETag. */
export async function publicView(testBed: TestBed): Promise<Figure[]> {
  const api = await testBed.api();
  const express = await testBed.bareExpress();
  const path = `/api/public/d/${await sharedDashboard(testBed, api)}?figures=true`;
  const seen = await fetch(api.url + path);
  const reply = await seen.text();
  await express.ask(reply);
  const sized = await fetch(`${express.url}/sized`);
  if (!seen.ok || (await sized.text()) !== reply)
    throw new Error(`${path} differs from the reply of Express`);

  const whole = (server: Child, at: string) => () =>
    runLoad({ server, path: at, method: 'GET', seconds: SECONDS });
  const unchanged = (server: Child, at: string, from: Response) => () =>
    runLoad({
      server,
      path: at,
      method: 'GET',
      headers: { 'If-None-Match': from.headers.get('etag')! },
      seconds: SECONDS,
      status: 304,
    });
  const {
    ours,
    ours304,
    theirs: bareResults,
    theirs304,
  } = await interleaved(ROUNDS, {
    ours: whole(api, path),
    theirs: whole(express, '/sized'),
    ours304: unchanged(api, path, seen),
    theirs304: unchanged(express, '/sized', sized),
  });
  const size = `${reply.length.toLocaleString('en')} bytes`;
  return [
    requestsFigure(
      'A public dashboard with its figures, unchanged',
      ours,
      `a bare res.json of the same ${size}`,
      bareResults,
      { atLeast: 0.7 },
    ),
    requestsFigure(
      'The same dashboard as 304, for a client with the ETag',
      ours304,
      'that res.json',
      bareResults,
      { atLeast: 0.7 },
    ),
    requestsFigure('The same', ours304, 'the 304 that Express sends', theirs304, null),
  ];
}

const organization = z.object({ organization_slug: z.string() });
const createdDashboard = z.object({
  data: z.object({ dashboard_id: z.number(), dashboard_slug: z.string() }),
});
const paged = z.object({ data: z.object({ page_id: z.number() }) });

/** Returns the path of the dashboard, `<organization>/<dashboard>`. */
async function sharedDashboard(testBed: TestBed, api: Child): Promise<string> {
  const { surveyId } = await publishSurvey(testBed, api, bigFiveSurvey());
  await fillSurvey(testBed, surveyId, RESPONSES, bigFiveAnswers(testBed.seed));
  const create = (path: string, body: object) => call(testBed, api, 'POST', path, body);
  const { data: board } = createdDashboard.parse(
    await create('/api/dashboards', { dashboard_name: 'Big Five' }),
  );
  const at = `/api/dashboards/${board.dashboard_id}`;
  const { data: page } = paged.parse(await create(`${at}/pages`, { page_title: 'All' }));
  for (const [chart_type, config] of CHARTS) {
    const chart_config = { survey_id: surveyId, ...config };
    await create(`${at}/charts`, { ...page, chart_type, chart_title: 'Distribution', chart_config });
  }
  await create(`${at}/shares`, { share_type: 'public' });
  const { rows } = await testBed.db.raw<{ rows: unknown[] }>(
    `SELECT organization_slug FROM dashboards JOIN organizations USING (organization_id) WHERE dashboard_id = ?`,
    [board.dashboard_id],
  );
  return `${organization.parse(rows[0]).organization_slug}/${board.dashboard_slug}`;
}

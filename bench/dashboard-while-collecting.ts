import { setTimeout as wait } from 'node:timers/promises';
import { z } from 'zod';
import { Store } from '../src/repositories/store.ts';
import { ColumnSnapshotService } from '../src/services/datasets/column-snapshots.ts';
import type { Child } from './support/child.ts';
import { amount, type Figure, short, withinLimit } from './support/figure.ts';
import { type LoadResult, runLoad } from './support/load.ts';
import { requestsFigure } from './support/requests-figure.ts';
import { interleaved, median, quantile, measureMs } from './support/rounds.ts';
import { sixtyAnswers, sixtyQuestions, twentyCharts } from './support/sixty-questions.ts';
import type { TestBed } from './support/test-bed.ts';
import { call } from '../test/support/served-surveys.ts';

const ROUNDS = 3;
const SECONDS = 5;
const LOOKING_SECONDS = 30;
const LOOK_EVERY_MS = 1_000;
const MAX_LOOK_MS = 1_000;
/** Collection may lose at most a third of its throughput. */
const LEFT_TO_COLLECTION = 0.667;

const createdDashboard = z.object({ data: z.object({ dashboard_id: z.number() }) });
const looked = z.object({ data: z.array(z.record(z.string(), z.unknown())) });

/**
 * Requests a dashboard once a second while respondents answer its survey, so that the data differ each time. Measures the time of a
 * request and the loss of collection.
 */
export async function dashboardWhileCollecting(testBed: TestBed): Promise<Figure[]> {
  const api = await testBed.api();
  const { surveyId, linkToken } = await sixtyQuestions(testBed, api, testBed.many);
  await new ColumnSnapshotService(new Store(testBed.db)).build({
    surveyId,
    signal: new AbortController().signal,
  });
  const requestDashboard = await looker(testBed, api, surveyId);
  const collect = (seconds: number, perSecond?: number) =>
    runLoad({
      server: api,
      path: `/api/public/s/${linkToken}/responses`,
      method: 'POST',
      body: sixtyAnswers(),
      seconds,
      apart: true,
      ...(perSecond === undefined ? {} : { perSecond }),
    });
  console.log(
    `    (the first request, which loads the columns: ${short(await measureMs(requestDashboard))} ms)`,
  );

  const { alone, watched: withDashboard } = await interleaved(ROUNDS, {
    alone: () => collect(SECONDS),
    watched: async () => {
      await requestDashboard();
      return (await whileLooking(requestDashboard, collect(SECONDS))).reached;
    },
  });
  const half = median(alone.map(({ perSecond }) => perSecond)) / 2;
  await requestDashboard();
  const { reached, looks } = await whileLooking(requestDashboard, collect(LOOKING_SECONDS, half));
  console.log(
    `    (requests at half the rate: ${looks.length}, median ${short(median(looks))} ms, longest ${short(Math.max(...looks))} ms)`,
  );

  const dashboard = `A dashboard of 20 charts over ${testBed.many.toLocaleString('en')} x 60 over HTTP`;
  return [
    withinLimit(
      `${dashboard} (p95 of ${looks.length} requests) while collecting ${short(reached.perSecond)} responses per second, half of the maximum rate`,
      amount(quantile(looks, 0.95), 'ms', `median ${short(median(looks))} ms`),
      MAX_LOOK_MS,
    ),
    {
      ...requestsFigure(
        'Accepted responses of 60 answers, while a viewer requests that dashboard every second',
        withDashboard,
        'without a viewer',
        alone,
        { atLeast: LEFT_TO_COLLECTION },
      ),
    },
  ];
}

async function looker(testBed: TestBed, api: Child, surveyId: number): Promise<() => Promise<void>> {
  const dashboard = await call(testBed, api, 'POST', '/api/dashboards', { dashboard_name: 'Bench' });
  const path = `/api/dashboards/${createdDashboard.parse(dashboard).data.dashboard_id}/chart-data-batch`;
  const charts = twentyCharts(surveyId);
  return async () => {
    const { data } = looked.parse(await call(testBed, api, 'POST', path, { charts }));
    const wrong = data.find((chart) => 'error' in chart);
    if (data.length !== charts.length || wrong !== undefined)
      throw new Error(`The dashboard has ${data.length} charts: ${JSON.stringify(wrong)}`);
  };
}

/** Requests the dashboard until collection has ended, once a second or as soon as the previous request has ended. */
async function whileLooking(
  requestDashboard: () => Promise<void>,
  collection: Promise<LoadResult>,
): Promise<{ reached: LoadResult; looks: number[] }> {
  const ended = new AbortController();
  const watching = (async () => {
    const looks: number[] = [];
    while (!ended.signal.aborted) {
      const onResult = await measureMs(requestDashboard);
      looks.push(onResult);
      await wait(Math.max(0, LOOK_EVERY_MS - onResult), undefined, { signal: ended.signal }).catch(
        () => undefined,
      );
    }
    return looks;
  })();
  const [reached, looks] = await Promise.all([collection.finally(() => ended.abort()), watching]);
  return { reached, looks };
}

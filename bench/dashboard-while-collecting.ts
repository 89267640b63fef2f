import { setTimeout as wait } from 'node:timers/promises';
import { z } from 'zod';
import { Store } from '../src/repositories/store.ts';
import { ColumnSnapshotService } from '../src/services/datasets/segments/column-snapshots.ts';
import type { Child } from './support/child.ts';
import { amount, type Figure, short, withinLimit } from './support/figure.ts';
import { type LoadResult, runLoad } from './support/load.ts';
import { requestsFigure } from './support/requests-figure.ts';
import { interleaved, median, quantile, measureMs } from './support/rounds.ts';
import { sixtyAnswers, sixtyQuestions, twentyCharts } from './support/sixty-questions.ts';
import type { TestBed } from './support/test-bed.ts';
import { call } from './support/surveys.ts';

const ROUNDS = 3;
const SECONDS = 5;
const LOOKING_SECONDS = 30;
const LOOK_EVERY_MS = 1_000;
const MAX_LOOK_MS = 1_000;
/** Collection may lose at most a third of its throughput. */
const LEFT_TO_COLLECTION = 0.667;

const made = z.object({ data: z.object({ dashboard_id: z.number() }) });
const looked = z.object({ data: z.array(z.record(z.string(), z.unknown())) });

/**
 * Requests a dashboard once a second while respondents answer its survey, so that the data differ each time. Measures the time of a
 * request and the loss of collection.
 */
export async function dashboardWhileCollecting(stage: TestBed): Promise<Figure[]> {
  const api = await stage.api();
  const { surveyId, linkToken } = await sixtyQuestions(stage, api, stage.many);
  await new ColumnSnapshotService(new Store(stage.db)).build(surveyId, new AbortController().signal);
  const look = await looker(stage, api, surveyId);
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
  console.log(`    (the first request, which loads the columns: ${short(await measureMs(look))} ms)`);

  const { alone, watched } = await interleaved(ROUNDS, {
    alone: () => collect(SECONDS),
    watched: async () => {
      await look();
      return (await whileLooking(look, collect(SECONDS))).reached;
    },
  });
  const half = median(alone.map(({ perSecond }) => perSecond)) / 2;
  await look();
  const { reached, looks } = await whileLooking(look, collect(LOOKING_SECONDS, half));
  console.log(
    `    (requests at half the rate: ${looks.length}, median ${short(median(looks))} ms, longest ${short(Math.max(...looks))} ms)`,
  );

  const dashboard = `A dashboard of 20 charts over ${stage.many.toLocaleString('en')} x 60 over HTTP`;
  return [
    withinLimit(
      `${dashboard} (p95 of ${looks.length} requests) while collecting ${short(reached.perSecond)} responses per second, half of the maximum rate`,
      amount(quantile(looks, 0.95), 'ms', `median ${short(median(looks))} ms`),
      MAX_LOOK_MS,
    ),
    {
      ...requestsFigure(
        'Accepted responses of 60 answers, while a viewer requests that dashboard every second',
        watched,
        'without a viewer',
        alone,
        { atLeast: LEFT_TO_COLLECTION },
      ),
      headline: true,
    },
  ];
}

async function looker(stage: TestBed, api: Child, surveyId: number): Promise<() => Promise<void>> {
  const dashboard = await call(stage, api, 'POST', '/api/dashboards', { dashboard_name: 'Bench' });
  const path = `/api/dashboards/${made.parse(dashboard).data.dashboard_id}/chart-data-batch`;
  const charts = twentyCharts(surveyId);
  return async () => {
    const { data } = looked.parse(await call(stage, api, 'POST', path, { charts }));
    const wrong = data.find((chart) => 'error' in chart);
    if (data.length !== charts.length || wrong !== undefined)
      throw new Error(`The dashboard has ${data.length} charts: ${JSON.stringify(wrong)}`);
  };
}

/** Requests the dashboard until collection has ended, once a second or as soon as the previous request has ended. */
async function whileLooking(
  look: () => Promise<void>,
  collection: Promise<LoadResult>,
): Promise<{ reached: LoadResult; looks: number[] }> {
  const ended = new AbortController();
  const watching = (async () => {
    const looks: number[] = [];
    while (!ended.signal.aborted) {
      const took = await measureMs(look);
      looks.push(took);
      await wait(Math.max(0, LOOK_EVERY_MS - took), undefined, { signal: ended.signal }).catch(
        () => undefined,
      );
    }
    return looks;
  })();
  const [reached, looks] = await Promise.all([collection.finally(() => ended.abort()), watching]);
  return { reached, looks };
}

import { setTimeout as wait } from 'node:timers/promises';
import { z } from 'zod';
import type { Strain } from './server.ts';
import { amount, type Figure, short, withinLimit } from './support/figure.ts';
import { interleaved, median, medianRatio, medianTime, quantile, measureMs } from './support/rounds.ts';
import type { TestBed } from './support/test-bed.ts';
import { call, pseudoRandomSql, fillSurvey, publishSurvey } from '../test/support/served-surveys.ts';

const RESPONSES = 100_000;
const SCALES = Array.from({ length: 45 }, (_, index) => `S${index + 1}`);
const TEXTS = Array.from({ length: 5 }, (_, index) => `T${index + 1}`);
const ROUNDS = 2;
const MEGABYTE = 1_000_000;
/** Interval of the requests of a second client. */
const ASKING_MS = 25;
const IDLE_MS = 3_000;

const replaced = z.object({ data: z.object({ updated: z.number() }) });

/**
 * Replaces a text in each of 100,000 responses in one undoable transaction, compared with one UPDATE in SQL that writes the same answers
 * without a history. A second client reads the survey at the same time.
 */
export async function findReplace(testBed: TestBed): Promise<Figure[]> {
  const api = await testBed.api();
  const { surveyId } = await publishSurvey(testBed, api, survey());
  const answers = [
    ...SCALES.map((code, index) => `'${code}', ${pseudoRandomSql(testBed.seed, index, 5)}`),
    ...TEXTS.map((code) => `'${code}', 'It was good, I would say ' || n`),
  ];
  await fillSurvey(testBed, surveyId, RESPONSES, `jsonb_build_object(${answers.join(', ')})`);

  const words = ['good', 'fine', 'nice', 'grand', 'well'];
  let round = 0;
  const delays: number[] = [];
  const strains: Strain[] = [];
  const address = `${api.url}/api/surveys/${surveyId}`;
  const idle = await askMeanwhile(testBed, address, AbortSignal.timeout(IDLE_MS));
  const { ours, sql } = await interleaved(ROUNDS, {
    ours: async () => {
      const body = { column_code: 'T1', find: words[round], replace: words[round + 1] };
      round += 1;
      await api.ask('watch');
      const asking = new AbortController();
      const other = askMeanwhile(testBed, address, asking.signal);
      const milliseconds = await measureMs(async () => {
        const reply = await call(testBed, api, 'POST', `/api/responses/${surveyId}/find-replace`, body);
        const { updated } = replaced.parse(reply).data;
        if (updated !== RESPONSES) throw new Error(`${updated} responses were changed`);
      });
      asking.abort();
      const requested = await other;
      if (round > 1) delays.push(...requested);
      strains.push(await api.ask<Strain>('report'));
      return milliseconds;
    },
    sql: () =>
      measureMs(() =>
        testBed.db.raw(
          `UPDATE responses SET answers = jsonb_set(answers, '{T2}', to_jsonb(replace(answers ->> 'T2', 'o', 'o'))), updated_at = now()
           WHERE survey_id = ? AND answers ->> 'T2' LIKE '%o%'`,
          [surveyId],
        ),
      ),
  });
  const p99 = quantile(delays, 0.99);
  const loop = median(strains.slice(1).map((strain) => strain.delayP99Ms));
  const growth = Math.max(...strains.slice(1).map((strain) => strain.memoryGrowthBytes)) / MEGABYTE;
  const longest = `longest ${short(Math.max(...delays))} ms`;
  const quiet = `p99 when idle ${short(quantile(idle, 0.99))} ms`;
  return [
    {
      what: `Find and replace in all of ${RESPONSES.toLocaleString('en')} responses x 50, undoable`,
      ours: medianTime(ours),
      yardstick: medianTime(sql),
      against: 'one UPDATE of the same answers',
      ratio: medianRatio(ours, sql),
      target: null,
    },
    withinLimit(
      'Another request while 100,000 responses are changed (p99)',
      amount(p99, 'ms', `of ${delays.length}; ${longest}; ${quiet}`),
      200,
    ),
    withinLimit("Delay of the server's event loop during the run (p99)", amount(loop, 'ms'), 50),
    withinLimit("Growth of the server's memory during the run", amount(growth, 'MB'), 200),
  ];
}

async function askMeanwhile(testBed: TestBed, url: string, signal: AbortSignal): Promise<number[]> {
  const delays: number[] = [];
  while (!signal.aborted) {
    delays.push(
      await measureMs(async () => {
        const reply = await fetch(url, { headers: { 'X-API-Key': testBed.apiKey } });
        if (!reply.ok) throw new Error(await reply.text());
        await reply.arrayBuffer();
      }),
    );
    await wait(ASKING_MS);
  }
  return delays;
}

function survey(): object {
  const question = (question_type: string) => (question_code: string) => ({
    question_type,
    question_code,
    question_text: `Question ${question_code}`,
  });
  const questions = [...SCALES.map(question('scale')), ...TEXTS.map(question('text'))];
  return {
    format: 'canvass.survey',
    version: 1,
    survey: { survey_name: 'Find and replace', pages: [{ page_title: 'All', questions }] },
  };
}

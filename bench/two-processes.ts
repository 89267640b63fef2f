import os from 'node:os';
import { bigFiveResponses, bigFiveSurvey } from '../seeds/demo/big-five.ts';
import type { Child } from './support/child.ts';
import { amount, type Amount, type Figure, short } from './support/figure.ts';
import { runLoad } from './support/load.ts';
import { postgresTime } from './support/processor-time.ts';
import { interleaved, median, medianRatio } from './support/rounds.ts';
import type { TestBed } from './support/test-bed.ts';
import { publishSurvey } from '../test/support/served-surveys.ts';

const ROUNDS = 5;
const SECONDS = 4;
const CONNECTIONS = 64;
const TARGET = 1.6;

/** The result of a collection period, with the processor time per response in microseconds of each part of the machine. */
interface Period {
  perSecond: number;
  server: number;
  generator: number;
  /** NaN if the system does not report it. */
  postgres: number;
}

/**
 * Complete Big Five responses to two server processes on one PostgreSQL, with half of the connections each as a balancer would have
 * it, against one process with all of them.
 */
export async function twoProcesses(testBed: TestBed): Promise<Figure[]> {
  const servers = [await testBed.api(), await testBed.api()];
  const { linkToken } = await publishSurvey(testBed, servers[0]!, bigFiveSurvey());
  const { answers } = bigFiveResponses().find((response) => !Object.values(response.answers).includes(null))!;
  const body = JSON.stringify({ submission_id: '[<id>]', answers });
  const path = `/api/public/s/${linkToken}/responses`;
  const collect = async (by: readonly Child[]): Promise<Period> => {
    const before = await spent(testBed);
    const reached = await Promise.all(
      by.map((server) => {
        const connections = CONNECTIONS / by.length;
        return runLoad({ server, path, method: 'POST', body, seconds: SECONDS, connections, apart: true });
      }),
    );
    const after = await spent(testBed);
    const perSecond = reached.reduce((sum, one) => sum + one.perSecond, 0);
    const all = perSecond * SECONDS;
    return {
      perSecond,
      server: reached.reduce((sum, one) => sum + one.cpuMicroseconds * one.perSecond, 0) / perSecond,
      generator: (after.generator - before.generator) / all,
      postgres: (after.postgres - before.postgres) / all,
    };
  };
  const { one, two } = await interleaved(ROUNDS, {
    one: () => collect(servers.slice(0, 1)),
    two: () => collect(servers),
  });
  return figures(one, two);
}

async function spent(testBed: TestBed): Promise<{ generator: number; postgres: number }> {
  const { user, system } = process.cpuUsage();
  return { generator: user + system, postgres: (await postgresTime(testBed.db)) ?? NaN };
}

const PARTS = ['server', 'generator', 'postgres'] as const;

function figures(one: readonly Period[], two: readonly Period[]): Figure[] {
  const cores = os.availableParallelism();
  const rate = (periods: readonly Period[]) => periods.map(({ perSecond }) => perSecond);
  const middle = (periods: readonly Period[], part: (typeof PARTS)[number]) =>
    median(periods.map((period) => period[part]));
  const whole = (periods: readonly Period[]) =>
    PARTS.map((part) => middle(periods, part))
      .filter((time) => !Number.isNaN(time))
      .reduce((sum, time) => sum + time, 0);
  /** Of all cores, by everything that this bench runs. */
  const busy = (whole(one) * median(rate(one))) / 1e6;
  const most = cores / busy;
  const time = (periods: readonly Period[]): Amount =>
    amount(whole(periods), 'µs', PARTS.map((part) => `${part} ${short(middle(periods, part))}`).join(', '));
  console.log(
    `    (with one process ${short(busy)} of ${cores} cores are busy with the server, the load generator and PostgreSQL: the speed-up on this machine is limited to ${short(most)})`,
  );
  return [
    {
      what: 'Accepted responses with two server processes on one PostgreSQL',
      ours: amount(median(rate(two)), '/s'),
      yardstick: amount(median(rate(one)), '/s'),
      against: 'one process',
      ratio: medianRatio(rate(two), rate(one)),
      target: { atLeast: TARGET },
      ...(most < TARGET ? { because: `${cores} cores allow ${short(most)}` } : {}),
    },
    {
      what: 'Processor time per response with two server processes',
      ours: time(two),
      yardstick: time(one),
      against: 'with one process',
      ratio: whole(two) / whole(one),
      target: null,
    },
  ];
}

import { setTimeout as sleep } from 'node:timers/promises';
import { call, publishSurvey } from '../../test/support/served-surveys.ts';
import { connectDatabase } from '../../src/db/connect.ts';
import type { ApiProcess } from '../support/api-process.ts';
import { CITUS_MISSING, Cluster, hasCitus } from '../../test/support/own-cluster.ts';
import { type LoadGenerator, startLoadGenerator, SURVEY } from '../support/load-generator.ts';
import { formatEvidence, percentile, type Scenario } from '../support/scenario.ts';
import type { TestBed } from '../support/test-bed.ts';
import { retryUnacknowledged, verifyStoredResponses } from '../support/verify-responses.ts';
import { waitUntilServing } from '../support/wait-until-serving.ts';

const SURVEYS_PER_WORKER = 2;
const CLIENTS_PER_SURVEY = 4;
const QUOTA = 200;
const SERVES_WITHIN_MS = 60_000;

/** A survey that is answered during the whole scenario. */
interface Collection {
  surveyId: number;
  /** The port of the worker that has its responses at the start. */
  port: number;
  linkToken: string;
  load: LoadGenerator;
}

/** P1, P2, P4 and P5 on a Citus cluster: servers are killed and shards are moved while surveys with and without quotas are answered. */
export const cluster: Scenario = {
  name: 'cluster',
  promise: 'P1 On a Citus cluster too, nothing acknowledged is lost, and figures are those of the rows',
  skipReason: () => (hasCitus() ? null : CITUS_MISSING),
  async run(testBed: TestBed) {
    const servers = await Cluster.start(testBed.folder);
    testBed.atEnd(() => servers.stop());
    const distributed = await testBed.cli(['distribute', '--citus', '--shards', '8'], {
      databaseUrl: servers.url,
    });
    if (distributed.code !== 0) throw new Error(distributed.output);
    const db = connectDatabase(servers.url, 4);
    testBed.atEnd(() => db.destroy());
    const onCluster: TestBed = { ...testBed, databaseUrl: servers.url, db };
    const apis = await Promise.all(
      [1, 2].map(() => testBed.api({ DATABASE_URL: servers.url, CACHE_TTL_SECONDS: '0' })),
    );
    const run = new ClusterRun(onCluster, servers, apis);
    await run.startCollections();
    const phaseMs = testBed.isShort ? 2_500 : 8_000;
    await run.rate('before', phaseMs);
    await run.killWorker(phaseMs);
    await run.moveShards(testBed.isShort ? 1 : 4);
    await run.rebalance();
    await run.killCoordinator();
    await run.rate('after', phaseMs);
    return run.finish();
  },
};

class ClusterRun {
  private readonly collections: Collection[] = [];
  private readonly breaks: string[] = [];
  private readonly figures: string[] = [];
  private looks = 0;
  private waveId = 0;

  constructor(
    private readonly testBed: TestBed,
    private readonly servers: Cluster,
    private readonly apis: readonly ApiProcess[],
  ) {}

  /** Publishes surveys until each worker has enough, and starts answering them. The first has a wave with a hard quota. */
  async startCollections(): Promise<void> {
    const [api] = this.apis;
    const perWorker = new Map(this.servers.workers.map(({ port }) => [port, 0]));
    while ([...perWorker.values()].some((count) => count < SURVEYS_PER_WORKER)) {
      const { surveyId, linkToken } = await publishSurvey(this.testBed, api!, SURVEY);
      const { port } = await this.servers.workerOf(surveyId);
      const count = perWorker.get(port) ?? 0;
      if (count === SURVEYS_PER_WORKER) continue;
      perWorker.set(port, count + 1);
      const isFirst = this.collections.length === 0;
      const token = isFirst ? await this.addQuota(surveyId) : linkToken;
      const load = startLoadGenerator(this.testBed, {
        clients: CLIENTS_PER_SURVEY,
        apis: this.apis,
        linkToken: token,
      });
      this.collections.push({ surveyId, port, linkToken: token, load });
    }
  }

  /** Returns the token of a link to a wave with a hard quota. */
  private async addQuota(surveyId: number): Promise<string> {
    const { wave_id: waveId } = await this.author<{ wave_id: number }>('POST', '/api/surveys/waves', {
      survey_id: surveyId,
      wave_name: 'Wave',
    });
    this.waveId = waveId;
    const cell = { cell_label: 'All', condition: { conditions: [] }, target: QUOTA };
    await this.author('PATCH', `/api/surveys/waves/${waveId}/quotas`, {
      quotas: [{ quota_name: 'Total', mode: 'hard', cells: [cell] }],
    });
    const link = await this.author<{ link_token: string }>('POST', `/api/surveys/${surveyId}/links`, {
      wave_id: waveId,
    });
    return link.link_token;
  }

  /** Measures the acknowledged responses per second of each worker's surveys. */
  async rate(when: string, milliseconds: number): Promise<Map<number, number>> {
    const before = this.acknowledged();
    await sleep(milliseconds);
    const after = this.acknowledged();
    const rates = new Map(
      [...after].map(([port, count]) => [port, ((count - before.get(port)!) / milliseconds) * 1_000]),
    );
    this.figures.push(
      `${when} ${[...rates.values()].map((perSecond) => `${Math.round(perSecond)}/s`).join(' and ')}`,
    );
    return rates;
  }

  private acknowledged(): Map<number, number> {
    const counts = new Map<number, number>();
    for (const { port, load } of this.collections)
      counts.set(port, (counts.get(port) ?? 0) + load.ledger.acknowledged.size);
    return counts;
  }

  /** Surveys of the other worker go on. */
  async killWorker(milliseconds: number): Promise<void> {
    const victim = this.servers.workers[1]!;
    await victim.kill();
    const rates = await this.rate('with the second worker killed', milliseconds);
    const [healthy] = [...rates].filter(([port]) => port !== victim.port);
    if (healthy![1] === 0) this.breaks.push('no survey of the healthy worker was answered');
    await victim.run();
    await this.waitUntilAnswered();
  }

  /** Moves the shards of two surveys back and forth while their figures are read. */
  async moveShards(times: number): Promise<void> {
    const watched = [this.collections[0]!, this.collections.at(-1)!];
    const began = performance.now();
    for (let time = 0; time < times; time += 1) {
      let isMoving = true;
      const watching = watched.map(async (collection) => {
        while (isMoving) await this.compareFigure(collection);
      });
      for (const { surveyId } of watched) await this.servers.moveShardOf(surveyId);
      await sleep(300);
      isMoving = false;
      await Promise.all(watching);
    }
    this.figures.push(
      `${2 * times} moves in ${Math.round((performance.now() - began) / 1_000)} s, figures compared ${this.looks} times`,
    );
  }

  /** A figure contains every response acknowledged before it was asked for, and none that was not stored when it arrived. */
  private async compareFigure({ surveyId, load }: Collection): Promise<void> {
    const least = load.ledger.acknowledged.size;
    const api = this.apis[this.looks % this.apis.length]!;
    this.looks += 1;
    const reply = await fetch(
      `${api.url}/api/responses/${surveyId}/distribution/Q1?status=complete,screened_out`,
      {
        headers: { 'X-API-Key': this.testBed.apiKey },
      },
    );
    const text = await reply.text();
    if (reply.status === 503) return;
    if (!reply.ok) {
      this.breaks.push(`a figure of survey ${surveyId}: ${reply.status} ${text.slice(0, 300)}`);
      return;
    }
    const { base } = (JSON.parse(text) as { data: { base: number } }).data;
    const { count } = await this.stored(surveyId);
    if (base < least || base > count)
      this.breaks.push(
        `the figure of survey ${surveyId} has ${base} responses, but at least ${least} were acknowledged before and ${count} stored after`,
      );
    await sleep(20);
  }

  private async stored(surveyId: number): Promise<{ count: number }> {
    const { rows } = await this.testBed.db.raw<{ rows: { count: number }[] }>(
      'SELECT count(*)::int AS count FROM responses WHERE survey_id = ?',
      [surveyId],
    );
    return rows[0]!;
  }

  /** Moves all shards to the first worker, and lets Citus balance them again. */
  async rebalance(): Promise<void> {
    const before = this.acknowledged();
    for (const { surveyId } of this.collections) {
      const { port } = await this.servers.workerOf(surveyId);
      if (port !== this.servers.workers[0]!.port) await this.servers.moveShardOf(surveyId);
    }
    await this.servers.query(`SELECT citus_rebalance_start(shard_transfer_mode => 'force_logical')`);
    await this.servers.query('SELECT citus_rebalance_wait()');
    const after = this.acknowledged();
    const gained = [...after].map(([port, count]) => count - before.get(port)!);
    this.figures.push(`${gained.join(' and ')} acknowledged during the rebalancing`);
    for (const collection of this.collections) await this.compareFigure(collection);
  }

  async killCoordinator(): Promise<void> {
    await this.servers.coordinator.kill();
    await sleep(500);
    await this.servers.coordinator.run();
    await Promise.all(this.apis.map((api) => waitUntilServing(api, SERVES_WITHIN_MS)));
    await this.waitUntilAnswered();
  }

  /** Waits until every survey accepts responses again. */
  private async waitUntilAnswered(): Promise<void> {
    const deadline = Date.now() + SERVES_WITHIN_MS;
    for (const { surveyId, load } of this.collections) {
      const before = load.ledger.acknowledged.size;
      while (load.ledger.acknowledged.size === before) {
        if (Date.now() > deadline) {
          this.breaks.push(
            `survey ${surveyId} does not accept responses ${SERVES_WITHIN_MS} ms after a restart`,
          );
          return;
        }
        await sleep(20);
      }
    }
  }

  async finish(): Promise<{ done: string; checked: string; figures: string; breaks: string[] }> {
    await Promise.all(this.collections.map(({ load }) => load.end()));
    let acknowledged = 0;
    let retried = 0;
    const slowest: number[] = [];
    for (const { surveyId, linkToken, load } of this.collections) {
      const { ledger } = load;
      slowest.push(ledger.slowestMs);
      this.breaks.push(...(await verifyStoredResponses(this.testBed, surveyId, ledger)));
      const recount = await retryUnacknowledged(this.testBed, surveyId, {
        linkToken,
        apis: this.apis,
        ledger,
      });
      retried += recount.count;
      this.breaks.push(...recount.breaks);
      acknowledged += ledger.acknowledged.size;
    }
    this.breaks.push(...(await this.verifyQuota()));
    const check = await this.testBed.cli(['check'], { databaseUrl: this.servers.url });
    if (check.code !== 0) this.breaks.push(`check: ${check.output}`);
    return {
      done: 'coordinator and two workers; a worker and the coordinator killed, shards moved and rebalanced, with 2 processes and 4 surveys',
      checked: `${acknowledged} acknowledged are stored once, ${retried} of unknown fate are there once, the quota is exact, figures are those of the rows`,
      figures: `${this.figures.join('; ')}; slowest reply ${Math.round(percentile(slowest, 1))} ms`,
      breaks: this.breaks,
    };
  }

  private async verifyQuota(): Promise<string[]> {
    const surveyId = this.collections[0]!.surveyId;
    const { rows } = await this.testBed.db.raw<{ rows: object[] }>(
      `SELECT c.completed, c.over_quota, c.target,
         (SELECT count(*)::int FROM responses WHERE survey_id = ? AND response_status = 'complete') AS complete_rows,
         (SELECT count(*)::int FROM responses WHERE survey_id = ? AND status_reason = 'over_quota') AS over_quota_rows
       FROM quota_cells c WHERE c.survey_id = ? AND c.wave_id = ?`,
      [surveyId, surveyId, surveyId, this.waveId],
    );
    const wrong = (rows as Record<string, number>[]).filter(
      (row) =>
        row.completed !== row.complete_rows ||
        row.over_quota !== row.over_quota_rows ||
        row.completed !== row.target,
    );
    return formatEvidence('quota cells that differ from their rows', rows.length === 1 ? wrong : rows);
  }

  private async author<Data>(method: string, path: string, body: object): Promise<Data> {
    return ((await call(this.testBed, this.apis[0]!, method, path, body)) as { data: Data }).data;
  }
}

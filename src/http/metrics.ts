import { createHash, timingSafeEqual } from 'node:crypto';
import type { RequestHandler } from 'express';
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import { unauthenticated } from '../lib/errors.ts';
import type { RequestObserver } from '../middleware/request-log.ts';

interface Metrics extends RequestObserver {
  /** Serves the metrics in the Prometheus text format; requires the token. */
  handler: RequestHandler;
}

interface MetricsOptions {
  token: string;
  /** Called for each request of the metrics. */
  jobCounts: () => Promise<{ kind: string; status: string; count: number }[]>;
  /** Called for each request of the metrics. */
  datasets: () => DatasetFigures;
  /** null without replicas. */
  replicas: ReplicaFigures | null;
  /** null without a mail server. */
  mail: MailFigures | null;
}

export function createMetrics({ token, jobCounts, datasets, replicas, mail }: MetricsOptions): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const durations = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time from the request to the end of its reply, by declared path',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 30],
    registers: [registry],
  });
  new Gauge({
    name: 'jobs',
    help: 'Stored jobs by kind and status; finished jobs are kept for a day',
    labelNames: ['kind', 'status'],
    registers: [registry],
    async collect() {
      const counts = await jobCounts();
      this.reset();
      for (const { kind, status, count } of counts) this.set({ kind, status }, count);
    },
  });
  addDatasetMetrics(registry, datasets);
  if (replicas !== null) addReplicaMetrics(registry, replicas);
  if (mail !== null) addMailMetrics(registry, mail);
  const expectedHash = sha256(token);
  return {
    observe({ method, route, status, seconds }) {
      durations.observe({ method, route, status }, seconds);
    },
    handler: async (request, response) => {
      const received = /^Bearer (\S+)$/i.exec(request.headers.authorization ?? '')?.[1] ?? '';
      if (!timingSafeEqual(sha256(received), expectedHash)) throw unauthenticated();
      response.setHeader('Content-Type', registry.contentType);
      response.end(await registry.metrics());
    },
  };
}

const sha256 = (text: string): Buffer => createHash('sha256').update(text).digest();

/** Memory use of the datasets of a process. */
interface DatasetFigures {
  datasets: number;
  columns: number;
  bytes: { rows: number; columns: number; texts: number };
  maxBytes: number;
  evictedColumns: number;
  evictedDatasets: number;
}

/** Figures of the datasets in memory. */
function addDatasetMetrics(registry: Registry, figures: () => DatasetFigures): void {
  const registers = [registry];
  new Gauge({
    name: 'dataset_memory_bytes',
    help: 'Memory of datasets: ids and states of responses, columns, and texts (estimated)',
    labelNames: ['of'],
    registers,
    collect() {
      for (const [of, bytes] of Object.entries(figures().bytes)) this.set({ of }, bytes);
    },
  });
  new Gauge({
    name: 'dataset_memory_limit_bytes',
    help: 'Memory limit of datasets (DATASET_CACHE_MB)',
    registers,
    collect() {
      this.set(figures().maxBytes);
    },
  });
  new Gauge({
    name: 'datasets_in_memory',
    help: 'Surveys with data in memory',
    registers,
    collect() {
      this.set(figures().datasets);
    },
  });
  new Gauge({
    name: 'dataset_columns_in_memory',
    help: 'Columns in memory: questions, metadata and derived columns',
    registers,
    collect() {
      this.set(figures().columns);
    },
  });
  new Counter({
    name: 'dataset_drops_total',
    help: 'Evictions from memory: single columns and whole surveys',
    labelNames: ['what'],
    registers,
    collect() {
      const { evictedColumns, evictedDatasets } = figures();
      this.reset();
      this.inc({ what: 'column' }, evictedColumns);
      this.inc({ what: 'survey' }, evictedDatasets);
    },
  });
}

/** State and counters of the database replicas; see db/replicas.ts. */
interface ReplicaFigures {
  readonly counts: {
    fromPrimary: number;
    fromReplica: number;
    waits: number;
    waitedSeconds: number;
    causes: Record<string, number>;
  };
  readonly states: readonly { name: string; isUsable: boolean; lagBytes: number | null }[];
}

/** Registers metrics of long reads and of the replicas that serve them. */
function addReplicaMetrics(registry: Registry, replicas: ReplicaFigures): void {
  const { counts } = replicas;
  const registers = [registry];
  new Counter({
    name: 'database_heavy_reads_total',
    help: 'Long reads by the server that answered',
    labelNames: ['target'],
    registers,
    collect() {
      this.reset();
      this.inc({ target: 'primary' }, counts.fromPrimary);
      this.inc({ target: 'replica' }, counts.fromReplica);
    },
  });
  new Counter({
    name: 'database_replica_fallbacks_total',
    help: 'Long reads that the primary answered because no replica could, by cause',
    labelNames: ['cause'],
    registers,
    collect() {
      this.reset();
      for (const [cause, count] of Object.entries(counts.causes)) this.inc({ cause }, count);
    },
  });
  new Counter({
    name: 'database_replica_waits_total',
    help: 'Long reads that waited for a replica to catch up',
    registers,
    collect() {
      this.reset();
      this.inc(counts.waits);
    },
  });
  new Counter({
    name: 'database_replica_wait_seconds_total',
    help: 'Total waiting time of these reads',
    registers,
    collect() {
      this.reset();
      this.inc(counts.waitedSeconds);
    },
  });
  new Gauge({
    name: 'database_replica_usable',
    help: 'Whether a replica is used for reads (1) or skipped (0)',
    labelNames: ['replica'],
    registers,
    collect() {
      for (const { name, isUsable } of replicas.states) this.set({ replica: name }, isUsable ? 1 : 0);
    },
  });
  new Gauge({
    name: 'database_replica_lag_bytes',
    help: 'Bytes of the log that the replica had not replayed at the last check, a few seconds ago at most',
    labelNames: ['replica'],
    registers,
    collect() {
      this.reset();
      for (const { name, lagBytes } of replicas.states)
        if (lagBytes !== null) this.set({ replica: name }, lagBytes);
    },
  });
}

/** State and counters of the mail server; see providers/mail/watched-mail.ts. */
interface MailFigures {
  readonly outcomes: Readonly<Record<string, number>>;
  readonly problem: string | null;
}

function addMailMetrics(registry: Registry, mail: MailFigures): void {
  const registers = [registry];
  new Gauge({
    name: 'mail_server_accepts',
    help: 'Whether the mail server accepted the last email that it did not reject by itself (1), or is down or refuses all (0)',
    registers,
    collect() {
      this.set(mail.problem === null ? 1 : 0);
    },
  });
  new Counter({
    name: 'mails_total',
    help: 'Emails handed to the mail server, by outcome: accepted, refused for their address, their content, for now, or by a server that is down',
    labelNames: ['outcome'],
    registers,
    collect() {
      this.reset();
      for (const [outcome, count] of Object.entries(mail.outcomes)) this.inc({ outcome }, count);
    },
  });
}

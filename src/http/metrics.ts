import { createHash, timingSafeEqual } from 'node:crypto';
import type { RequestHandler } from 'express';
import { collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { unauthenticated } from '../lib/errors.ts';
import { addDatasetMetrics, type DatasetFigures } from './dataset-metrics.ts';
import { addReplicaMetrics, type ReplicaFigures } from './replica-metrics.ts';
import type { RequestObserver } from '../middleware/request-log.ts';

export interface Metrics extends RequestObserver {
  /** Serves the metrics in the Prometheus text format; requires the token. */
  handler: RequestHandler;
}

/** `jobCounts` and `datasets` are called for each request of the metrics. `replicas`: null without replicas. */
export function createMetrics(
  token: string,
  jobCounts: () => Promise<{ kind: string; status: string; count: number }[]>,
  datasets: () => DatasetFigures,
  replicas: ReplicaFigures | null,
): Metrics {
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

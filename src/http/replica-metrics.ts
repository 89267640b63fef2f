import { Counter, Gauge, type Registry } from 'prom-client';

/** What the replicas of the database say of themselves; see db/replicas.ts. */
export interface ReplicaFigures {
  readonly counts: {
    fromPrimary: number;
    fromReplica: number;
    waits: number;
    waitedSeconds: number;
    causes: Record<string, number>;
  };
  readonly states: readonly { name: string; isUsable: boolean; lagBytes: number | null }[];
}

/** Figures of long reads, and of the servers that they may go to. */
export function addReplicaMetrics(registry: Registry, replicas: ReplicaFigures): void {
  const { counts } = replicas;
  const registers = [registry];
  new Counter({
    name: 'database_heavy_reads_total',
    help: 'Long reads, by the server that answered',
    labelNames: ['target'],
    registers,
    collect() {
      this.reset();
      this.inc({ target: 'primary' }, counts.fromPrimary);
      this.inc({ target: 'replica' }, counts.fromReplica);
    },
  });
  new Counter({
    name: 'database_replicas_passed_over_total',
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
    help: 'Long reads for which no replica had yet what was committed before',
    registers,
    collect() {
      this.reset();
      this.inc(counts.waits);
    },
  });
  new Counter({
    name: 'database_replica_wait_seconds_total',
    help: 'Time that they waited',
    registers,
    collect() {
      this.reset();
      this.inc(counts.waitedSeconds);
    },
  });
  new Gauge({
    name: 'database_replica_usable',
    help: 'Whether a replica is read from (1), or passed over (0)',
    labelNames: ['replica'],
    registers,
    collect() {
      for (const { name, isUsable } of replicas.states) this.set({ replica: name }, isUsable ? 1 : 0);
    },
  });
  new Gauge({
    name: 'database_replica_lag_bytes',
    help: 'How much of the log a replica had not replayed when it was last asked, at most some seconds ago',
    labelNames: ['replica'],
    registers,
    collect() {
      this.reset();
      for (const { name, lagBytes } of replicas.states)
        if (lagBytes !== null) this.set({ replica: name }, lagBytes);
    },
  });
}

import { Counter, Gauge, type Registry } from 'prom-client';

/** State and counters of the database replicas; see db/replicas.ts. */
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

/** Registers metrics of long reads and of the replicas that serve them. */
export function addReplicaMetrics(registry: Registry, replicas: ReplicaFigures): void {
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

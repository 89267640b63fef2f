import os from 'node:os';
import type { Database } from '../../src/db/connect.ts';

/** The machine of a run, needed to interpret the figures. */
export interface Machine {
  date: string;
  cpu: string;
  cores: number;
  memoryBytes: number;
  system: string;
  node: string;
  /** null: the run needed no database. */
  postgres: string | null;
  /** Load average of the minute before the run, per core: above 1, other programs were running. */
  loadBefore: number;
}

export const thisMachine = (): Machine => ({
  date: new Date().toISOString().slice(0, 10),
  cpu: os.cpus()[0]?.model.trim() ?? 'unknown processor',
  cores: os.availableParallelism(),
  memoryBytes: os.totalmem(),
  system: `${os.type()} ${os.arch()}`,
  node: process.versions.node,
  postgres: null,
  loadBefore: os.loadavg()[0]!,
});

export async function postgresVersion(db: Database): Promise<string> {
  const { rows } = await db.raw<{ rows: { server_version: string }[] }>('SHOW server_version');
  return rows[0]!.server_version;
}

export function formatMachine(machine: Machine): string {
  const { cpu, cores, memoryBytes, system, node, postgres, loadBefore, date } = machine;
  return [
    `${cpu}, ${cores} ${cores === 1 ? 'core' : 'cores'}`,
    `${Math.round(memoryBytes / 2 ** 30)} GiB of memory`,
    system,
    `Node ${node}`,
    ...(postgres === null ? [] : [`PostgreSQL ${postgres}`]),
    `load before ${loadBefore.toFixed(1)}`,
    date,
  ].join(' · ');
}

import { chownSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import pg from 'pg';
import { runsAsRoot, unprivilegedAccount } from '../../src/db/embedded/run-program.ts';
import { type DebianServer, hasExtension, initServer } from './debian-server.ts';

const SETTINGS = {
  shared_preload_libraries: 'citus',
  max_connections: '200',
  max_worker_processes: '64',
  max_prepared_transactions: '200',
  // Shards are moved by logical replication while they are written.
  wal_level: 'logical',
  max_wal_senders: '40',
  max_replication_slots: '40',
  'citus.enable_unsafe_triggers': 'on',
};
const DATABASE = 'canvass';
const ROLE = 'canvass';
const WORKERS = 2;

export const CITUS_MISSING = 'Citus is not installed with the PostgreSQL of this system';
export const hasCitus = (): boolean => hasExtension('citus');

/** A Citus cluster of its own: a coordinator and two workers on loopback, with a database of a role that is no superuser. */
export class Cluster {
  private constructor(
    readonly coordinator: DebianServer,
    readonly workers: readonly DebianServer[],
  ) {}

  /** Keeps its files in `folder`. `settings`: of PostgreSQL. */
  static async start(folder: string, settings: Record<string, string> = {}): Promise<Cluster> {
    const account = runsAsRoot() ? await unprivilegedAccount() : null;
    const base = path.join(folder, 'cluster');
    mkdirSync(base, { mode: 0o755 });
    if (account !== null) {
      chownSync(folder, account.uid, account.gid);
      chownSync(base, account.uid, account.gid);
    }
    const names = ['coordinator', ...Array.from({ length: WORKERS }, (_, index) => `worker-${index + 1}`)];
    const servers: DebianServer[] = [];
    for (const name of names) {
      const server = await initServer(base, name, account, { ...SETTINGS, ...settings });
      servers.push(server);
      await server.run();
      await server.query(`CREATE ROLE ${ROLE} LOGIN`);
    }
    const [coordinator, ...workers] = servers;
    const cluster = new Cluster(coordinator!, workers);
    await cluster.createDatabase(DATABASE);
    return cluster;
  }

  /** The address of the database for Canvass. */
  get url(): string {
    return this.coordinator.url(ROLE, DATABASE);
  }

  /** Creates another database on every server. Returns its address on the coordinator. */
  async createDatabase(name: string): Promise<string> {
    for (const server of [this.coordinator, ...this.workers]) {
      await server.query(`CREATE DATABASE ${name} OWNER ${ROLE}`);
      await server.query('CREATE EXTENSION citus', name);
    }
    const { port } = this.coordinator;
    await this.coordinator.query(`SELECT citus_set_coordinator_host('127.0.0.1', ${port})`, name);
    for (const worker of this.workers)
      await this.coordinator.query(`SELECT citus_add_node('127.0.0.1', ${worker.port})`, name);
    return this.coordinator.url(ROLE, name);
  }

  /** Runs a statement on the coordinator as superuser. */
  query<Row extends pg.QueryResultRow>(statement: string): Promise<Row[]> {
    return this.coordinator.query<Row>(statement, DATABASE);
  }

  /** The worker that stores the responses of a survey. */
  async workerOf(surveyId: number): Promise<DebianServer> {
    const { nodeport } = await this.placementOf(surveyId);
    return this.workers.find(({ port }) => port === nodeport)!;
  }

  /** Moves the shards that contain the responses of a survey to the other worker, while they are written. */
  async moveShardOf(surveyId: number): Promise<void> {
    const { shardid, nodeport } = await this.placementOf(surveyId);
    const target = this.workers.find(({ port }) => port !== nodeport)!;
    await this.query(
      `SELECT citus_move_shard_placement(${shardid}, '127.0.0.1', ${nodeport}, '127.0.0.1', ${target.port}, 'force_logical')`,
    );
  }

  async stop(): Promise<void> {
    for (const server of [this.coordinator, ...this.workers]) await server.kill();
  }

  private async placementOf(surveyId: number): Promise<{ shardid: number; nodeport: number }> {
    const [placement] = await this.query<{ shardid: number; nodeport: number }>(
      `SELECT shardid, nodeport FROM pg_dist_placement JOIN pg_dist_node USING (groupid)
       WHERE shardid = get_shard_id_for_distribution_column('responses', ${surveyId})`,
    );
    return placement!;
  }
}

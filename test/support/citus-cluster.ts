import pg from 'pg';

/**
 * The cluster on which `npm run test:citus` runs: CITUS_URL is a database of its coordinator in which the workers are registered. The user
 * of the URL creates databases on every server.
 */
const { CITUS_URL } = process.env;

let workers: Promise<string[]> | null = null;

/** Whether the tests run on a Citus cluster. */
export const onCitus = CITUS_URL !== undefined && CITUS_URL !== '';

/** Why a test is skipped on a cluster, to be put behind its title; empty elsewhere. */
export const notOnCluster = (reason: string): string => (onCitus ? ` (not on a cluster: ${reason})` : '');

/** The address of the maintenance database of the coordinator. */
function coordinatorUrl(): string {
  if (CITUS_URL === undefined) throw new Error('CITUS_URL is not set');
  return CITUS_URL;
}

/** The address of each worker's maintenance database. */
export function workerUrls(): Promise<string[]> {
  workers ??= readWorkers();
  return workers;
}

async function readWorkers(): Promise<string[]> {
  if (!onCitus) return [];
  const rows = await runOn<{ nodename: string; nodeport: number }>(
    coordinatorUrl(),
    'SELECT nodename, nodeport FROM pg_dist_node WHERE groupid <> 0 ORDER BY groupid',
  );
  return rows.map(({ nodename, nodeport }) => {
    const url = new URL(coordinatorUrl());
    url.hostname = nodename;
    url.port = String(nodeport);
    url.pathname = '/postgres';
    return url.href;
  });
}

/** Runs one statement on a connection of its own. */
async function runOn<Row>(url: string, statement: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(statement)).rows as Row[];
  } finally {
    await client.end();
  }
}

const withDatabase = (server: string, name: string): string => {
  const url = new URL(server);
  url.pathname = `/${name}`;
  return url.href;
};

/** Creates a database with Citus on every server and registers the servers in it. Returns its address on the coordinator. */
export async function createClusterDatabase(name: string): Promise<string> {
  const url = withDatabase(coordinatorUrl(), name);
  const servers = await workerUrls();
  for (const server of [coordinatorUrl(), ...servers]) {
    await runOn(server, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
    await runOn(server, `CREATE DATABASE ${name}`);
    await runOn(withDatabase(server, name), 'CREATE EXTENSION citus');
  }
  const { hostname, port } = new URL(url);
  await runOn(url, `SELECT citus_set_coordinator_host('${hostname}', ${port})`);
  for (const server of servers) {
    const worker = new URL(server);
    await runOn(url, `SELECT citus_add_node('${worker.hostname}', ${worker.port})`);
  }
  return url;
}

/** Closes the database to connections, of the cluster's daemons too, so that it can be cloned. */
export async function closeClusterDatabase(name: string): Promise<void> {
  for (const server of [coordinatorUrl(), ...(await workerUrls())]) {
    await runOn(server, `ALTER DATABASE ${name} ALLOW_CONNECTIONS false`);
    await runOn(server, `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${name}'`);
  }
}

export async function dropClusterDatabase(name: string): Promise<void> {
  for (const server of [coordinatorUrl(), ...(await workerUrls())])
    await runOn(server, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
}

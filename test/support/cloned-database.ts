import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { workerUrls } from './citus-cluster.ts';

export interface ClonedDatabase {
  readonly url: string;
  drop(): Promise<void>;
}

/** Creates a database on the template's server: a copy of the template, or an `empty` one. */
export async function cloneDatabase(
  templateUrl: string,
  prefix: string,
  empty = false,
): Promise<ClonedDatabase> {
  const template = new URL(templateUrl);
  const name = `${prefix}_${randomBytes(6).toString('hex')}`;
  // By copying its files: through the log, block by block, takes twice the time.
  const as = empty ? '' : `TEMPLATE ${template.pathname.slice(1)} STRATEGY FILE_COPY`;
  // Citus refers to tables of other servers by name and number: a clone on all servers at once is a working cluster.
  const servers = [template, ...(empty ? [] : await workerUrls()).map((worker) => new URL(worker))];
  for (const server of servers) await admin(server, `CREATE DATABASE ${name} ${as}`);
  const url = new URL(template);
  url.pathname = `/${name}`;
  const drop = async () => {
    for (const server of servers) await admin(server, `DROP DATABASE ${name} WITH (FORCE)`);
  };
  return { url: url.href, drop };
}

/** The template is in use, perhaps by autovacuum, which cannot be stopped. Both end soon. */
const BUSY = new Set(['55006', '42501']);

/** The types of pg lack these. */
type ReferencedClient = pg.Client & { ref(): void; unref(): void };

interface Administrator {
  readonly client: ReferencedClient;
  readonly connected: Promise<unknown>;
  /** Number of callers; without any, the connection does not keep the process running. */
  users: number;
}

/** A connection per server, kept because opening one takes longer than dozens of statements. */
const administrators = new Map<string, Administrator>();

/** Connects to another database, because the template must have no connections while it is cloned. */
function administratorOf(template: URL): Administrator {
  const url = new URL(template);
  url.pathname = '/postgres';
  const existing = administrators.get(url.href);
  if (existing !== undefined) return existing;
  const client = new pg.Client({ connectionString: url.href }) as ReferencedClient;
  const forget = () => administrators.delete(url.href);
  // If the server is being stopped, the statement reports it.
  client.on('error', forget);
  client.on('end', forget);
  const administrator = { client, connected: client.connect(), users: 0 };
  administrator.connected.catch(forget);
  administrators.set(url.href, administrator);
  return administrator;
}

async function admin(template: URL, statement: string): Promise<void> {
  const administrator = administratorOf(template);
  const { client } = administrator;
  administrator.users += 1;
  client.ref();
  try {
    await administrator.connected;
    for (let attempt = 1; ; attempt += 1) {
      try {
        await client.query(statement);
        return;
      } catch (error) {
        const busy = BUSY.has((error as { code?: string }).code ?? '');
        if (!busy || attempt === 20) throw error;
        await new Promise((resolve) => setTimeout(resolve, 100));
      }
    }
  } finally {
    administrator.users -= 1;
    if (administrator.users === 0) client.unref();
  }
}

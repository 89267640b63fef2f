import { existsSync } from 'node:fs';
import os from 'node:os';
import { parseArgs } from 'node:util';
import { readConfig, type Config } from './config.ts';
import { createCommandContainer, type Container } from './container.ts';
import { connectDatabase } from './db/connect.ts';
import {
  checkCitus,
  citusStatements,
  describeDistribution,
  distributeWithCitus,
  requireUndistributed,
  undistribute,
  undistributeStatements,
} from './db/distribution/citus.ts';
import { repartitionResponses, partitionStatements } from './db/distribution/partitions.ts';
import type { EmbeddedServer } from './db/embedded/embedded-server.ts';
import { changeSchema, knownMigrations, migrateDatabase, rollBackMigration } from './db/migrate.ts';
import { openServerForCommand } from './db/open-server.ts';
import { EMAIL_ADDRESS_EXPECTED, isEmailAddress } from './domain/access/users.ts';
import { normalizeAddress } from './lib/address-network.ts';
import { formatCount, mustBe, sizeAtLeast } from './lib/error-messages.ts';
import { AppError, StartError } from './lib/errors.ts';
import { requireValue } from './lib/require-value.ts';
import { repositoriesOn } from './repositories/repositories.ts';
import type { Schema } from './services/system/restore.ts';

const USAGE = `Usage: npm run cli -- COMMAND [options]

  create-admin --email ADDRESS --name NAME [--password PASSWORD] [--organization SLUG]
      Creates an administrator of an organization (default: the first one). Without --password, prints a generated one.
  create-superadmin --email ADDRESS --name NAME [--password PASSWORD] [--organization SLUG]
      Creates a user who administers every organization of the installation.
  create-organization --name NAME --slug SLUG --email ADDRESS [--user-name NAME] [--password PASSWORD]
      Creates an organization with its first administrator and an API key.
  create-key --email ADDRESS --name NAME
      Creates an API key of the user and prints it. The key is shown only once.
  requester --network ADDRESS | --user ID [--day 2026-11-28]
      Prints how the request log names the network or user on that day (UTC; default: today).
  release-address --email ADDRESS
      Removes all confirmations of an address, for a mailbox that has another owner now: users of other organizations can confirm it.
  migrate            Applies all missing migrations.
  rollback [--all]   Rolls the newest migration back and deletes its tables with their data; with --all, every migration.
  backup FILE        Writes a consistent backup of all data to one archive. The server can keep running.
  check              Compares counts, limits and references with the responses, and prints what differs. The server can keep running.
  restore FILE       Restores a backup into an empty installation. Stop the server first.
  distribute --partitions N [--dry-run]
      Splits the tables that grow with responses into N partitions by survey; 0 merges each into one table again.
      Requests to a running server wait until the command has finished.
  distribute --citus [--shards N] [--dry-run]
      Distributes the same tables over the servers of a Citus cluster.
  undistribute [--dry-run]
      Moves the tables from the servers of a Citus cluster back to the coordinator.
      --dry-run checks and prints the statements without running them.

All commands use the database of the server (DATABASE_URL or DATA_DIR), whether the server is running or not.
`;

const OPTIONS = {
  email: { type: 'string' },
  name: { type: 'string' },
  'user-name': { type: 'string' },
  password: { type: 'string' },
  organization: { type: 'string' },
  slug: { type: 'string' },
  all: { type: 'boolean' },
  partitions: { type: 'string' },
  citus: { type: 'boolean' },
  shards: { type: 'string' },
  network: { type: 'string' },
  user: { type: 'string' },
  day: { type: 'string' },
  'dry-run': { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const;

type Values = ReturnType<typeof parseArgs<{ options: typeof OPTIONS }>>['values'];

function requiredOption(values: Values, name: 'email' | 'name' | 'slug'): string {
  const value = values[name]?.trim();
  if (!value) throw new StartError(`--${name} is required\n\n${USAGE}`);
  return value;
}

function emailOption(values: Values): string {
  const email = requiredOption(values, 'email');
  if (!isEmailAddress(email)) throw new StartError(`--email "${email}" ${EMAIL_ADDRESS_EXPECTED}`);
  return email;
}

function passwordOption(values: Values): string | null {
  if (values.password === undefined) return null;
  if (values.password.length < 8) throw new StartError(`--password ${sizeAtLeast(8, 'character')}`);
  return values.password;
}

async function createAdministrator(
  { services: { setup } }: Container,
  values: Values,
  role: 'admin' | 'superadmin',
): Promise<string> {
  const organizationId = await setup.organizationId(values.organization ?? null);
  const email = emailOption(values);
  const password = passwordOption(values);
  const userName = requiredOption(values, 'name');
  const created = await setup.createUser({ organizationId, email, userName, role, password });
  const who = role === 'admin' ? 'Administrator' : 'Superadmin';
  return `${who} ${email} created.${password === null ? `\nPassword  ${created.password}` : ''}`;
}

function integerOption(values: Values, name: 'partitions' | 'shards'): number | null {
  const text = values[name];
  if (text === undefined) return null;
  if (!/^\d{1,6}$/.test(text)) throw new StartError(`--${name} ${mustBe('a whole number', text)}`);
  return Number(text);
}

function nameRequester(
  { requesterLabels, clock }: Container,
  { network, user, day = clock.now().toISOString().slice(0, 10) }: Values,
): Promise<string> {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(day))
    throw new StartError(`--day ${mustBe('a date such as 2026-11-28', day)}`);
  if (network !== undefined && user === undefined) {
    if (normalizeAddress(network) === null)
      throw new StartError(`--network ${mustBe('an IP address', network)}`);
    return Promise.resolve(requesterLabels.network(network, day));
  }
  if (user === undefined || network !== undefined)
    throw new StartError(`requester takes either --network or --user\n\n${USAGE}`);
  if (!/^\d{1,15}$/.test(user)) throw new StartError(`--user ${mustBe('the id of a user', user)}`);
  return Promise.resolve(requesterLabels.user(Number(user), day));
}

/** Returns a script for psql. */
const toSqlScript = (statements: readonly string[]): string =>
  ['BEGIN', ...statements, 'COMMIT'].map((statement) => `${statement};`).join('\n');

type Command = (container: Container, values: Values, file: string) => Promise<string>;

const COMMANDS: Record<string, Command> = {
  requester: nameRequester,
  'create-admin': (container, values) => createAdministrator(container, values, 'admin'),
  'create-superadmin': (container, values) => createAdministrator(container, values, 'superadmin'),
  async 'create-organization'({ services: { setup } }, values) {
    const created = await setup.createOrganization({
      name: requiredOption(values, 'name'),
      slug: requiredOption(values, 'slug'),
      userName: values['user-name'] ?? 'Administrator',
      email: emailOption(values),
      password: passwordOption(values),
      apiKey: 'generate',
    });
    return `Organization created.\nEmail     ${created.email}\nPassword  ${created.password}\nAPI key   ${created.apiKey}`;
  },
  async 'create-key'({ services: { setup, apiKeys } }, values) {
    const user = await setup.userByEmail(requiredOption(values, 'email'));
    const owner = { organizationId: user.organization_id, userId: user.user_id };
    return `API key   ${(await apiKeys.create(owner, requiredOption(values, 'name'))).key}`;
  },
  async 'release-address'({ services: { emailConfirmation } }, values) {
    const email = requiredOption(values, 'email');
    const count = await emailConfirmation.release(email);
    if (count === 0) throw new StartError(`No user has confirmed the address "${email}".`);
    return `The address ${email} of ${formatCount(count, 'user')} is no longer confirmed.`;
  },
  async migrate({ db }) {
    const applied = await migrateDatabase(db);
    return applied.length === 0 ? 'The schema is up to date.' : `Applied: ${applied.join(', ')}`;
  },
  async rollback({ db }, values) {
    const rolledBack = await rollBackMigration(db, values.all === true);
    return rolledBack.length === 0 ? 'No migration was applied.' : `Rolled back: ${rolledBack.join(', ')}`;
  },
  async distribute({ db }, values) {
    const isDryRun = values['dry-run'] === true;
    if ((values.partitions === undefined) === (values.citus !== true))
      throw new StartError(`distribute takes either --partitions or --citus\n\n${USAGE}`);
    if (values.citus === true) {
      const shards = integerOption(values, 'shards') ?? 32;
      if (isDryRun) {
        await checkCitus(db);
        console.error(await describeDistribution(db, shards));
        return toSqlScript(await citusStatements(db, shards));
      }
      await distributeWithCitus(db, shards, (statement) => console.error(`  ${statement}`));
      return `The response tables are distributed over the cluster in ${shards} shards. Restart every server process, and run ANALYZE when the load is low.`;
    }
    const partitions = requireValue(integerOption(values, 'partitions'), '--partitions');
    await requireUndistributed(db, 'The tables cannot be partitioned');
    if (isDryRun) return toSqlScript(await partitionStatements(db, partitions));
    await repartitionResponses(db, partitions, { onTable: printProgress });
    return partitions === 0
      ? 'Each response table is one table again.'
      : `Each response table has ${partitions} partitions.`;
  },
  async undistribute({ db }, values) {
    if (values['dry-run'] === true) return toSqlScript(await undistributeStatements(db));
    await undistribute(db, (statement) => console.error(`  ${statement}`));
    return 'The response tables are on the coordinator again. Restart every server process.';
  },
  async backup({ services: { backups } }, _values, file) {
    const created = await backups.write(file, printProgress);
    if (created === null) throw new StartError('Another backup of this database is running');
    return `Everything as of ${created.taken_at} is in ${file}. Protect it like the database: it contains personal data.`;
  },
  async check({ services: { consistency } }) {
    const { surveys, problems } = await consistency.check();
    if (problems.length > 0)
      throw new StartError([`${formatCount(problems.length, 'problem')} found:`, ...problems].join('\n  '));
    return `${formatCount(surveys, 'survey')} checked: everything agrees.`;
  },
  async restore({ db, services: { restoring } }, _values, file) {
    const schema: Schema = {
      known: await knownMigrations(),
      change: (work) => changeSchema(db, (trx, changes) => work(repositoriesOn(trx), changes)),
    };
    const created = await restoring.restore(file, schema, printProgress);
    return `Restored: everything as of ${created.taken_at}. If JWT_SECRET has changed, users must sign in again.`;
  },
};

/** Commands that do not migrate the database first. */
const WITHOUT_MIGRATION = new Set(['migrate', 'rollback', 'backup', 'restore']);
const WITH_FILE = new Set(['backup', 'restore']);

/** Prints progress to standard error; the result of a command goes to standard output. */
const printProgress = (part: string, howMuch: string): void =>
  console.error(`  ${part.padEnd(28)} ${howMuch}`);

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({ options: OPTIONS, allowPositionals: true });
  if (values.help === true) return console.log(USAGE);
  const [name, ...rest] = positionals;
  const [file = ''] = rest;
  if (name === undefined || rest.length !== (WITH_FILE.has(name) ? 1 : 0)) throw new StartError(USAGE);
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (command === undefined) throw new StartError(USAGE);
  if (existsSync('.env')) process.loadEnvFile('.env');
  const config = readConfig(process.env);
  console.log(
    await runOnDatabase(config, !WITHOUT_MIGRATION.has(name), (container) =>
      command(container, values, file),
    ),
  );
}

async function runOnDatabase(
  config: Config,
  migrateFirst: boolean,
  work: (container: Container) => Promise<string>,
): Promise<string> {
  const opening = openServerForCommand(config);
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.once(signal, () => void stopOnSignal(signal, opening));
  const server = await opening;
  const db = connectDatabase(server.url, 2);
  try {
    if (migrateFirst) await migrateDatabase(db);
    const container = createCommandContainer(config, db);
    container.heartbeat.start();
    try {
      return await work(container);
    } finally {
      container.heartbeat.stop();
    }
  } finally {
    await db.destroy();
    await server.stop();
  }
}

/** PostgreSQL rolls back what was not committed. */
async function stopOnSignal(signal: NodeJS.Signals, opening: Promise<EmbeddedServer>): Promise<never> {
  console.error(`\nStopped by ${signal}`);
  // A server that fails to start ends without a stop and reports the reason.
  await opening.then((server) => server.stop()).catch(() => undefined);
  process.exit(128 + os.constants.signals[signal]);
}

main().catch((error: unknown) => {
  const hasPlainMessage =
    error instanceof StartError ||
    error instanceof AppError ||
    (error as { code?: string }).code?.startsWith('ERR_PARSE_ARGS');
  console.error(hasPlainMessage ? (error as Error).message : error);
  process.exitCode = 1;
});

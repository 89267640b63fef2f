import { existsSync } from 'node:fs';
import os from 'node:os';
import { parseArgs } from 'node:util';
import { readConfig, type Config } from './config.ts';
import { createCommandContainer, type Container } from './container.ts';
import { connect } from './db/connect.ts';
import { citusStatements, distributeWithCitus } from './db/distribution/citus.ts';
import { repartition, partitionStatements } from './db/distribution/partitions.ts';
import type { EmbeddedServer } from './db/embedded/embedded-server.ts';
import { changeSchema, knownMigrations, migrate, rollback, upgradeDatabase } from './db/migrate.ts';
import { openServerForCommand } from './db/open-server.ts';
import { EMAIL_ADDRESS_EXPECTED, isEmailAddress } from './domain/access/email-address.ts';
import { AppError, StartError } from './lib/errors.ts';
import { repositoriesOn } from './repositories/repositories.ts';
import type { Schema } from './services/system/backup/restore.ts';

const USAGE = `Usage: npm run cli -- COMMAND [options]

  create-admin --email ADDRESS --name NAME [--password PASSWORD] [--organization SLUG]
      An administrator of an organization (default: the first one). Without --password one is made and printed.
  create-superadmin --email ADDRESS --name NAME [--password PASSWORD] [--organization SLUG]
      Somebody who administers every organization of the installation.
  create-organization --name NAME --slug SLUG --email ADDRESS [--user-name NAME] [--password PASSWORD]
      An organization with its first administrator and an API key.
  create-key --email ADDRESS --name NAME
      An API key of that user, printed once.
  migrate            Brings the schema up to date.
  rollback [--all]   Takes the newest migration back, with the data of what it made. With --all everything.
  backup FILE        Writes everything, as it is at this moment, into one archive; the server may be running.
  restore FILE       Fills an empty installation from such an archive; the server must not be running yet.
  upgrade-database FILE
      Moves a database of version 0.1.0 to this version, after writing a backup to FILE. Stop the server first.
  distribute --partitions N [--dry-run]
      Puts the tables that grow with responses into N partitions by survey, or with 0 back into one table each. The server waits meanwhile.
  distribute --citus [--shards N] [--dry-run]
      Spreads them over the servers of a Citus cluster. With --dry-run the statements are printed, and nothing is done.

It works on the database that the server uses (DATABASE_URL, or DATA_DIR), whether the server is running or not.
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
  'dry-run': { type: 'boolean' },
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
  if (values.password.length < 8) throw new StartError('--password must have at least 8 characters');
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
  if (!/^\d{1,6}$/.test(text)) throw new StartError(`--${name} "${text}" must be a whole number`);
  return Number(text);
}

/** As a script that psql can run. */
const toSqlScript = (statements: readonly string[]): string =>
  ['BEGIN', ...statements, 'COMMIT'].map((statement) => `${statement};`).join('\n');

type Command = (container: Container, values: Values, file: string) => Promise<string>;

const COMMANDS: Record<string, Command> = {
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
    return `Organization created.\nE-mail    ${created.email}\nPassword  ${created.password}\nAPI key   ${created.apiKey}`;
  },
  async 'create-key'({ services: { setup, apiKeys } }, values) {
    const user = await setup.userByEmail(requiredOption(values, 'email'));
    const owner = { organizationId: user.organization_id, userId: user.user_id };
    return `API key   ${(await apiKeys.create(owner, requiredOption(values, 'name'))).key}`;
  },
  async migrate({ db }) {
    const applied = await migrate(db);
    return applied.length === 0 ? 'The schema is up to date.' : `Applied: ${applied.join(', ')}`;
  },
  async rollback({ db }, values) {
    const rolledBack = await rollback(db, values.all === true);
    return rolledBack.length === 0
      ? 'There was nothing to take back.'
      : `Taken back: ${rolledBack.join(', ')}`;
  },
  async distribute({ db }, values) {
    const isDryRun = values['dry-run'] === true;
    if ((values.partitions === undefined) === (values.citus !== true))
      throw new StartError(`distribute takes either --partitions or --citus\n\n${USAGE}`);
    if (values.citus === true) {
      const shards = integerOption(values, 'shards') ?? 32;
      if (isDryRun) return toSqlScript(await citusStatements(db, shards));
      await distributeWithCitus(db, shards, (statement) => console.error(`  ${statement}`));
      return `Responses are spread over the cluster, in ${shards} shards. Run ANALYZE when it is quiet.`;
    }
    const partitions = integerOption(values, 'partitions')!;
    if (isDryRun) return toSqlScript(await partitionStatements(db, partitions));
    await repartition(db, partitions, printProgress);
    return partitions === 0
      ? 'Responses are in one table again.'
      : `Responses are in ${partitions} partitions.`;
  },
  async backup({ services: { backups } }, _values, file) {
    const created = await backups.write(file, printProgress);
    if (created === null) throw new StartError('Another backup of this database is being made');
    return `Everything as of ${created.taken_at} is in ${file}. Keep it as safe as the database: what people answered is in it.`;
  },
  async 'upgrade-database'({ db, services: { backups } }, _values, file) {
    const isUpgraded = await upgradeDatabase(db, async () => {
      if (existsSync(file)) throw new StartError(`${file} exists already: name a new file for the backup`);
      if ((await backups.write(file, printProgress)) === null)
        throw new StartError('Another backup of this database is being made: try again when it is finished');
    });
    if (!isUpgraded)
      return 'Nothing to upgrade: the database is not of version 0.1.0. No backup was written.';
    const applied = await migrate(db);
    return `The database is upgraded${applied.length === 0 ? '' : ` (${applied.join(', ')})`}. The backup from before is in ${file}.`;
  },
  async restore({ db, services: { restoring } }, _values, file) {
    const schema: Schema = {
      known: await knownMigrations(),
      change: (work) =>
        changeSchema(db, (trx, { recreateUpTo, migrateToLatest }) =>
          work(repositoriesOn(trx), {
            remake: (names) => recreateUpTo(names.at(-1)!),
            complete: migrateToLatest,
          }),
        ),
    };
    const created = await restoring.restore(file, schema, printProgress);
    return `Restored: everything as of ${created.taken_at}. With another JWT_SECRET than before, people must sign in again.`;
  },
};

/** These work on the schema itself, as it is. */
const WITHOUT_MIGRATION = new Set(['migrate', 'rollback', 'backup', 'restore', 'upgrade-database']);
const WITH_FILE = new Set(['backup', 'restore', 'upgrade-database']);

/** How far it is, beside what the command says in the end. */
const printProgress = (part: string, howMuch: string): void =>
  console.error(`  ${part.padEnd(28)} ${howMuch}`);

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({ options: OPTIONS, allowPositionals: true });
  const [name, ...rest] = positionals;
  const [file = ''] = rest;
  const command = name === undefined || !Object.hasOwn(COMMANDS, name) ? undefined : COMMANDS[name];
  if (command === undefined || rest.length !== (WITH_FILE.has(name!) ? 1 : 0)) throw new StartError(USAGE);
  if (existsSync('.env')) process.loadEnvFile('.env');
  const config = readConfig(process.env);
  console.log(
    await runOnDatabase(config, !WITHOUT_MIGRATION.has(name!), (container) =>
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
  const db = connect(server.url, 2);
  try {
    if (migrateFirst) await migrate(db);
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
  // A server that does not start ends by itself, and says why.
  await opening.then((server) => server.stop()).catch(() => undefined);
  process.exit(128 + os.constants.signals[signal]);
}

main().catch((error: unknown) => {
  const understood =
    error instanceof StartError ||
    error instanceof AppError ||
    (error as { code?: string }).code?.startsWith('ERR_PARSE_ARGS');
  console.error(understood ? (error as Error).message : error);
  process.exitCode = 1;
});

import { chownSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { type DatabaseAccount, runsAsRoot, unprivilegedAccount } from '../../src/db/embedded/run-program.ts';
import { DebianServer, hasPostgres, initServer, runAs } from './debian-server.ts';
import { program } from './external-programs.ts';
import { freePort } from './free-port.ts';
import { temporaryFolder } from './temporary-folder.ts';

export const POSTGRES = program('PostgreSQL with pg_basebackup', () => hasPostgres);

const SETTINGS = {
  wal_level: 'replica',
  hot_standby: 'on',
  // Without autovacuum: tests decide which changes a replica must replay.
  autovacuum: 'off',
  max_standby_streaming_delay: '0',
  log_statement: 'all',
};

/** A primary with an empty database `canvass` of a role that is no superuser, and servers that follow it, or another one. */
export class StreamingServers {
  readonly primary: DebianServer;
  private readonly all: DebianServer[] = [];
  private readonly base: ReturnType<typeof temporaryFolder>;
  private readonly account: DatabaseAccount | null;

  private constructor(
    base: ReturnType<typeof temporaryFolder>,
    account: DatabaseAccount | null,
    primary: DebianServer,
  ) {
    this.base = base;
    this.account = account;
    this.primary = primary;
    this.all.push(primary);
  }

  static async start(): Promise<StreamingServers> {
    const account = runsAsRoot() ? await unprivilegedAccount() : null;
    const base = temporaryFolder('replica');
    if (account !== null) chownSync(base.folder, account.uid, account.gid);
    const primary = await initServer(base.folder, 'primary', account, SETTINGS);
    await primary.run();
    await primary.query('CREATE ROLE canvass LOGIN');
    await primary.query('CREATE DATABASE canvass OWNER canvass');
    return new StreamingServers(base, account, primary);
  }

  /** A standby server of the primary as it is now, which streams what comes. */
  async replica(name: string): Promise<DebianServer> {
    const folder = path.join(this.base.folder, name);
    const from = `host=127.0.0.1 port=${this.primary.port} user=postgres`;
    runAs(this.account, 'pg_basebackup', [
      '-D',
      folder,
      '-d',
      from,
      '-R',
      '-c',
      'fast',
      '-X',
      'stream',
      '--no-sync',
    ]);
    return this.startServer(new DebianServer(folder, this.account, await freePort(), SETTINGS));
  }

  /** A standby server that has nothing to do with the primary. */
  async unrelatedStandby(name: string): Promise<DebianServer> {
    const server = await initServer(this.base.folder, name, this.account, SETTINGS);
    const signal = path.join(this.base.folder, name, 'standby.signal');
    writeFileSync(signal, '');
    if (this.account !== null) chownSync(signal, this.account.uid, this.account.gid);
    return this.startServer(server);
  }

  async stop(): Promise<void> {
    for (const server of this.all.reverse()) await server.kill();
    this.base.remove();
  }

  private async startServer(server: DebianServer): Promise<DebianServer> {
    this.all.push(server);
    await server.run();
    return server;
  }
}

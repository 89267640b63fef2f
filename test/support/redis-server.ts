import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from './free-port.ts';
import { program } from './external-programs.ts';

export const REDIS = program('redis-server', () => spawnSync('redis-server', ['--version']).status === 0);

/** A Redis server on loopback, without persistence, that can be stopped and restarted on the same port. */
export class RedisServer {
  readonly port: number;
  private process: ChildProcess | null = null;

  private constructor(port: number) {
    this.port = port;
  }

  static async start(): Promise<RedisServer> {
    const server = new RedisServer(await freePort());
    await server.run();
    return server;
  }

  get url(): string {
    return `redis://127.0.0.1:${this.port}`;
  }

  async run(): Promise<void> {
    const settings = ['--port', String(this.port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'];
    this.process = spawn('redis-server', settings, { stdio: 'ignore' });
    for (let attempt = 0; !(await answers(this.port)); attempt += 1) {
      if (attempt === 200) throw new Error('redis-server does not listen');
      await sleep(25);
    }
  }

  async stop(): Promise<void> {
    const { process } = this;
    if (process === null) return;
    this.process = null;
    const ended = once(process, 'exit');
    process.kill('SIGKILL');
    await ended;
  }
}

const answers = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });

import { setTimeout as sleep } from 'node:timers/promises';
import { printedValue, type ServerProcess, startServer } from '../../test/support/server-process.ts';

/** A separate process of the server that can be killed and restarted. */
export class ApiProcess {
  private readonly environment: Record<string, string>;
  private readonly args: readonly string[];
  private readonly limit: string | null;
  private server: ServerProcess;
  private readonly previousServers: ServerProcess[] = [];
  private isStopping = false;
  private address = '';

  /** `limit`: options of the shell's `ulimit`, such as `-n 64`. */
  constructor(environment: Record<string, string>, args: readonly string[], limit: string | null = null) {
    this.environment = environment;
    this.args = args;
    this.limit = limit;
    this.server = startServer(environment, args, undefined, limit);
  }

  /** Changes with a restart. */
  get url(): string {
    return this.address;
  }

  get pid(): number {
    return this.server.process.pid!;
  }

  async started(): Promise<this> {
    const code = await this.server.started();
    if (code !== null) throw new Error(`The server ended with ${code}: ${this.server.logged()}`);
    this.address = printedValue(this.server.printed(), 'Canvass listens on');
    return this;
  }

  async kill(): Promise<void> {
    this.isStopping = true;
    this.server.process.kill('SIGKILL');
    await this.server.ended();
  }

  async restart(): Promise<void> {
    this.previousServers.push(this.server);
    this.isStopping = false;
    this.server = startServer(this.environment, this.args, undefined, this.limit);
    await this.started();
  }

  /** Asks the process to stop. Returns null if it did not stop and was killed. */
  async stop(withinMs: number): Promise<{ code: number | null; milliseconds: number }> {
    const began = performance.now();
    this.isStopping = true;
    const { process } = this.server;
    if (process.exitCode === null && process.signalCode === null) process.kill('SIGTERM');
    const timer = new AbortController();
    const late = sleep(withinMs, undefined, { signal: timer.signal }).then(
      () => process.kill('SIGKILL'),
      () => undefined,
    );
    const code = await this.server.ended();
    timer.abort();
    await late;
    return { code, milliseconds: performance.now() - began };
  }

  /** Returns forbidden log lines and unexpected ends of the process. */
  describeUnexpectedLogs(): string[] {
    const { exitCode, signalCode } = this.server.process;
    const ended = exitCode !== null || signalCode !== null;
    return [
      ...(ended && !this.isStopping
        ? [`process ${this.pid} ended by itself (${exitCode ?? signalCode}): ${tail(this.server.logged())}`]
        : []),
      ...[...this.previousServers, this.server].flatMap((server) =>
        server
          .logged()
          .split('\n')
          .filter((line) => /unhandled|uncaught|TypeError|RangeError|ReferenceError/i.test(line))
          .slice(0, 3)
          .map((line) => `in the log: ${line.slice(0, 1_500)}`),
      ),
    ];
  }

  logged(): string {
    return this.server.logged();
  }
}

const tail = (text: string): string => text.slice(-2_000);

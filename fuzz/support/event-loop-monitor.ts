import { existsSync, readFileSync } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';

/** How the process under test bears up. */
export interface LoopMeasurement {
  /** The longest stall since the previous call, in milliseconds. */
  stalledMs(): Promise<number>;
  /** Of the whole run. */
  overall(): Promise<Overall>;
}

export interface Overall {
  delayMaxMs: number;
  delayP99Ms: number;
  memoryBytes: number;
  memoryMostBytes: number;
}

const SAMPLE_MS = 50;
/** How often the loop turns to measure how long it was busy. */
const TURN_MS = 2;
/** Linux: the nanoseconds that the main thread has run on a processor. */
const THREAD_TIME = `/proc/self/task/${process.pid}/schedstat`;

/** Some systems have the file, but always 0 in it. */
const hasThreadTime = (): boolean =>
  existsSync(THREAD_TIME) && !readFileSync(THREAD_TIME, 'latin1').startsWith('0 ');

/**
 * The longest time that the main thread was busy between two turns of the loop, by the processor's clock: other processes of a loaded machine
 * do not count.
 */
class BusyTime {
  private longestMs = 0;
  private readonly timer: NodeJS.Timeout;

  constructor() {
    let last = BusyTime.read();
    this.timer = setInterval(() => {
      const now = BusyTime.read();
      this.longestMs = Math.max(this.longestMs, now - last);
      last = now;
    }, TURN_MS);
    this.timer.unref();
  }

  /** Of the main thread of this process, in milliseconds. */
  private static read(): number {
    return Number(readFileSync(THREAD_TIME, 'latin1').split(' ', 1)[0]) / 1e6;
  }

  take(): number {
    const { longestMs } = this;
    this.longestMs = 0;
    return longestMs;
  }

  end(): void {
    clearInterval(this.timer);
  }
}

/** The loop of this process. `byProcessorTime`: blocks are measured on the main thread, where the system tells its time. */
export class EventLoopMonitor implements LoopMeasurement {
  private readonly short = monitorEventLoopDelay({ resolution: 2 });
  private readonly whole = monitorEventLoopDelay({ resolution: 2 });
  private readonly sampling: NodeJS.Timeout;
  private most = 0;

  private readonly busy: BusyTime | null;

  constructor({ byProcessorTime = false }: { byProcessorTime?: boolean } = {}) {
    this.busy = byProcessorTime && hasThreadTime() ? new BusyTime() : null;
    this.short.enable();
    this.whole.enable();
    this.sampling = setInterval(
      () => (this.most = Math.max(this.most, process.memoryUsage.rss())),
      SAMPLE_MS,
    );
    this.sampling.unref();
  }

  stalledMs(): Promise<number> {
    const { max } = this.short;
    this.short.reset();
    return Promise.resolve(this.busy?.take() ?? max / 1e6);
  }

  overall(): Promise<Overall> {
    const memoryBytes = process.memoryUsage.rss();
    return Promise.resolve({
      delayMaxMs: this.whole.max / 1e6,
      delayP99Ms: this.whole.percentile(99) / 1e6,
      memoryBytes,
      memoryMostBytes: Math.max(this.most, memoryBytes),
    });
  }

  end(): void {
    clearInterval(this.sampling);
    this.busy?.end();
    this.short.disable();
    this.whole.disable();
  }
}

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

/** The loop of this process. */
export class EventLoopMonitor implements LoopMeasurement {
  private readonly short = monitorEventLoopDelay({ resolution: 2 });
  private readonly whole = monitorEventLoopDelay({ resolution: 2 });
  private readonly sampling: NodeJS.Timeout;
  private most = 0;

  constructor() {
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
    return Promise.resolve(max / 1e6);
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
    this.short.disable();
    this.whole.disable();
  }
}

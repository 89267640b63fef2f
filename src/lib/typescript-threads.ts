import { Worker } from 'node:worker_threads';

/** Threads that run a file of ours, some of them waiting for more to do: to start one takes half a second and more. */
export class TypescriptThreads {
  private readonly entry: URL;
  private readonly maxHeapMb: number;
  private readonly idleMs: number;
  private readonly idle = new Map<Worker, NodeJS.Timeout>();

  /** `idleMs`: so long one waits. */
  constructor(entry: URL, limits: { maxHeapMb: number; idleMs: number }) {
    this.entry = entry;
    this.maxHeapMb = limits.maxHeapMb;
    this.idleMs = limits.idleMs;
  }

  /** Nobody else has it until it is kept, or terminated. */
  take(): Worker {
    const [known] = this.idle.keys();
    if (known === undefined) {
      const made = this.start();
      return made.once('exit', () => this.idle.delete(made));
    }
    clearTimeout(this.idle.get(known));
    this.idle.delete(known);
    known.ref();
    return known;
  }

  keep(worker: Worker): void {
    const end = () => void worker.terminate();
    this.idle.set(worker, setTimeout(end, this.idleMs).unref());
    // It keeps no process from ending.
    worker.unref();
  }

  /** Threads do not inherit how this process reads TypeScript. */
  private start(): Worker {
    const [loader, entry] = [import.meta.resolve('tsx/esm/api'), this.entry].map((url) =>
      JSON.stringify(String(url)),
    );
    const code = `import(${loader}).then(({ register }) => { register(); return import(${entry}); });`;
    const worker = new Worker(code, {
      eval: true,
      resourceLimits: { maxOldGenerationSizeMb: this.maxHeapMb },
    });
    // Whoever listens has gone by the time that it is made to end; nobody else minds.
    return worker.on('error', () => undefined);
  }
}

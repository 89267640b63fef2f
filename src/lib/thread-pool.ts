import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { Worker, type WorkerOptions } from 'node:worker_threads';
import { anySignal } from './concurrency.ts';

/**
 * `dist/`, seen from the build and from the sources. Where sources run, threads run the last build too: each would load the TypeScript
 * loader and compile its modules first, which takes seconds.
 */
const BUILD_FOLDERS = [new URL('../../', import.meta.url), new URL('../../dist/', import.meta.url)];

/** Throws if nothing was built. */
function findBuiltModule(name: string): URL {
  const module = BUILD_FOLDERS.map((folder) => new URL(`${name}.js`, folder)).find(existsSync);
  if (module === undefined) throw new Error(`dist/${name}.js is missing: run "npm run build"`);
  return module;
}

/** Worker threads that run one module. Idle threads are kept for reuse, because starting one takes up to half a second. */
export class ThreadPool {
  private readonly maxHeapMb: number;
  private readonly idleMs: number;
  private readonly idle = new Map<Worker, NodeJS.Timeout>();

  /** `name`: of the module, `scan-thread`; the build finds `*-thread.ts`. `maxHeapMb`: a thread that needs more ends with ERR_WORKER_OUT_OF_MEMORY. `idleMs`: how long an idle thread is kept. */
  constructor(
    private readonly name: string,
    limits: { maxHeapMb: number; idleMs: number },
  ) {
    this.maxHeapMb = limits.maxHeapMb;
    this.idleMs = limits.idleMs;
  }

  /**
   * Sends one request to a thread and resolves with its first message. Rejects with what the thread threw, or with the signal's
   * reason; the thread is terminated then.
   */
  async request<Reply>(request: unknown, signal: AbortSignal): Promise<Reply> {
    const worker = this.reserve();
    const ended = new AbortController();
    const end = (code: number) =>
      ended.abort(new Error(`The thread ended with code ${code} before it replied`));
    worker.once('exit', end);
    const { signal: stop, dispose } = anySignal(signal, ended.signal);
    let isReusable = false;
    try {
      const reply = once(worker, 'message', { signal: stop });
      worker.postMessage(request);
      const [message] = (await reply) as [Reply];
      isReusable = true;
      return message;
    } catch (error) {
      throw stop.aborted ? stop.reason : error;
    } finally {
      dispose();
      worker.off('exit', end);
      if (isReusable) this.release(worker);
      else await worker.terminate();
    }
  }

  /** Reserves a thread for the caller until `release` or its termination. */
  reserve(): Worker {
    const [worker] = this.idle.keys();
    if (worker === undefined) {
      const started = this.start();
      return started.once('exit', () => this.idle.delete(started));
    }
    clearTimeout(this.idle.get(worker));
    this.idle.delete(worker);
    worker.ref();
    return worker;
  }

  release(worker: Worker): void {
    const end = () => void worker.terminate();
    this.idle.set(worker, setTimeout(end, this.idleMs).unref());
    // An idle thread does not keep the process running.
    worker.unref();
  }

  private start(): Worker {
    const limits: WorkerOptions = { resourceLimits: { maxOldGenerationSizeMb: this.maxHeapMb } };
    const worker = new Worker(findBuiltModule(this.name), limits);
    // Errors are handled where a reply is awaited; without a listener an error of an idle thread would end the process.
    return worker.on('error', () => undefined);
  }
}

import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { SurveyScope } from '../../../domain/access/scopes.ts';
import type { HeldCredits } from '../../../domain/credits/held-credits.ts';
import type { TokenUsage } from '../../../domain/credits/prices.ts';
import { unavailable } from '../../../lib/errors.ts';
import type { Store } from '../../../repositories/store.ts';
import { type CreditService, UnderWay, type Worker } from '../../billing/credits.ts';
import type { AnalysisOperation } from './text-analyzer.ts';

/** Changes when what is kept would be made differently: a new version of instructions or of a method. */
const METHOD_VERSION = 1;
const POLL_INTERVAL_MS = 200;
const MAX_WAIT_MS = 10 * 60_000;

/** An operation on a survey by somebody. */
export interface AnalysisRun {
  scope: SurveyScope;
  operation: AnalysisOperation;
  worker: Worker;
  /** Everything else that the result depends on, besides what is read. */
  options: unknown;
  signal: AbortSignal;
  /** Share of the texts that are read, 0 to 1. */
  onProgress?: (fraction: number) => void;
}

/** What came of it; of what was kept, nothing was used. */
export interface BilledResult<T> {
  result: T;
  usage: TokenUsage;
  creditsUsed: number;
  creditsRemaining: number;
}

/** Reading each text for itself. */
export interface PerTextWork<T> {
  limits: { texts: number; characters: number; parallel: number };
  maxTokens(texts: readonly string[]): number;
  /** Parallel to the texts. */
  analyze(held: HeldCredits, texts: readonly string[]): Promise<readonly T[]>;
  /** False: whoever reads had nothing to say of it; it is told, but read again when it is asked for again. */
  isCacheable(result: T): boolean;
}

/** It is there by now: nothing has to be done, nor paid. */
class CachedMeanwhileError extends Error {}

interface CachedTexts {
  /** Each text once. */
  keyOf: ReadonlyMap<string, string>;
  /** Results by key; what is read is put in. */
  found: Map<string, unknown>;
  missing: readonly string[];
}

/**
 * Work on a survey's texts and figures that is paid once: what is known is taken from what was kept, only the rest is worked on, and who
 * asks for the same meanwhile waits for it, in whichever process.
 */
export class AnalysisRuns {
  private readonly store: Store;
  private readonly credits: CreditService;

  constructor(store: Store, credits: CreditService) {
    this.store = store;
    this.credits = credits;
  }

  /** Work that looks at everything together. What it gives must be as it was after JSON. */
  async runOnAll<T>(
    run: AnalysisRun,
    input: unknown,
    mostTokens: number,
    work: (held: HeldCredits) => Promise<T>,
  ): Promise<BilledResult<T>> {
    const key = computeCacheKey(run, 'whole', JSON.stringify(input));
    return this.runOnce(
      run,
      () => this.findCachedResult<T>(run, key),
      () => this.runBilled(run, key, mostTokens, work),
    );
  }

  /** Work that reads each text for itself, in pieces, some at once; gives a result for each text. */
  async runPerText<T>(
    run: AnalysisRun,
    texts: readonly string[],
    reading: PerTextWork<T>,
  ): Promise<BilledResult<T[]>> {
    const key = computeCacheKey(run, 'each', JSON.stringify(texts));
    return this.runOnce(
      run,
      () => this.findCachedResult<T[]>(run, key),
      async () => {
        const kept = await this.lookUpTexts(run, texts);
        if (kept.missing.length > 0) {
          const mostTokens = reading.maxTokens(kept.missing);
          return this.runBilled(
            run,
            key,
            mostTokens,
            (held) => this.analyzeMissing(held, run, texts, kept, reading),
            (results) => results.every((result) => reading.isCacheable(result)),
          );
        }
        const results = await this.analyzeMissing(null, run, texts, kept, reading);
        await this.cacheResult(run, key, results);
        return this.withoutCharge(run, results);
      },
    );
  }

  /** A step of other work, paid by what that holds, that looks at everything together. */
  async runStepOnAll<T>(run: AnalysisRun, input: unknown, work: () => Promise<T>): Promise<T> {
    const known = await this.findCached<T>(run, input);
    if (known !== undefined) return known;
    const result = await work();
    await this.cacheResult(run, computeCacheKey(run, 'whole', JSON.stringify(input)), result);
    return result;
  }

  /** A step of other work, paid by what that holds, that reads each text for itself. */
  async runStepPerText<T>(
    held: HeldCredits,
    run: AnalysisRun,
    texts: readonly string[],
    reading: PerTextWork<T>,
  ): Promise<T[]> {
    return this.analyzeMissing(held, run, texts, await this.lookUpTexts(run, texts), reading);
  }

  /** What was kept of work that looks at everything together. */
  async findCached<T>(run: AnalysisRun, input: unknown): Promise<T | undefined> {
    const key = computeCacheKey(run, 'whole', JSON.stringify(input));
    const kept = await this.store.read.analysisResults.findByKeys(run.scope.surveyId, [key]);
    return kept.get(key) as T | undefined;
  }

  /** Those of the texts, each once, that were never read for themselves. */
  async listUncached(run: AnalysisRun, texts: readonly string[]): Promise<readonly string[]> {
    if ((await this.findCachedResult(run, computeCacheKey(run, 'each', JSON.stringify(texts)))) !== null)
      return [];
    return (await this.lookUpTexts(run, texts)).missing;
  }

  /** Where there was nothing to work on. */
  async withoutCharge<T>({ scope }: AnalysisRun, result: T): Promise<BilledResult<T>> {
    const creditsRemaining = await this.credits.balance(scope.organizationId);
    return { result, usage: { input_tokens: 0, output_tokens: 0 }, creditsUsed: 0, creditsRemaining };
  }

  private async lookUpTexts(run: AnalysisRun, texts: readonly string[]): Promise<CachedTexts> {
    const keyOf = new Map([...new Set(texts)].map((text) => [text, computeCacheKey(run, 'text', text)]));
    const found = await this.store.read.analysisResults.findByKeys(run.scope.surveyId, [...keyOf.values()]);
    const missing = [...keyOf].filter(([, key]) => !found.has(key)).map(([text]) => text);
    return { keyOf, found, missing };
  }

  /** `held` null: nothing is missing. */
  private async analyzeMissing<T>(
    held: HeldCredits | null,
    run: AnalysisRun,
    texts: readonly string[],
    { keyOf, found, missing }: CachedTexts,
    reading: PerTextWork<T>,
  ): Promise<T[]> {
    let done = keyOf.size - missing.length;
    await forEachConcurrently(
      splitIntoBatches(missing, reading.limits),
      reading.limits.parallel,
      async (piece) => {
        run.signal.throwIfAborted();
        const read = await reading.analyze(held!, piece);
        const results = piece.map((text, index) => ({ key: keyOf.get(text)!, result: read[index] }));
        // At once: what was read is not read again, however this ends.
        const known = results.filter(({ result }) => result !== undefined && reading.isCacheable(result));
        await this.store.read.analysisResults.insertMany(run.scope.surveyId, known);
        for (const { key, result } of results) found.set(key, result);
        done += piece.length;
        run.onProgress?.(done / keyOf.size);
      },
    );
    return texts.map((text) => found.get(keyOf.get(text)!) as T);
  }

  private async findCachedResult<T>(run: AnalysisRun, key: string): Promise<BilledResult<T> | null> {
    const kept = await this.store.read.analysisResults.findByKeys(run.scope.surveyId, [key]);
    return kept.has(key) ? this.withoutCharge(run, kept.get(key) as T) : null;
  }

  /** Looks whether it is there, else works, else waits for whoever works on the same. */
  private async runOnce<T>(
    { signal }: AnalysisRun,
    findResult: () => Promise<BilledResult<T> | null>,
    work: () => Promise<BilledResult<T>>,
  ): Promise<BilledResult<T>> {
    const deadline = performance.now() + MAX_WAIT_MS;
    for (;;) {
      signal.throwIfAborted();
      const kept = await findResult();
      if (kept !== null) return kept;
      try {
        return await work();
      } catch (error) {
        if (error instanceof CachedMeanwhileError) continue;
        if (!(error instanceof UnderWay)) throw error;
      }
      if (performance.now() > deadline)
        throw unavailable('Somebody has been working on the same for long; try again', 30, 'try_again');
      await sleep(POLL_INTERVAL_MS, undefined, { signal });
    }
  }

  private async runBilled<T>(
    run: AnalysisRun,
    key: string,
    mostTokens: number,
    work: (held: HeldCredits) => Promise<T>,
    isKept: (result: T) => boolean = () => true,
  ): Promise<BilledResult<T>> {
    const { scope, operation, worker, signal } = run;
    const { organizationId, userId, surveyId } = scope;
    const purpose = { organizationId, userId, surveyId, operation };
    return this.credits.spend(
      { purpose, worker, mostTokens, workKey: Buffer.from(key, 'hex'), signal },
      async (held) => {
        // Somebody may have done it since the last look; who asks for the same from here on finds these credits set aside.
        if ((await this.findCachedResult(run, key)) !== null) throw new CachedMeanwhileError();
        const result = await work(held);
        // Before the credits are settled: nobody pays for what is lost.
        if (isKept(result)) await this.cacheResult(run, key, result);
        return result;
      },
    );
  }

  private cacheResult(run: AnalysisRun, key: string, result: unknown): Promise<void> {
    return this.store.read.analysisResults.insertMany(run.scope.surveyId, [{ key, result }]);
  }
}

function computeCacheKey({ operation, worker, options }: AnalysisRun, what: string, input: string): string {
  const { engine, model } = worker;
  const made = JSON.stringify([METHOD_VERSION, what, operation, engine, model, options]);
  return createHash('sha256').update(made).update('\0').update(input).digest('hex');
}

/** Texts in their order, in pieces that can be read at once. A text that is too long by itself is a piece of its own. */
function splitIntoBatches(
  texts: readonly string[],
  { texts: most, characters: mostCharacters }: { texts: number; characters: number },
): string[][] {
  const pieces: string[][] = [];
  let piece: string[] = [];
  let characters = 0;
  for (const text of texts) {
    if (piece.length === most || (piece.length > 0 && characters + text.length > mostCharacters)) {
      pieces.push(piece);
      piece = [];
      characters = 0;
    }
    piece.push(text);
    characters += text.length;
  }
  if (piece.length > 0) pieces.push(piece);
  return pieces;
}

/** Some at once; after the first failure nothing new is begun, and it is told when what runs has ended. */
async function forEachConcurrently<T>(
  items: readonly T[],
  atOnce: number,
  work: (item: T) => Promise<void>,
): Promise<void> {
  let next = 0;
  let failed = false;
  const one = async () => {
    while (next < items.length && !failed) {
      const item = items[next]!;
      next += 1;
      try {
        await work(item);
      } catch (error) {
        failed = true;
        throw error;
      }
    }
  };
  const ended = await Promise.allSettled(Array.from({ length: atOnce }, one));
  const failure = ended.find((end) => end.status === 'rejected');
  if (failure !== undefined) throw failure.reason as Error;
}

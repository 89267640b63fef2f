import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { SurveyScope } from '../../../domain/access/scopes.ts';
import type { CreditReservation, TokenUsage } from '../../../domain/credits/credits.ts';
import { unavailable } from '../../../lib/errors.ts';
import { requireValue } from '../../../lib/require-value.ts';
import type { KeptResult } from '../../../repositories/analysis-results.ts';
import type { Store } from '../../../repositories/store.ts';
import { type CreditService, AlreadyRunningError, type EngineModel } from '../../billing/credits.ts';
import type { AnalysisOperation } from './text-analyzer.ts';

/** Part of every cache key: increase it when instructions or methods change, so that older results are not reused. */
const METHOD_VERSION = 1;
const POLL_INTERVAL_MS = 200;
const MAX_WAIT_MS = 10 * 60_000;

/** One operation on a survey, on behalf of a user. */
export interface AnalysisRun {
  scope: SurveyScope;
  operation: AnalysisOperation;
  worker: EngineModel;
  /** Everything besides the input that the result depends on; part of the cache key. */
  options: unknown;
  /** From `countErasures`, before the texts were read: what was computed from an erased text is not stored. */
  erasures: number;
  signal: AbortSignal;
  /** Share of the texts that are analyzed, from 0 to 1. */
  onProgress?: (fraction: number) => void;
}

/** A result with its cost. Cached results cost nothing. */
export interface BilledResult<T> {
  result: T;
  usage: TokenUsage;
  creditsUsed: number;
  creditsRemaining: number;
}

/** Work that analyzes each text independently. */
export interface PerTextWork<T> {
  limits: { texts: number; characters: number; parallel: number };
  maxTokens(texts: readonly string[]): number;
  /** Returns results parallel to the texts. */
  analyze(reservation: CreditReservation, texts: readonly string[]): Promise<readonly T[]>;
  /**
   * False if the engine returned no usable result: the result is returned to the client but not cached, so a later request analyzes the
   * text again.
   */
  isCacheable(result: T): boolean;
}

/** Thrown when another run has cached the result in the meantime: no work and no charge are needed. */
class CachedMeanwhileError extends Error {}

interface CachedTexts {
  /** Distinct texts with their cache keys. */
  keyOf: ReadonlyMap<string, string>;
  /** Results by cache key; analyzed texts are added. */
  resultsByKey: Map<string, unknown>;
  missing: readonly string[];
}

/**
 * Runs billed analysis on a survey's texts and figures. Cached results are reused, only the rest is analyzed, and concurrent requests for
 * the same work wait for the one that runs, across processes.
 */
export class AnalysisRuns {
  constructor(
    private readonly store: Store,
    private readonly credits: CreditService,
  ) {}

  /** Call it before the texts of a run are read. */
  countErasures({ surveyId }: Pick<SurveyScope, 'surveyId'>): Promise<number> {
    return this.store.read.erasure.countErasures(surveyId);
  }

  /** Runs work on the whole input at once. Its result must survive a JSON round trip. */
  async runOnAll<T>({
    run,
    input,
    mostTokens,
    work,
  }: {
    run: AnalysisRun;
    input: unknown;
    mostTokens: number;
    work: (reservation: CreditReservation) => Promise<T>;
  }): Promise<BilledResult<T>> {
    const key = computeCacheKey(run, 'whole', JSON.stringify(input));
    return this.runOnce(
      run,
      () => this.findCachedResult<T>(run, key),
      () => this.runBilled({ run, key, mostTokens, work }),
    );
  }

  /** Runs work on each text independently, in concurrent batches. Returns one result per text. */
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
        const cached = await this.lookUpTexts(run, texts);
        if (cached.missing.length > 0) {
          const mostTokens = reading.maxTokens(cached.missing);
          return this.runBilled({
            run,
            key,
            mostTokens,
            work: (reservation) =>
              this.analyzeMissing({ reservation, run, texts, cachedTexts: cached, reading }),
            isKept: (results) => results.every((result) => reading.isCacheable(result)),
          });
        }
        const results = collectResults<T>(texts, cached);
        await this.cacheResult(run, key, results);
        return this.withoutCharge(run, results);
      },
    );
  }

  /** Runs one step of a larger run on the whole input; billed to the reservation of that run. */
  async runStepOnAll<T>(run: AnalysisRun, input: unknown, work: () => Promise<T>): Promise<T> {
    const known = await this.findCached<T>(run, input);
    if (known !== undefined) return known;
    const result = await work();
    await this.cacheResult(run, computeCacheKey(run, 'whole', JSON.stringify(input)), result);
    return result;
  }

  /** Runs one step of a larger run on each text; billed to the reservation of that run. */
  async runStepPerText<T>({
    reservation,
    run,
    texts,
    reading,
  }: {
    reservation: CreditReservation;
    run: AnalysisRun;
    texts: readonly string[];
    reading: PerTextWork<T>;
  }): Promise<T[]> {
    return this.analyzeMissing({
      reservation,
      run,
      texts,
      cachedTexts: await this.lookUpTexts(run, texts),
      reading,
    });
  }

  /** The cached result of a run on the whole input; undefined if there is none. */
  async findCached<T>(run: AnalysisRun, input: unknown): Promise<T | undefined> {
    const key = computeCacheKey(run, 'whole', JSON.stringify(input));
    const cached = await this.store.read.analysisResults.findByKeys(run.scope.surveyId, [key]);
    return cached.get(key) as T | undefined;
  }

  /** The distinct texts that have no cached result. */
  async listUncached(run: AnalysisRun, texts: readonly string[]): Promise<readonly string[]> {
    if ((await this.findCachedResult(run, computeCacheKey(run, 'each', JSON.stringify(texts)))) !== null)
      return [];
    return (await this.lookUpTexts(run, texts)).missing;
  }

  /** A result that needed no work, with the current balance. */
  async withoutCharge<T>({ scope }: AnalysisRun, result: T): Promise<BilledResult<T>> {
    const creditsRemaining = await this.credits.getBalance(scope.organizationId);
    return { result, usage: { input_tokens: 0, output_tokens: 0 }, creditsUsed: 0, creditsRemaining };
  }

  private async lookUpTexts(run: AnalysisRun, texts: readonly string[]): Promise<CachedTexts> {
    const keyOf = new Map([...new Set(texts)].map((text) => [text, computeCacheKey(run, 'text', text)]));
    const resultsByKey = await this.store.read.analysisResults.findByKeys(run.scope.surveyId, [
      ...keyOf.values(),
    ]);
    const missing = [...keyOf].filter(([, key]) => !resultsByKey.has(key)).map(([text]) => text);
    return { keyOf, resultsByKey, missing };
  }

  /** Analyzes the texts without a cached result in concurrent batches. Returns one result per text. */
  private async analyzeMissing<T>({
    reservation,
    run,
    texts,
    cachedTexts,
    reading,
  }: {
    reservation: CreditReservation;
    run: AnalysisRun;
    texts: readonly string[];
    cachedTexts: CachedTexts;
    reading: PerTextWork<T>;
  }): Promise<T[]> {
    const { keyOf, resultsByKey, missing } = cachedTexts;
    let done = keyOf.size - missing.length;
    await forEachConcurrently(
      splitIntoBatches(missing, reading.limits),
      reading.limits.parallel,
      async (batch) => {
        run.signal.throwIfAborted();
        const read = await reading.analyze(reservation, batch);
        const results = batch.map((text, index) => ({ key: cacheKeyOf(text, keyOf), result: read[index] }));
        // Caches each batch at once, so that it is not analyzed again if the run fails later.
        const known = results.filter(({ result }) => result !== undefined && reading.isCacheable(result));
        await this.storeResults(run, known);
        for (const { key, result } of results) resultsByKey.set(key, result);
        done += batch.length;
        run.onProgress?.(done / keyOf.size);
      },
    );
    return collectResults(texts, cachedTexts);
  }

  private async findCachedResult<T>(run: AnalysisRun, key: string): Promise<BilledResult<T> | null> {
    const cached = await this.store.read.analysisResults.findByKeys(run.scope.surveyId, [key]);
    return cached.has(key) ? this.withoutCharge(run, cached.get(key) as T) : null;
  }

  /** Returns the cached result, else runs the work, else waits for another run of the same work. */
  private async runOnce<T>(
    { signal }: AnalysisRun,
    findResult: () => Promise<BilledResult<T> | null>,
    work: () => Promise<BilledResult<T>>,
  ): Promise<BilledResult<T>> {
    const deadline = performance.now() + MAX_WAIT_MS;
    for (;;) {
      signal.throwIfAborted();
      const cached = await findResult();
      if (cached !== null) return cached;
      try {
        return await work();
      } catch (error) {
        if (error instanceof CachedMeanwhileError) continue;
        if (!(error instanceof AlreadyRunningError)) throw error;
      }
      if (performance.now() > deadline)
        throw unavailable('The same analysis is still running; try again', 30, 'try_again');
      await sleep(POLL_INTERVAL_MS, undefined, { signal });
    }
  }

  private async runBilled<T>({
    run,
    key,
    mostTokens,
    work,
    isKept = () => true,
  }: {
    run: AnalysisRun;
    key: string;
    mostTokens: number;
    work: (reservation: CreditReservation) => Promise<T>;
    isKept?: (result: T) => boolean | undefined;
  }): Promise<BilledResult<T>> {
    const { scope, operation, worker, signal } = run;
    const { organizationId, userId, surveyId } = scope;
    const purpose = { organizationId, userId, surveyId, operation };
    return this.credits.spend(
      { purpose, engineModel: worker, maxTokens: mostTokens, workKey: Buffer.from(key, 'hex'), signal },
      async (reservation) => {
        // Another run may have finished since the last check; from here on concurrent requests see this reservation and wait.
        if ((await this.findCachedResult(run, key)) !== null) throw new CachedMeanwhileError();
        const result = await work(reservation);
        // Caches before the credits are settled: a client is never charged for a result that was lost.
        if (isKept(result)) await this.cacheResult(run, key, result);
        return result;
      },
    );
  }

  private cacheResult(run: AnalysisRun, key: string, result: unknown): Promise<void> {
    return this.storeResults(run, [{ key, result }]);
  }

  /** Stores results, unless a response was erased since the texts were read. */
  private async storeResults(run: AnalysisRun, results: readonly KeptResult[]): Promise<void> {
    const { analysisResults, erasure } = this.store.read;
    const { surveyId } = run.scope;
    await analysisResults.insertMany(surveyId, results);
    // Checked afterwards: an erasure that is not finished has deleted these results, or is seen here.
    if (!(await erasure.isErasedSince(surveyId, run.erasures))) return;
    await analysisResults.deleteByKeys(
      surveyId,
      results.map(({ key }) => key),
    );
  }
}

function computeCacheKey({ operation, worker, options }: AnalysisRun, action: string, input: string): string {
  const { engine, model } = worker;
  const keySource = JSON.stringify([METHOD_VERSION, action, operation, engine, model, options]);
  return createHash('sha256').update(keySource).update('\0').update(input).digest('hex');
}

/** Splits texts into batches within the limits, in order. A text longer than the limit becomes a batch by itself. */
function splitIntoBatches(
  texts: readonly string[],
  { texts: limit, characters: mostCharacters }: { texts: number; characters: number },
): string[][] {
  const batches: string[][] = [];
  let batch: string[] = [];
  let characters = 0;
  for (const text of texts) {
    if (batch.length === limit || (batch.length > 0 && characters + text.length > mostCharacters)) {
      batches.push(batch);
      batch = [];
      characters = 0;
    }
    batch.push(text);
    characters += text.length;
  }
  if (batch.length > 0) batches.push(batch);
  return batches;
}

const cacheKeyOf = (text: string, keyOf: CachedTexts['keyOf']): string =>
  requireValue(keyOf.get(text), 'cache key of a text');

/** Returns one result per text once all of them have results. */
const collectResults = <T>(texts: readonly string[], { keyOf, resultsByKey }: CachedTexts): T[] =>
  texts.map((text) => resultsByKey.get(cacheKeyOf(text, keyOf)) as T);

/** Runs up to `atOnce` items concurrently. After the first failure starts no further items; throws when the running ones have ended. */
async function forEachConcurrently<T>(
  items: readonly T[],
  atOnce: number,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const remaining = items.values();
  let failed = false;
  const runNext = async () => {
    for (const item of remaining) {
      if (failed) return;
      try {
        await work(item);
      } catch (error) {
        failed = true;
        throw error;
      }
    }
  };
  const ended = await Promise.allSettled(Array.from({ length: atOnce }, runNext));
  const failure = ended.find((end) => end.status === 'rejected');
  if (failure !== undefined) throw failure.reason as Error;
}

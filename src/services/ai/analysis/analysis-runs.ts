import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { SurveyScope } from '../../../domain/access/scopes.ts';
import type { HeldCredits } from '../../../domain/credits/held-credits.ts';
import type { TokenUsage } from '../../../domain/credits/prices.ts';
import { unavailable } from '../../../lib/errors.ts';
import type { Store } from '../../../repositories/store.ts';
import { type CreditService, UnderWay, type Worker } from '../../billing/credits.ts';
import type { AnalysisOperation } from './analyst.ts';

/** Changes when what is kept would be made differently: a new version of instructions or of a method. */
const METHOD_VERSION = 1;
const LOOK_AGAIN_EVERY_MS = 200;
const LOOK_AGAIN_FOR_MS = 10 * 60_000;

/** An operation on a survey by somebody. */
export interface Run {
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
export interface Ran<T> {
  result: T;
  usage: TokenUsage;
  creditsUsed: number;
  creditsRemaining: number;
}

/** Reading each text for itself. */
export interface Reading<T> {
  atOnce: { texts: number; characters: number; parallel: number };
  mostTokens(texts: readonly string[]): number;
  /** Parallel to the texts. */
  read(held: HeldCredits, texts: readonly string[]): Promise<readonly T[]>;
  /** False: whoever reads had nothing to say of it; it is told, but read again when it is asked for again. */
  isRead(result: T): boolean;
}

/** It is there by now: nothing has to be done, nor paid. */
class KeptMeanwhile extends Error {}

interface KeptTexts {
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
  async whole<T>(
    run: Run,
    input: unknown,
    mostTokens: number,
    work: (held: HeldCredits) => Promise<T>,
  ): Promise<Ran<T>> {
    const key = digestOf(run, 'whole', JSON.stringify(input));
    return this.once(
      run,
      () => this.keptWhole<T>(run, key),
      () => this.spend(run, key, mostTokens, work),
    );
  }

  /** Work that reads each text for itself, in pieces, some at once; gives a result for each text. */
  async each<T>(run: Run, texts: readonly string[], reading: Reading<T>): Promise<Ran<T[]>> {
    const key = digestOf(run, 'each', JSON.stringify(texts));
    return this.once(
      run,
      () => this.keptWhole<T[]>(run, key),
      async () => {
        const kept = await this.keptTexts(run, texts);
        if (kept.missing.length > 0) {
          const mostTokens = reading.mostTokens(kept.missing);
          return this.spend(
            run,
            key,
            mostTokens,
            (held) => this.readMissing(held, run, texts, kept, reading),
            (results) => results.every((result) => reading.isRead(result)),
          );
        }
        const results = await this.readMissing(null, run, texts, kept, reading);
        await this.keep(run, key, results);
        return this.free(run, results);
      },
    );
  }

  /** A step of other work, paid by what that holds, that looks at everything together. */
  async wholeWithin<T>(run: Run, input: unknown, work: () => Promise<T>): Promise<T> {
    const known = await this.known<T>(run, input);
    if (known !== undefined) return known;
    const result = await work();
    await this.keep(run, digestOf(run, 'whole', JSON.stringify(input)), result);
    return result;
  }

  /** A step of other work, paid by what that holds, that reads each text for itself. */
  async eachWithin<T>(
    held: HeldCredits,
    run: Run,
    texts: readonly string[],
    reading: Reading<T>,
  ): Promise<T[]> {
    return this.readMissing(held, run, texts, await this.keptTexts(run, texts), reading);
  }

  /** What was kept of work that looks at everything together. */
  async known<T>(run: Run, input: unknown): Promise<T | undefined> {
    const key = digestOf(run, 'whole', JSON.stringify(input));
    const kept = await this.store.read.analysisResults.findByKeys(run.scope.surveyId, [key]);
    return kept.get(key) as T | undefined;
  }

  /** Those of the texts, each once, that were never read for themselves. */
  async unread(run: Run, texts: readonly string[]): Promise<readonly string[]> {
    if ((await this.keptWhole(run, digestOf(run, 'each', JSON.stringify(texts)))) !== null) return [];
    return (await this.keptTexts(run, texts)).missing;
  }

  /** Where there was nothing to work on. */
  async free<T>({ scope }: Run, result: T): Promise<Ran<T>> {
    const creditsRemaining = await this.credits.balance(scope.organizationId);
    return { result, usage: { input_tokens: 0, output_tokens: 0 }, creditsUsed: 0, creditsRemaining };
  }

  private async keptTexts(run: Run, texts: readonly string[]): Promise<KeptTexts> {
    const keyOf = new Map([...new Set(texts)].map((text) => [text, digestOf(run, 'text', text)]));
    const found = await this.store.read.analysisResults.findByKeys(run.scope.surveyId, [...keyOf.values()]);
    const missing = [...keyOf].filter(([, key]) => !found.has(key)).map(([text]) => text);
    return { keyOf, found, missing };
  }

  /** `held` null: nothing is missing. */
  private async readMissing<T>(
    held: HeldCredits | null,
    run: Run,
    texts: readonly string[],
    { keyOf, found, missing }: KeptTexts,
    reading: Reading<T>,
  ): Promise<T[]> {
    let done = keyOf.size - missing.length;
    await inParallel(piecesOf(missing, reading.atOnce), reading.atOnce.parallel, async (piece) => {
      run.signal.throwIfAborted();
      const read = await reading.read(held!, piece);
      const results = piece.map((text, index) => ({ key: keyOf.get(text)!, result: read[index] }));
      // At once: what was read is not read again, however this ends.
      const known = results.filter(({ result }) => result !== undefined && reading.isRead(result));
      await this.store.read.analysisResults.insertMany(run.scope.surveyId, known);
      for (const { key, result } of results) found.set(key, result);
      done += piece.length;
      run.onProgress?.(done / keyOf.size);
    });
    return texts.map((text) => found.get(keyOf.get(text)!) as T);
  }

  private async keptWhole<T>(run: Run, key: string): Promise<Ran<T> | null> {
    const kept = await this.store.read.analysisResults.findByKeys(run.scope.surveyId, [key]);
    return kept.has(key) ? this.free(run, kept.get(key) as T) : null;
  }

  /** Looks whether it is there, else works, else waits for whoever works on the same. */
  private async once<T>(
    { signal }: Run,
    look: () => Promise<Ran<T> | null>,
    work: () => Promise<Ran<T>>,
  ): Promise<Ran<T>> {
    const givenUpAt = performance.now() + LOOK_AGAIN_FOR_MS;
    for (;;) {
      signal.throwIfAborted();
      const kept = await look();
      if (kept !== null) return kept;
      try {
        return await work();
      } catch (error) {
        if (error instanceof KeptMeanwhile) continue;
        if (!(error instanceof UnderWay)) throw error;
      }
      if (performance.now() > givenUpAt)
        throw unavailable('Somebody has been working on the same for long; try again', 30, 'try_again');
      await sleep(LOOK_AGAIN_EVERY_MS, undefined, { signal });
    }
  }

  private async spend<T>(
    run: Run,
    key: string,
    mostTokens: number,
    work: (held: HeldCredits) => Promise<T>,
    isKept: (result: T) => boolean = () => true,
  ): Promise<Ran<T>> {
    const { scope, operation, worker, signal } = run;
    const { organizationId, userId, surveyId } = scope;
    const purpose = { organizationId, userId, surveyId, operation };
    return this.credits.spend(
      { purpose, worker, mostTokens, workKey: Buffer.from(key, 'hex'), signal },
      async (held) => {
        // Somebody may have done it since the last look; who asks for the same from here on finds these credits set aside.
        if ((await this.keptWhole(run, key)) !== null) throw new KeptMeanwhile();
        const result = await work(held);
        // Before the credits are settled: nobody pays for what is lost.
        if (isKept(result)) await this.keep(run, key, result);
        return result;
      },
    );
  }

  private keep(run: Run, key: string, result: unknown): Promise<void> {
    return this.store.read.analysisResults.insertMany(run.scope.surveyId, [{ key, result }]);
  }
}

function digestOf({ operation, worker, options }: Run, what: string, input: string): string {
  const { engine, model } = worker;
  const made = JSON.stringify([METHOD_VERSION, what, operation, engine, model, options]);
  return createHash('sha256').update(made).update('\0').update(input).digest('hex');
}

/** Texts in their order, in pieces that can be read at once. A text that is too long by itself is a piece of its own. */
function piecesOf(
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
async function inParallel<T>(
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

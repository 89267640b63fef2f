import type { CreditReservation } from '../../../domain/credits/credits.ts';
import { requireEntry, requireItem } from '../../../lib/require-value.ts';
import type { AnalysisRun, AnalysisRuns, BilledResult, PerTextWork } from './analysis-runs.ts';
import type { Coding } from './coded-columns.ts';
import {
  collectEvidence,
  type Evidence,
  type GatheredTexts,
  sampleIndices,
  type TextRequest,
  truncateText,
} from './analyzed-texts.ts';
import {
  type AnalysisOperation,
  type ProposedCategory,
  type ProposedTheme,
  type Sentiment,
  SENTIMENTS,
  type TextAnalyzer,
  type TextCategory,
  type TextSentiment,
} from './text-analyzer.ts';

/** One operation with its texts, analyzer and options. */
export interface AnalysisTask {
  runs: AnalysisRuns;
  analyst: TextAnalyzer;
  run: Pick<AnalysisRun, 'scope' | 'worker' | 'erasures' | 'signal' | 'onProgress'>;
  textData: GatheredTexts;
  request: Pick<TextRequest, 'categories' | 'targetLanguage'>;
}

/** The result of an operation with its cost. */
export interface OperationResult<Members> extends Omit<BilledResult<unknown>, 'result'> {
  /** Members that the reply adds to the common ones. */
  members: Members;
  /** Number of texts analyzed, now or earlier. */
  read: number;
  /** The result as a column; null if it cannot be saved. */
  coding: Pick<Coding, 'measure' | 'categories' | 'categoryOf'> | null;
}

/** An operation on open answers. `Members` are its JSON reply members. */
export interface TextOperationHandler<Members> {
  /** Throws if the analyzer does not support the operation. */
  refuseUnsupported?(task: AnalysisTask): void;
  /** Number of texts without a cached result. */
  countUncached(task: AnalysisTask): Promise<number>;
  perform(task: AnalysisTask): Promise<OperationResult<Members>>;
  /** The members that a job result includes. */
  summarizeForJob(members: Members): Record<string, unknown>;
}

export const createRun = (
  { run }: AnalysisTask,
  operation: AnalysisOperation,
  options: object = {},
): AnalysisRun => ({
  ...run,
  operation,
  options,
});

/** The texts used when all texts are analyzed together, with their indices. */
export function sampleTexts({ analyst, textData }: AnalysisTask): {
  indices: number[];
  texts: string[];
} {
  const indices = sampleIndices(textData.texts.length, analyst.maxSampleSize);
  return { indices, texts: indices.map((index) => requireItem(textData.texts, index, 'text')) };
}

/** Counts by category index, and texts without a category (-1). */
function countByCategory(
  categoryOf: readonly number[],
  categories: number,
): { counts: number[]; none: number } {
  const counts = new Array<number>(categories).fill(0);
  let none = 0;
  for (const index of categoryOf) {
    if (index < 0) none += 1;
    else counts[index] = (counts[index] ?? 0) + 1;
  }
  return { counts, none };
}

const computeShare = (count: number, base: number): number => (base === 0 ? 0 : count / base);

/** Maximum number of themes or categories proposed. */
export const MAX_PROPOSED = 10;
const MAX_THEME_NAME_CHARACTERS = 100;
/** For token estimates before the themes are known: the maximum size of a name with description and keywords. */
const UNKNOWN_NAMES: readonly string[] = Array.from({ length: MAX_PROPOSED }, () => '…'.repeat(300));

const formatTheme = ({ name, description, keywords }: ProposedTheme): string =>
  [name, description, ...keywords].join(' ');

/** Removes duplicate names and truncates them to the length of a category label. */
export function normalizeThemes(proposed: readonly ProposedTheme[]): ProposedTheme[] {
  const byName = new Map<string, ProposedTheme>();
  for (const theme of proposed) {
    const name = truncateText(theme.name.trim(), MAX_THEME_NAME_CHARACTERS);
    const key = name.toLowerCase();
    if (name !== '' && !byName.has(key)) byName.set(key, { ...theme, name });
  }
  return [...byName.values()].slice(0, MAX_PROPOSED);
}

/** Proposes themes from a sample, then analyzes every text with them. Billed as one run; each step is cached separately. */
async function proposeThenAnalyze<T>(
  task: AnalysisTask,
  steps: {
    proposing: {
      run: AnalysisRun;
      propose: (reservation: CreditReservation, sample: string[]) => Promise<ProposedTheme[]>;
    };
    reading: {
      run: (proposed: ProposedTheme[]) => AnalysisRun;
      of: (names: ProposedTheme[]) => PerTextWork<T>;
    };
  },
): Promise<BilledResult<{ proposed: ProposedTheme[]; read: T[] | null }>> {
  const { runs, analyst, textData } = task;
  const { texts } = textData;
  const { proposing, reading } = steps;
  if (texts.length === 0) return runs.withoutCharge(reading.run([]), { proposed: [], read: null });
  const sample = sampleTexts(task).texts;
  const known = await runs.findCached<ProposedTheme[]>(proposing.run, sample);
  const mostTokens =
    known === undefined
      ? analyst.maxTokens({ operation: proposing.run.operation }, sample) +
        analyst.maxTokens({ operation: reading.run([]).operation, names: UNKNOWN_NAMES }, texts)
      : reading.of(known).maxTokens(await runs.listUncached(reading.run(known), texts));
  return runs.runOnAll({
    run: reading.run([]),
    input: ['proposed', texts],
    mostTokens,
    work: async (reservation) => {
      const proposed = await runs.runStepOnAll(proposing.run, sample, async () =>
        normalizeThemes(await proposing.propose(reservation, sample)),
      );
      if (proposed.length === 0) return { proposed, read: null };
      return {
        proposed,
        read: await runs.runStepPerText({
          reservation,
          run: reading.run(proposed),
          texts,
          reading: reading.of(proposed),
        }),
      };
    },
  });
}

/** Number of texts that `proposeThenAnalyze` would have to analyze. */
async function countUncachedWithProposal(
  task: AnalysisTask,
  proposing: AnalysisRun,
  reading: (proposed: ProposedTheme[]) => AnalysisRun,
): Promise<number> {
  const { runs, textData } = task;
  const known = await runs.findCached<ProposedTheme[]>(proposing, sampleTexts(task).texts);
  if (known === undefined) return textData.texts.length;
  return (await runs.listUncached(reading(known), textData.texts)).length;
}

export interface ClassifyMembers {
  /** True if the request gave no categories and they were proposed. */
  proposed: boolean;
  /** Number of texts; shares of it are from 0 to 1, unweighted. */
  base: number;
  categories: { category: string; description: string | null; count: number; share: number }[];
  uncategorized: { count: number; share: number };
  results: { response_id: number; category: string | null; confidence: number }[];
}

const createClassifyRun = (task: AnalysisTask, categories: readonly ProposedCategory[]) =>
  createRun(task, 'classify', { categories });
const createCategoryProposalRun = (task: AnalysisTask) =>
  createRun(task, 'suggest-categories', { most: MAX_PROPOSED });

const createClassifyWork = (
  { analyst, run }: AnalysisTask,
  categories: readonly ProposedCategory[],
  words: readonly string[],
): PerTextWork<TextCategory> => ({
  limits: analyst.batchLimits,
  maxTokens: (texts) => analyst.maxTokens({ operation: 'classify', names: words }, texts),
  analyze: (reservation, texts) => analyst.classify({ reservation, texts, categories, signal: run.signal }),
  isCacheable: ({ category, confidence }) => category !== null || confidence > 0,
});

const toCategories = (themes: readonly ProposedTheme[]): ProposedCategory[] =>
  themes.map(({ name, description, keywords }) => ({ name, description, keywords }));

const NOTHING_FITS: TextCategory = { category: null, confidence: 0 };

async function classifyTexts(task: AnalysisTask, given: readonly string[] | null) {
  const { runs, analyst, textData } = task;
  const { texts } = textData;
  if (given !== null) {
    const categories = given.map((name) => ({ name }));
    const reading = createClassifyWork(task, categories, given);
    const { result, ...billing } = await runs.runPerText(createClassifyRun(task, categories), texts, reading);
    return { categories: categories as ProposedCategory[], results: result, took: billing };
  }
  const { result, ...billing } = await proposeThenAnalyze<TextCategory>(task, {
    proposing: {
      run: createCategoryProposalRun(task),
      propose: (reservation, sample) =>
        analyst.proposeCategories({
          reservation,
          texts: sample,
          limit: MAX_PROPOSED,
          signal: task.run.signal,
        }),
    },
    reading: {
      run: (themes) => createClassifyRun(task, toCategories(themes)),
      of: (themes) => createClassifyWork(task, toCategories(themes), themes.map(formatTheme)),
    },
  });
  const results = result.read ?? texts.map(() => NOTHING_FITS);
  return { categories: toCategories(result.proposed), results, took: billing };
}

export const classifyOperation: TextOperationHandler<ClassifyMembers> = {
  async countUncached(task) {
    const { runs, textData, request } = task;
    if (request.categories === null)
      return countUncachedWithProposal(task, createCategoryProposalRun(task), (themes) =>
        createClassifyRun(task, toCategories(themes)),
      );
    const categories = request.categories.map((name) => ({ name }));
    return (await runs.listUncached(createClassifyRun(task, categories), textData.texts)).length;
  },

  async perform(task) {
    const { texts, responseIds } = task.textData;
    const { categories, results, took } = await classifyTexts(task, task.request.categories);
    const indexByName = new Map(categories.map(({ name }, index) => [name, index]));
    const categoryOf = results.map(({ category }) =>
      category === null ? -1 : (indexByName.get(category) ?? -1),
    );
    const base = texts.length;
    const { counts, none } = countByCategory(categoryOf, categories.length);
    return {
      ...took,
      read: base,
      members: {
        proposed: task.request.categories === null,
        base,
        categories: categories.map(({ name, description = null }, index) => {
          const count = requireItem(counts, index, 'count');
          return { category: name, description, count, share: computeShare(count, base) };
        }),
        uncategorized: { count: none, share: computeShare(none, base) },
        results: results.map(({ confidence }, index) => ({
          response_id: requireItem(responseIds, index, 'response id'),
          category: categories[categoryOf[index] ?? -1]?.name ?? null,
          confidence,
        })),
      },
      coding: {
        measure: 'nominal',
        categories: categories.map(({ name }) => ({ value: name, label: name })),
        categoryOf,
      },
    };
  },

  summarizeForJob: ({ base, categories, uncategorized, proposed }) => ({
    proposed,
    base,
    categories,
    uncategorized,
  }),
};

export interface SentimentMembers {
  summary: {
    /** Number of texts; shares of it are from 0 to 1, unweighted. */
    base: number;
    counts: Record<Sentiment, number>;
    shares: Record<Sentiment, number>;
    /** From -1 (all negative) to 1 (all positive); null without texts. */
    mean: number | null;
  };
  results: { response_id: number; sentiment: Sentiment; confidence: number }[];
}

const SENTIMENT_LABELS: Record<Sentiment, string> = {
  negative: 'Negative',
  neutral: 'Neutral',
  positive: 'Positive',
};

export const sentimentOperation: TextOperationHandler<SentimentMembers> = {
  async countUncached(task) {
    return (await task.runs.listUncached(createRun(task, 'sentiment'), task.textData.texts)).length;
  },

  async perform(task) {
    const { runs, analyst, textData } = task;
    const { texts, responseIds } = textData;
    const run = createRun(task, 'sentiment');
    const { result, ...billing } = await runs.runPerText<TextSentiment>(run, texts, {
      limits: analyst.batchLimits,
      maxTokens: (texts) => analyst.maxTokens({ operation: 'sentiment' }, texts),
      analyze: (reservation, texts) => analyst.detectSentiments({ reservation, texts, signal: run.signal }),
      isCacheable: ({ confidence }) => confidence > 0,
    });
    const categoryOf = result.map((one) => SENTIMENTS.indexOf(one.sentiment));
    const base = texts.length;
    const { counts } = countByCategory(categoryOf, SENTIMENTS.length);
    const [negative = 0, neutral = 0, positive = 0] = counts;
    return {
      ...billing,
      read: base,
      members: {
        summary: {
          base,
          counts: { negative, neutral, positive },
          shares: {
            negative: computeShare(negative, base),
            neutral: computeShare(neutral, base),
            positive: computeShare(positive, base),
          },
          mean: base === 0 ? null : (positive - negative) / base,
        },
        results: result.map((one, index) => ({
          response_id: requireItem(responseIds, index, 'response id'),
          sentiment: one.sentiment,
          confidence: one.confidence,
        })),
      },
      coding: {
        measure: 'ordinal',
        categories: SENTIMENTS.map((value) => ({ value, label: SENTIMENT_LABELS[value] })),
        categoryOf,
      },
    };
  },

  summarizeForJob: ({ summary }) => ({ summary }),
};

export interface ThemesMembers {
  /** Number of texts; shares of it are from 0 to 1, unweighted. A text may belong to several themes. */
  base: number;
  /** Number of texts that the themes were proposed from. */
  proposed_from: number;
  /** Most common first. */
  themes: ({ theme: string; description: string; share: number } & Evidence)[];
  without_theme: { count: number; share: number };
}

/** Without examples, which do not affect how texts are assigned and must not be part of the cache key. */
const omitExamples = (themes: readonly ProposedTheme[]) =>
  themes.map(({ name, description, keywords }) => ({ name, description, keywords }));

const createThemeProposalRun = (task: AnalysisTask) => createRun(task, 'themes', { propose: MAX_PROPOSED });
const createAssignRun = (task: AnalysisTask, themes: readonly ProposedTheme[]) =>
  createRun(task, 'themes', { themes: omitExamples(themes) });

const createAssignWork = (
  { analyst, run }: AnalysisTask,
  themes: readonly ProposedTheme[],
): PerTextWork<number[]> => ({
  limits: analyst.batchLimits,
  maxTokens: (texts) => analyst.maxTokens({ operation: 'themes', names: themes.map(formatTheme) }, texts),
  analyze: (reservation, texts) => analyst.assignThemes({ reservation, texts, themes, signal: run.signal }),
  // A text without a theme is a valid result.
  isCacheable: () => true,
});

export const themesOperation: TextOperationHandler<ThemesMembers> = {
  countUncached: (task) =>
    countUncachedWithProposal(task, createThemeProposalRun(task), (proposed) =>
      createAssignRun(task, proposed),
    ),

  async perform(task) {
    const { textData } = task;
    const base = textData.texts.length;
    const { result, ...billing } = await proposeThenAnalyze<number[]>(task, {
      proposing: {
        run: createThemeProposalRun(task),
        propose: (reservation, sample) =>
          task.analyst.proposeThemes({
            reservation,
            texts: sample,
            limit: MAX_PROPOSED,
            signal: task.run.signal,
          }),
      },
      reading: {
        run: (proposed) => createAssignRun(task, proposed),
        of: (proposed) => createAssignWork(task, proposed),
      },
    });
    const { proposed } = result;
    const themesByText = result.read ?? textData.texts.map((): number[] => []);
    const candidates = proposed.map((theme, index) => ({ theme, index, texts: new Array<number>() }));
    themesByText.forEach((found, text) => {
      for (const index of new Set(found)) candidates[index]?.texts.push(text);
    });
    const { indices } = sampleTexts(task);
    // Drops themes without texts.
    const themes = candidates
      .filter(({ texts }) => texts.length > 0)
      .sort((a, b) => b.texts.length - a.texts.length);
    const rank = new Map(themes.map(({ index }, position) => [index, position]));
    const categoryOf = themesByText.map((found) => {
      const best = found.find((index) => rank.has(index));
      return best === undefined ? -1 : requireEntry(rank, best, 'theme');
    });
    const withoutTheme = themesByText.filter((found) => found.length === 0).length;
    return {
      ...billing,
      read: base,
      members: {
        base,
        proposed_from: indices.length,
        themes: themes.map(({ theme: { name, description, examples }, texts }) => {
          const best = examples.flatMap((example) => indices[example] ?? []);
          const evidence = collectEvidence(textData, texts, best);
          return { theme: name, description, share: computeShare(evidence.count, base), ...evidence };
        }),
        without_theme: { count: withoutTheme, share: computeShare(withoutTheme, base) },
      },
      coding: {
        measure: 'nominal',
        categories: themes.map(({ theme: { name } }) => ({ value: name, label: name })),
        categoryOf,
      },
    };
  },

  summarizeForJob: ({ base, themes: found, without_theme }) => ({
    base,
    themes: found.map(({ theme, count, share }) => ({ theme, count, share })),
    without_theme,
  }),
};

import type { PerTextWork } from '../analysis-runs.ts';
import type { ProposedCategory, ProposedTheme, TextCategory } from '../text-analyzer.ts';
import {
  countByCategory,
  type TextOperationHandler,
  createRun,
  computeShare,
  type AnalysisTask,
} from './operation.ts';
import {
  MAX_PROPOSED,
  proposeThenAnalyze,
  countUncachedWithProposal,
  formatTheme,
} from './propose-themes.ts';

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
const createProposalRun = (task: AnalysisTask) =>
  createRun(task, 'suggest-categories', { most: MAX_PROPOSED });

const createWork = (
  { analyst, run }: AnalysisTask,
  categories: readonly ProposedCategory[],
  words: readonly string[],
): PerTextWork<TextCategory> => ({
  limits: analyst.batchLimits,
  maxTokens: (texts) => analyst.maxTokens({ operation: 'classify', names: words }, texts),
  analyze: (reservation, texts) => analyst.classify(reservation, texts, categories, run.signal),
  isCacheable: ({ category, confidence }) => category !== null || confidence > 0,
});

const toCategories = (themes: readonly ProposedTheme[]): ProposedCategory[] =>
  themes.map(({ name, description, keywords }) => ({ name, description, keywords }));

const NOTHING_FITS: TextCategory = { category: null, confidence: 0 };

async function classifyTexts(task: AnalysisTask, given: readonly string[] | null) {
  const { runs, analyst, textData: gathered } = task;
  const { texts } = gathered;
  if (given !== null) {
    const categories = given.map((name) => ({ name }));
    const reading = createWork(task, categories, given);
    const { result, ...billing } = await runs.runPerText(createClassifyRun(task, categories), texts, reading);
    return { categories: categories as ProposedCategory[], results: result, took: billing };
  }
  const { result, ...billing } = await proposeThenAnalyze<TextCategory>(task, {
    proposing: {
      run: createProposalRun(task),
      propose: (reservation, sample) =>
        analyst.proposeCategories(reservation, sample, MAX_PROPOSED, task.run.signal),
    },
    reading: {
      run: (themes) => createClassifyRun(task, toCategories(themes)),
      of: (themes) => createWork(task, toCategories(themes), themes.map(formatTheme)),
    },
  });
  const results = result.read ?? texts.map(() => NOTHING_FITS);
  return { categories: toCategories(result.proposed), results, took: billing };
}

export const classifyOperation: TextOperationHandler<ClassifyMembers> = {
  async countUncached(task) {
    const { runs, textData: gathered, request } = task;
    if (request.categories === null)
      return countUncachedWithProposal(task, createProposalRun(task), (themes) =>
        createClassifyRun(task, toCategories(themes)),
      );
    const categories = request.categories.map((name) => ({ name }));
    return (await runs.listUncached(createClassifyRun(task, categories), gathered.texts)).length;
  },

  async perform(task) {
    const { texts, responseIds } = task.textData;
    const { categories, results, took: billing } = await classifyTexts(task, task.request.categories);
    const indexByName = new Map(categories.map(({ name }, index) => [name, index]));
    const categoryOf = results.map(({ category }) =>
      category === null ? -1 : (indexByName.get(category) ?? -1),
    );
    const base = texts.length;
    const { counts, none } = countByCategory(categoryOf, categories.length);
    return {
      ...billing,
      read: base,
      members: {
        proposed: task.request.categories === null,
        base,
        categories: categories.map(({ name, description = null }, index) => ({
          category: name,
          description,
          count: counts[index]!,
          share: computeShare(counts[index]!, base),
        })),
        uncategorized: { count: none, share: computeShare(none, base) },
        results: results.map(({ confidence }, index) => ({
          response_id: responseIds[index]!,
          category: categories[categoryOf[index]!]?.name ?? null,
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

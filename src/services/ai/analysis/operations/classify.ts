import type { Reading } from '../analysis-runs.ts';
import type { ProposedCategory, ProposedTheme, TextCategory } from '../analyst.ts';
import { countsOf, type Operation, runOf, shareOf, type Task } from './operation.ts';
import { MOST_PROPOSED, proposedThenRead, unreadOfProposed, wordsOf } from './proposed-themes.ts';

export interface ClassifyMembers {
  /** Whether the categories were proposed, as none were given. */
  proposed: boolean;
  /** Texts; shares are of it, from 0 to 1, unweighted. */
  base: number;
  categories: { category: string; description: string | null; count: number; share: number }[];
  uncategorized: { count: number; share: number };
  results: { response_id: number; category: string | null; confidence: number }[];
}

const runWith = (task: Task, categories: readonly ProposedCategory[]) =>
  runOf(task, 'classify', { categories });
const proposingOf = (task: Task) => runOf(task, 'suggest-categories', { most: MOST_PROPOSED });

const readingWith = (
  { analyst, run }: Task,
  categories: readonly ProposedCategory[],
  words: readonly string[],
): Reading<TextCategory> => ({
  atOnce: analyst.atOnce,
  mostTokens: (some) => analyst.mostTokens({ operation: 'classify', names: words }, some),
  read: (held, some) => analyst.classify(held, some, categories, run.signal),
  isRead: ({ category, confidence }) => category !== null || confidence > 0,
});

const asCategories = (themes: readonly ProposedTheme[]): ProposedCategory[] =>
  themes.map(({ name, description, keywords }) => ({ name, description, keywords }));

const NOTHING_FITS: TextCategory = { category: null, confidence: 0 };

async function read(task: Task, given: readonly string[] | null) {
  const { runs, analyst, gathered } = task;
  const { texts } = gathered;
  if (given !== null) {
    const categories = given.map((name) => ({ name }));
    const reading = readingWith(task, categories, given);
    const { result, ...took } = await runs.each(runWith(task, categories), texts, reading);
    return { categories: categories as ProposedCategory[], results: result, took };
  }
  const { result, ...took } = await proposedThenRead<TextCategory>(task, {
    proposing: {
      run: proposingOf(task),
      propose: (held, sample) => analyst.proposeCategories(held, sample, MOST_PROPOSED, task.run.signal),
    },
    reading: {
      run: (themes) => runWith(task, asCategories(themes)),
      of: (themes) => readingWith(task, asCategories(themes), themes.map(wordsOf)),
    },
  });
  const results = result.read ?? texts.map(() => NOTHING_FITS);
  return { categories: asCategories(result.proposed), results, took };
}

export const classify: Operation<ClassifyMembers> = {
  async unread(task) {
    const { runs, gathered, request } = task;
    if (request.categories === null)
      return unreadOfProposed(task, proposingOf(task), (themes) => runWith(task, asCategories(themes)));
    const categories = request.categories.map((name) => ({ name }));
    return (await runs.unread(runWith(task, categories), gathered.texts)).length;
  },

  async perform(task) {
    const { texts, responseIds } = task.gathered;
    const { categories, results, took } = await read(task, task.request.categories);
    const places = new Map(categories.map(({ name }, index) => [name, index]));
    const categoryOf = results.map(({ category }) => (category === null ? -1 : (places.get(category) ?? -1)));
    const base = texts.length;
    const { counts, none } = countsOf(categoryOf, categories.length);
    return {
      ...took,
      read: base,
      members: {
        proposed: task.request.categories === null,
        base,
        categories: categories.map(({ name, description = null }, index) => ({
          category: name,
          description,
          count: counts[index]!,
          share: shareOf(counts[index]!, base),
        })),
        uncategorized: { count: none, share: shareOf(none, base) },
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

  brief: ({ base, categories, uncategorized, proposed }) => ({ proposed, base, categories, uncategorized }),
};

import type { ProposedTheme } from '../analyst.ts';
import { type Example, evidenceOf } from '../evidence.ts';
import { type Operation, runOf, sampleOf, type Task } from './operation.ts';
import { MOST_PROPOSED, usableThemes } from './proposed-themes.ts';

export interface SuggestionMembers {
  categories: { category: string; description: string; examples: Example[] }[];
}

const proposingOf = (task: Task) => runOf(task, 'suggest-categories', { most: MOST_PROPOSED });

export const suggestCategories: Operation<SuggestionMembers> = {
  async unread(task) {
    const { texts } = sampleOf(task);
    return (await task.runs.known(proposingOf(task), texts)) === undefined ? texts.length : 0;
  },

  async perform(task) {
    const { runs, analyst, gathered } = task;
    const { texts, places } = sampleOf(task);
    const run = proposingOf(task);
    const mostTokens = analyst.mostTokens({ operation: run.operation }, texts);
    const { result, ...took } =
      texts.length === 0
        ? await runs.free<ProposedTheme[]>(run, [])
        : await runs.whole<ProposedTheme[]>(run, texts, mostTokens, async (held) =>
            usableThemes(await analyst.proposeCategories(held, texts, MOST_PROPOSED, run.signal)),
          );
    return {
      ...took,
      read: texts.length,
      members: {
        categories: result.map(({ name, description, examples }) => {
          const said = examples.flatMap((example) => places[example] ?? []);
          return { category: name, description, examples: evidenceOf(gathered, said).examples };
        }),
      },
      coding: null,
    };
  },

  brief: ({ categories }) => ({
    categories: categories.map(({ category, description }) => ({ category, description })),
  }),
};

import type { ProposedTheme } from '../text-analyzer.ts';
import { type Example, collectEvidence } from '../evidence.ts';
import { type TextOperationHandler, createRun, sampleTexts, type AnalysisTask } from './operation.ts';
import { MAX_PROPOSED, normalizeThemes } from './propose-themes.ts';

export interface SuggestionMembers {
  categories: { category: string; description: string; examples: Example[] }[];
}

const createProposalRun = (task: AnalysisTask) =>
  createRun(task, 'suggest-categories', { most: MAX_PROPOSED });

export const suggestCategories: TextOperationHandler<SuggestionMembers> = {
  async countUncached(task) {
    const { texts } = sampleTexts(task);
    return (await task.runs.findCached(createProposalRun(task), texts)) === undefined ? texts.length : 0;
  },

  async perform(task) {
    const { runs, analyst, textData: gathered } = task;
    const { texts, indices } = sampleTexts(task);
    const run = createProposalRun(task);
    const mostTokens = analyst.maxTokens({ operation: run.operation }, texts);
    const { result, ...billing } =
      texts.length === 0
        ? await runs.withoutCharge<ProposedTheme[]>(run, [])
        : await runs.runOnAll<ProposedTheme[]>(run, texts, mostTokens, async (reservation) =>
            normalizeThemes(await analyst.proposeCategories(reservation, texts, MAX_PROPOSED, run.signal)),
          );
    return {
      ...billing,
      read: texts.length,
      members: {
        categories: result.map(({ name, description, examples }) => {
          const cited = examples.flatMap((example) => indices[example] ?? []);
          return { category: name, description, examples: collectEvidence(gathered, cited).examples };
        }),
      },
      coding: null,
    };
  },

  summarizeForJob: ({ categories }) => ({
    categories: categories.map(({ category, description }) => ({ category, description })),
  }),
};

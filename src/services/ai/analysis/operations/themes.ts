import type { PerTextWork } from '../analysis-runs.ts';
import type { ProposedTheme } from '../text-analyzer.ts';
import { type Evidence, collectEvidence } from '../evidence.ts';
import {
  type TextOperationHandler,
  createRun,
  sampleTexts,
  computeShare,
  type AnalysisTask,
} from './operation.ts';
import {
  MAX_PROPOSED,
  proposeThenAnalyze,
  countUncachedWithProposal,
  formatTheme,
} from './propose-themes.ts';

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

const createProposalRun = (task: AnalysisTask) => createRun(task, 'themes', { propose: MAX_PROPOSED });
const createAssignRun = (task: AnalysisTask, themes: readonly ProposedTheme[]) =>
  createRun(task, 'themes', { themes: omitExamples(themes) });

const createWork = (
  { analyst, run }: AnalysisTask,
  themes: readonly ProposedTheme[],
): PerTextWork<number[]> => ({
  limits: analyst.batchLimits,
  maxTokens: (texts) => analyst.maxTokens({ operation: 'themes', names: themes.map(formatTheme) }, texts),
  analyze: (reservation, texts) => analyst.assignThemes(reservation, texts, themes, run.signal),
  // A text without a theme is a valid result.
  isCacheable: () => true,
});

export const themesOperation: TextOperationHandler<ThemesMembers> = {
  countUncached: (task) =>
    countUncachedWithProposal(task, createProposalRun(task), (proposed) => createAssignRun(task, proposed)),

  async perform(task) {
    const { textData: gathered } = task;
    const base = gathered.texts.length;
    const { result, ...billing } = await proposeThenAnalyze<number[]>(task, {
      proposing: {
        run: createProposalRun(task),
        propose: (reservation, sample) =>
          task.analyst.proposeThemes(reservation, sample, MAX_PROPOSED, task.run.signal),
      },
      reading: {
        run: (proposed) => createAssignRun(task, proposed),
        of: (proposed) => createWork(task, proposed),
      },
    });
    const { proposed } = result;
    const themesByText = result.read ?? gathered.texts.map((): number[] => []);
    const textsByTheme = proposed.map((): number[] => []);
    themesByText.forEach((found, index) => {
      for (const theme of new Set(found)) textsByTheme[theme]?.push(index);
    });
    const { indices } = sampleTexts(task);
    // Drops themes without texts.
    const order = proposed
      .map((_, index) => index)
      .filter((index) => textsByTheme[index]!.length > 0)
      .sort((a, b) => textsByTheme[b]!.length - textsByTheme[a]!.length);
    const rank = new Map(order.map((index, position) => [index, position]));
    const categoryOf = themesByText.map((found) => {
      const best = found.find((index) => rank.has(index));
      return best === undefined ? -1 : rank.get(best)!;
    });
    const withoutTheme = themesByText.filter((found) => found.length === 0).length;
    return {
      ...billing,
      read: base,
      members: {
        base,
        proposed_from: indices.length,
        themes: order.map((index) => {
          const { name, description, examples } = proposed[index]!;
          const best = examples.flatMap((example) => indices[example] ?? []);
          const evidence = collectEvidence(gathered, textsByTheme[index]!, best);
          return { theme: name, description, share: computeShare(evidence.count, base), ...evidence };
        }),
        without_theme: { count: withoutTheme, share: computeShare(withoutTheme, base) },
      },
      coding: {
        measure: 'nominal',
        categories: order.map((index) => ({ value: proposed[index]!.name, label: proposed[index]!.name })),
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

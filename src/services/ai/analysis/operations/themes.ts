import type { Reading } from '../analysis-runs.ts';
import type { ProposedTheme } from '../analyst.ts';
import { type Evidence, evidenceOf } from '../evidence.ts';
import { type Operation, runOf, sampleOf, shareOf, type Task } from './operation.ts';
import { MOST_PROPOSED, proposedThenRead, unreadOfProposed, wordsOf } from './proposed-themes.ts';

export interface ThemesMembers {
  /** Texts; shares are of it, from 0 to 1, unweighted. A text may be about several themes. */
  base: number;
  /** From so many of them the themes were made out. */
  proposed_from: number;
  /** The most common first. */
  themes: ({ theme: string; description: string; share: number } & Evidence)[];
  without_theme: { count: number; share: number };
}

/** What themes are made of; which texts show them best is told apart. */
const recognizedBy = (themes: readonly ProposedTheme[]) =>
  themes.map(({ name, description, keywords }) => ({ name, description, keywords }));

const proposingOf = (task: Task) => runOf(task, 'themes', { propose: MOST_PROPOSED });
const runWith = (task: Task, themes: readonly ProposedTheme[]) =>
  runOf(task, 'themes', { themes: recognizedBy(themes) });

const readingWith = ({ analyst, run }: Task, themes: readonly ProposedTheme[]): Reading<number[]> => ({
  atOnce: analyst.atOnce,
  mostTokens: (some) => analyst.mostTokens({ operation: 'themes', names: themes.map(wordsOf) }, some),
  read: (held, some) => analyst.assignThemes(held, some, themes, run.signal),
  // No theme is an answer, too.
  isRead: () => true,
});

export const themes: Operation<ThemesMembers> = {
  unread: (task) => unreadOfProposed(task, proposingOf(task), (proposed) => runWith(task, proposed)),

  async perform(task) {
    const { gathered } = task;
    const base = gathered.texts.length;
    const { result, ...took } = await proposedThenRead<number[]>(task, {
      proposing: {
        run: proposingOf(task),
        propose: (held, sample) => task.analyst.proposeThemes(held, sample, MOST_PROPOSED, task.run.signal),
      },
      reading: {
        run: (proposed) => runWith(task, proposed),
        of: (proposed) => readingWith(task, proposed),
      },
    });
    const { proposed } = result;
    const about = result.read ?? gathered.texts.map((): number[] => []);
    const saying = proposed.map((): number[] => []);
    about.forEach((found, place) => {
      for (const theme of new Set(found)) saying[theme]?.push(place);
    });
    const { places } = sampleOf(task);
    // A theme that nobody speaks of is none.
    const order = proposed
      .map((_, index) => index)
      .filter((index) => saying[index]!.length > 0)
      .sort((a, b) => saying[b]!.length - saying[a]!.length);
    const rank = new Map(order.map((index, place) => [index, place]));
    const categoryOf = about.map((found) => {
      const best = found.find((index) => rank.has(index));
      return best === undefined ? -1 : rank.get(best)!;
    });
    const without = about.filter((found) => found.length === 0).length;
    return {
      ...took,
      read: base,
      members: {
        base,
        proposed_from: places.length,
        themes: order.map((index) => {
          const { name, description, examples } = proposed[index]!;
          const best = examples.flatMap((example) => places[example] ?? []);
          const evidence = evidenceOf(gathered, saying[index]!, best);
          return { theme: name, description, share: shareOf(evidence.count, base), ...evidence };
        }),
        without_theme: { count: without, share: shareOf(without, base) },
      },
      coding: {
        measure: 'nominal',
        categories: order.map((index) => ({ value: proposed[index]!.name, label: proposed[index]!.name })),
        categoryOf,
      },
    };
  },

  brief: ({ base, themes: found, without_theme }) => ({
    base,
    themes: found.map(({ theme, count, share }) => ({ theme, count, share })),
    without_theme,
  }),
};

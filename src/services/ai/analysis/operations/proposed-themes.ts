import type { HeldCredits } from '../../../../domain/credits/held-credits.ts';
import type { Ran, Reading, Run } from '../analysis-runs.ts';
import type { ProposedTheme } from '../analyst.ts';
import { shortened } from '../evidence.ts';
import { sampleOf, type Task } from './operation.ts';

/** At most so many themes or categories are proposed. */
export const MOST_PROPOSED = 10;
const MAX_NAME = 100;
/** So long may be what is not known yet: a name with its description and keywords. */
const UNKNOWN_NAMES: readonly string[] = Array.from({ length: MOST_PROPOSED }, () => '…'.repeat(300));

export const wordsOf = ({ name, description, keywords }: ProposedTheme): string =>
  [name, description, ...keywords].join(' ');

/** Each name once, short enough to be the label of a category. */
export function usableThemes(proposed: readonly ProposedTheme[]): ProposedTheme[] {
  const byName = new Map<string, ProposedTheme>();
  for (const theme of proposed) {
    const name = shortened(theme.name.trim(), MAX_NAME);
    const key = name.toLowerCase();
    if (name !== '' && !byName.has(key)) byName.set(key, { ...theme, name });
  }
  return [...byName.values()].slice(0, MOST_PROPOSED);
}

/** What is proposed from the sample, and what every text then is by that: paid together, each kept for itself. */
export async function proposedThenRead<T>(
  task: Task,
  steps: {
    proposing: { run: Run; propose: (held: HeldCredits, sample: string[]) => Promise<ProposedTheme[]> };
    reading: { run: (proposed: ProposedTheme[]) => Run; of: (names: ProposedTheme[]) => Reading<T> };
  },
): Promise<Ran<{ proposed: ProposedTheme[]; read: T[] | null }>> {
  const { runs, analyst, gathered } = task;
  const { texts } = gathered;
  const { proposing, reading } = steps;
  if (texts.length === 0) return runs.free(reading.run([]), { proposed: [], read: null });
  const sample = sampleOf(task).texts;
  const known = await runs.known<ProposedTheme[]>(proposing.run, sample);
  const mostTokens =
    known === undefined
      ? analyst.mostTokens({ operation: proposing.run.operation }, sample) +
        analyst.mostTokens({ operation: reading.run([]).operation, names: UNKNOWN_NAMES }, texts)
      : reading.of(known).mostTokens(await runs.unread(reading.run(known), texts));
  return runs.whole(reading.run([]), ['proposed', texts], mostTokens, async (held) => {
    const proposed = await runs.wholeWithin(proposing.run, sample, async () =>
      usableThemes(await proposing.propose(held, sample)),
    );
    if (proposed.length === 0) return { proposed, read: null };
    return {
      proposed,
      read: await runs.eachWithin(held, reading.run(proposed), texts, reading.of(proposed)),
    };
  });
}

/** How many texts `proposedThenRead` would have to read. */
export async function unreadOfProposed(
  task: Task,
  proposing: Run,
  reading: (proposed: ProposedTheme[]) => Run,
): Promise<number> {
  const { runs, gathered } = task;
  const known = await runs.known<ProposedTheme[]>(proposing, sampleOf(task).texts);
  if (known === undefined) return gathered.texts.length;
  return (await runs.unread(reading(known), gathered.texts)).length;
}

import type { CreditReservation } from '../../../../domain/credits/credit-reservation.ts';
import type { BilledResult, PerTextWork, AnalysisRun } from '../analysis-runs.ts';
import type { ProposedTheme } from '../text-analyzer.ts';
import { truncateText } from '../evidence.ts';
import { sampleTexts, type AnalysisTask } from './operation.ts';

/** Maximum number of themes or categories proposed. */
export const MAX_PROPOSED = 10;
const MAX_NAME = 100;
/** For token estimates before the themes are known: the maximum size of a name with description and keywords. */
const UNKNOWN_NAMES: readonly string[] = Array.from({ length: MAX_PROPOSED }, () => '…'.repeat(300));

export const formatTheme = ({ name, description, keywords }: ProposedTheme): string =>
  [name, description, ...keywords].join(' ');

/** Removes duplicate names and truncates them to the length of a category label. */
export function normalizeThemes(proposed: readonly ProposedTheme[]): ProposedTheme[] {
  const byName = new Map<string, ProposedTheme>();
  for (const theme of proposed) {
    const name = truncateText(theme.name.trim(), MAX_NAME);
    const key = name.toLowerCase();
    if (name !== '' && !byName.has(key)) byName.set(key, { ...theme, name });
  }
  return [...byName.values()].slice(0, MAX_PROPOSED);
}

/** Proposes themes from a sample, then analyzes every text with them. Billed as one run; each step is cached separately. */
export async function proposeThenAnalyze<T>(
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
  const { runs, analyst, textData: gathered } = task;
  const { texts } = gathered;
  const { proposing, reading } = steps;
  if (texts.length === 0) return runs.withoutCharge(reading.run([]), { proposed: [], read: null });
  const sample = sampleTexts(task).texts;
  const known = await runs.findCached<ProposedTheme[]>(proposing.run, sample);
  const mostTokens =
    known === undefined
      ? analyst.maxTokens({ operation: proposing.run.operation }, sample) +
        analyst.maxTokens({ operation: reading.run([]).operation, names: UNKNOWN_NAMES }, texts)
      : reading.of(known).maxTokens(await runs.listUncached(reading.run(known), texts));
  return runs.runOnAll(reading.run([]), ['proposed', texts], mostTokens, async (reservation) => {
    const proposed = await runs.runStepOnAll(proposing.run, sample, async () =>
      normalizeThemes(await proposing.propose(reservation, sample)),
    );
    if (proposed.length === 0) return { proposed, read: null };
    return {
      proposed,
      read: await runs.runStepPerText(reservation, reading.run(proposed), texts, reading.of(proposed)),
    };
  });
}

/** Number of texts that `proposeThenAnalyze` would have to analyze. */
export async function countUncachedWithProposal(
  task: AnalysisTask,
  proposing: AnalysisRun,
  reading: (proposed: ProposedTheme[]) => AnalysisRun,
): Promise<number> {
  const { runs, textData: gathered } = task;
  const known = await runs.findCached<ProposedTheme[]>(proposing, sampleTexts(task).texts);
  if (known === undefined) return gathered.texts.length;
  return (await runs.listUncached(reading(known), gathered.texts)).length;
}

import type { Summary } from '../text-analyzer.ts';
import { type Evidence, collectEvidence } from '../evidence.ts';
import { type TextOperationHandler, createRun, sampleTexts } from './operation.ts';

export interface SummaryMembers {
  /** null without texts. */
  summary: string | null;
  points: ({ text: string } & Evidence)[];
  /** A sentence about the texts that the summary is based on. */
  basis: string;
}

export const summarize: TextOperationHandler<SummaryMembers> = {
  async countUncached(task) {
    const { texts } = sampleTexts(task);
    return (await task.runs.findCached(createRun(task, 'summarize'), texts)) === undefined ? texts.length : 0;
  },

  async perform(task) {
    const { runs, analyst, textData: gathered } = task;
    const { texts, indices } = sampleTexts(task);
    const run = createRun(task, 'summarize');
    const empty: Summary = { summary: '', points: [] };
    const mostTokens = analyst.maxTokens({ operation: 'summarize' }, texts);
    const { result, ...billing } =
      texts.length === 0
        ? await runs.withoutCharge(run, empty)
        : await runs.runOnAll<Summary>(run, texts, mostTokens, (reservation) =>
            analyst.summarize(reservation, texts, run.signal),
          );
    const points = result.points.map((point) => {
      const cited = [...new Set(point.texts)].flatMap((index) => indices[index] ?? []);
      return { text: point.text, ...collectEvidence(gathered, cited) };
    });
    return {
      ...billing,
      read: texts.length,
      members: {
        summary: texts.length === 0 ? null : result.summary,
        // Drops points without supporting texts.
        points: points.filter(({ count }) => count > 0),
        basis: describeBasis(texts.length, gathered.texts.length),
      },
      coding: null,
    };
  },

  summarizeForJob: ({ summary, basis }) => ({ summary, basis }),
};

function describeBasis(read: number, of: number): string {
  if (of === 0) return 'No text: none of the selected responses has one.';
  if (read === of) return `All ${of} texts of the selected responses.`;
  return `${read} of ${of} texts, spread evenly over the selected responses.`;
}

import type { Summary } from '../analyst.ts';
import { type Evidence, evidenceOf } from '../evidence.ts';
import { type Operation, runOf, sampleOf } from './operation.ts';

export interface SummaryMembers {
  /** null: there are no texts. */
  summary: string | null;
  points: ({ text: string } & Evidence)[];
  /** What it rests on, in words. */
  basis: string;
}

export const summarize: Operation<SummaryMembers> = {
  async unread(task) {
    const { texts } = sampleOf(task);
    return (await task.runs.known(runOf(task, 'summarize'), texts)) === undefined ? texts.length : 0;
  },

  async perform(task) {
    const { runs, analyst, gathered } = task;
    const { texts, places } = sampleOf(task);
    const run = runOf(task, 'summarize');
    const empty: Summary = { summary: '', points: [] };
    const mostTokens = analyst.mostTokens({ operation: 'summarize' }, texts);
    const { result, ...took } =
      texts.length === 0
        ? await runs.free(run, empty)
        : await runs.whole<Summary>(run, texts, mostTokens, (held) =>
            analyst.summarize(held, texts, run.signal),
          );
    const points = result.points.map((point) => {
      const said = [...new Set(point.texts)].flatMap((index) => places[index] ?? []);
      return { text: point.text, ...evidenceOf(gathered, said) };
    });
    return {
      ...took,
      read: texts.length,
      members: {
        summary: texts.length === 0 ? null : result.summary,
        // What nobody said is no point of theirs.
        points: points.filter(({ count }) => count > 0),
        basis: basisOf(texts.length, gathered.texts.length),
      },
      coding: null,
    };
  },

  brief: ({ summary, basis }) => ({ summary, basis }),
};

function basisOf(read: number, of: number): string {
  if (of === 0) return 'No text: none of the selected responses has one.';
  if (read === of) return `All ${of} texts of the selected responses.`;
  return `${read} of ${of} texts, spread evenly over the selected responses.`;
}

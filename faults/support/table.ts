import { wrapRow } from '../../test/support/text-columns.ts';
import type { ScenarioOutcome } from './scenario.ts';

export interface ScenarioResult {
  name: string;
  promise: string;
  /** Or the reason why it was not run. */
  outcome: ScenarioOutcome | string;
  seconds: number;
}

const HEAD = ['Promise', 'What was done', 'What was checked', 'Result'];
const WIDTHS = [24, 44, 50, 9];

/** Formats a row per scenario, followed by the evidence of violations. */
export function formatTable(all: readonly ScenarioResult[]): string {
  const rule = WIDTHS.map((width) => '-'.repeat(width)).join('-+-');
  const rows = all.flatMap((one) => [rule, ...row(cellsOf(one))]);
  const evidence = all.flatMap(({ name, outcome }) =>
    (typeof outcome === 'string' ? [] : outcome.breaks).map((text) => `${name}: ${text}`),
  );
  return [...row(HEAD), ...rows, rule, ...(evidence.length === 0 ? [] : ['', 'Evidence', ...evidence])].join(
    '\n',
  );
}

function cellsOf({ name, promise, outcome, seconds }: ScenarioResult): string[] {
  if (typeof outcome === 'string') return [`${promise} (${name})`, outcome, '', 'skipped'];
  const { done, checked, figures, breaks } = outcome;
  const result = `${breaks.length === 0 ? 'holds' : 'BROKEN'} ${Math.round(seconds)} s`;
  return [
    `${promise} (${name})`,
    done,
    figures === undefined ? checked : `${checked}. Observed: ${figures}`,
    result,
  ];
}

const row = (cells: readonly string[]): string[] => wrapRow(cells, WIDTHS, ' | ');

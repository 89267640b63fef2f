import { wrapRow } from '../../test/support/text-columns.ts';
import { formatVerdict, short, formatTarget, formatAmount } from './figure.ts';
import { formatMachine } from './machine.ts';
import { GROUPS, type BenchResult, type Group, type Results } from './results.ts';

export const HEADINGS = ['What', 'Canvass', 'Limit or baseline', 'Ratio', 'Target', 'Met'] as const;

/** A line across all columns, or a line of cells. */
export type Line = { group: Group } | { cells: readonly string[] };

/** The lines of the table for all output formats. A benchmark without figures has a line with the reason. */
export function tableLines(results: Results): Line[] {
  return GROUPS.flatMap((group): Line[] => {
    const benches = results.benches.filter((bench) => bench.group === group);
    const lines = benches.flatMap(linesOfBench);
    return lines.length === 0 ? [] : [{ group }, ...lines];
  });
}

function linesOfBench({ name, missing, figures }: BenchResult): Line[] {
  if (missing !== null)
    return [{ cells: [`\`${name}\``, `${missing.because}: ${missing.reason}`, '', '', '', ''] }];
  return figures.map((figure) => {
    const { what, ours, yardstick, against, ratio, target } = figure;
    const other = against === undefined ? formatAmount(yardstick) : `${against}: ${formatAmount(yardstick)}`;
    return {
      cells: [what, formatAmount(ours), other, short(ratio), formatTarget(target), formatVerdict(figure)],
    };
  });
}

export function formatRun({ machine, seed, many }: Results): string[] {
  return [
    formatMachine(machine),
    `Data by seed ${seed}; the largest survey has ${many.toLocaleString('en')} responses. Each ratio compares adjacent measurements of one run.`,
  ];
}

const WIDTHS = [62, 30, 40, 8, 8, 20];

/** Formats the table for a terminal. */
export function textTable(results: Results): string {
  const rule = WIDTHS.map((width) => '-'.repeat(width)).join('  ');
  const lines = tableLines(results).flatMap((line) =>
    'group' in line ? ['', line.group.toUpperCase()] : wrapRow(line.cells, WIDTHS, '  '),
  );
  return [...formatRun(results), '', ...wrapRow(HEADINGS, WIDTHS, '  '), rule, ...lines].join('\n');
}

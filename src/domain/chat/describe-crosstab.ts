import type { CrosstabFigure } from './chat-figure.ts';
import { joinWithAnd, formatNumber, formatPercent, formatPValue, shortenText } from './format-numbers.ts';

const MAX_ROWS = 12;
const MAX_COLUMNS = 8;

/** Describes a crosstab: percentages by group, differences, and their significance. */
export function describeCrosstab(table: CrosstabFigure): string {
  const { row, column, base, columns, rows, means } = table;
  if (base === 0)
    return `No respondents answered both ${quoted(row)} and ${quoted(column)}, so there is nothing to compare.`;
  const groups = columns.slice(0, MAX_COLUMNS);
  const bases = joinWithAnd(groups.map(({ label, base: size }) => `${label} (n = ${size})`));
  const lines = [
    `${quoted(row)} by ${quoted(column)}, ${base} responses: ${bases}${omittedNote(columns, MAX_COLUMNS)}.`,
  ];
  for (const { label, total_percent: total, cells } of rows.slice(0, MAX_ROWS)) {
    const groupTexts = groups.map(({ label: group }, index) => {
      const cell = cells[index];
      return `${group} ${formatPercent(cell?.percent ?? null)}${aboveText(cell?.above ?? [], table)}`;
    });
    lines.push(`- ${shortenText(label, 80)}: ${formatPercent(total)} of all; ${groupTexts.join(', ')}`);
  }
  if (rows.length > MAX_ROWS) lines.push(`- … and ${rows.length - MAX_ROWS} more.`);
  if (means !== null) {
    const groupTexts = groups.map(({ label }, index) => {
      const cell = means.cells[index];
      return `${label} ${formatNumber(cell?.mean ?? null)}${aboveText(cell?.above ?? [], table)}`;
    });
    lines.push(`- Mean: ${formatNumber(means.total)} of all; ${groupTexts.join(', ')}`);
  }
  lines.push(significanceText(table), ...table.notes);
  return lines.join('\n');
}

function significanceText(table: CrosstabFigure): string {
  const { chi_square: test, rows, means, columns } = table;
  const pairs = [...rows.flatMap(({ cells }) => cells), ...(means?.cells ?? [])].flatMap(
    ({ above }) => above,
  );
  const at95Count = pairs.filter((letter) => letter === letter.toUpperCase()).length;
  const marks =
    pairs.length === 0
      ? 'No difference between two groups is significant.'
      : `"Above" marks differences that are significant at 95 % (${at95Count} here)${pairs.length > at95Count ? ', "somewhat above" only at 90 %' : ''}.`;
  if (columns.length < 2) return 'There is only one group, so nothing can be compared.';
  if (test === null) return marks;
  const { name, p } = chosenTest(test);
  const figures = `${name}, ${formatPValue(p)}, Cramér’s V ${formatNumber(test.cramers_v)}`;
  return p < 0.05
    ? `Overall, the groups differ significantly (${figures}). ${marks}`
    : `Overall, the groups do not differ significantly (${figures}). ${marks}`;
}

/** The test to report: Fisher's exact test where chi-square is only approximate. */
function chosenTest(test: NonNullable<CrosstabFigure['chi_square']>): { name: string; p: number } {
  const { statistic, df, df2, p_value: p, fisher_p_value: exact, expected_below_5: sparse } = test;
  if (exact !== null && sparse > 0) return { name: 'Fisher’s exact test', p: exact };
  if (df2 === null) return { name: `chi-square ${formatNumber(statistic)}, df ${df}`, p };
  return {
    name: `Rao-Scott F ${formatNumber(statistic)}, df ${formatNumber(df)} and ${formatNumber(df2)}`,
    p,
  };
}

function aboveText(letters: readonly string[], { columns }: CrosstabFigure): string {
  const labelOf = (letter: string) =>
    columns.find((column) => column.letter.toUpperCase() === letter.toUpperCase())?.label ?? letter;
  const above95 = letters.filter((letter) => letter === letter.toUpperCase()).map(labelOf);
  const above90 = letters.filter((letter) => letter !== letter.toUpperCase()).map(labelOf);
  const parts = [
    ...(above95.length === 0 ? [] : [`above ${joinWithAnd(above95)}`]),
    ...(above90.length === 0 ? [] : [`somewhat above ${joinWithAnd(above90)}`]),
  ];
  return parts.length === 0 ? '' : ` (${parts.join('; ')})`;
}

const quoted = (label: string) => `“${shortenText(label, 120)}”`;
const omittedNote = (all: readonly unknown[], shown: number) =>
  all.length > shown ? `; ${all.length - shown} more not shown` : '';

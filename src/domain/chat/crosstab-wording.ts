import type { CrosstabFigure } from './chat-figure.ts';
import { listed, numberText, percentText, pText, shortened } from './figure-numbers.ts';

const ROWS_TOLD = 12;
const COLUMNS_TOLD = 8;

/** A table in words: what each group says, what differs, and whether that may be chance. */
export function crosstabText(table: CrosstabFigure): string {
  const { row, column, base, columns, rows, means } = table;
  if (base === 0)
    return `Nobody answered both ${quoted(row)} and ${quoted(column)}, so there is nothing to compare.`;
  const groups = columns.slice(0, COLUMNS_TOLD);
  const bases = listed(groups.map(({ label, base: size }) => `${label} (n = ${size})`));
  const lines = [
    `${quoted(row)} by ${quoted(column)}, ${base} responses: ${bases}${moreThan(columns, COLUMNS_TOLD)}.`,
  ];
  for (const { label, total_percent: total, cells } of rows.slice(0, ROWS_TOLD)) {
    const each = groups.map(({ label: group }, place) => {
      const cell = cells[place];
      return `${group} ${percentText(cell?.percent ?? null)}${aboveText(cell?.above ?? [], table)}`;
    });
    lines.push(`- ${shortened(label, 80)}: ${percentText(total)} of all; ${each.join(', ')}`);
  }
  if (rows.length > ROWS_TOLD) lines.push(`- … and ${rows.length - ROWS_TOLD} more.`);
  if (means !== null) {
    const each = groups.map(({ label }, place) => {
      const cell = means.cells[place];
      return `${label} ${numberText(cell?.mean ?? null)}${aboveText(cell?.above ?? [], table)}`;
    });
    lines.push(`- Mean: ${numberText(means.total)} of all; ${each.join(', ')}`);
  }
  lines.push(significanceText(table), ...table.notes);
  return lines.join('\n');
}

function significanceText(table: CrosstabFigure): string {
  const { chi_square: test, rows, means, columns } = table;
  const pairs = [...rows.flatMap(({ cells }) => cells), ...(means?.cells ?? [])].flatMap(
    ({ above }) => above,
  );
  const sure = pairs.filter((letter) => letter === letter.toUpperCase()).length;
  const marks =
    pairs.length === 0
      ? 'No single difference between two groups is significant.'
      : `"Above" marks differences that are significant at 95 % (${sure} here)${pairs.length > sure ? ', "somewhat above" at 90 % only' : ''}.`;
  if (columns.length < 2) return 'There is only one group, so nothing can be compared.';
  if (test === null) return marks;
  const { name, p } = chosenTest(test);
  const figures = `${name}, ${pText(p)}, Cramér’s V ${numberText(test.cramers_v)}`;
  return p < 0.05
    ? `Taken together the groups differ significantly (${figures}). ${marks}`
    : `Taken together the differences may well be chance: they are not significant (${figures}). ${marks}`;
}

/** The test that the answer rests on: the exact one where chi-square is only approximate. */
function chosenTest(test: NonNullable<CrosstabFigure['chi_square']>): { name: string; p: number } {
  const { statistic, df, df2, p_value: p, fisher_p_value: exact, expected_below_5: sparse } = test;
  if (exact !== null && sparse > 0) return { name: 'Fisher’s exact test', p: exact };
  if (df2 === null) return { name: `chi-square ${numberText(statistic)}, df ${df}`, p };
  return { name: `Rao-Scott F ${numberText(statistic)}, df ${numberText(df)} and ${numberText(df2)}`, p };
}

function aboveText(letters: readonly string[], { columns }: CrosstabFigure): string {
  const labelOf = (letter: string) =>
    columns.find((column) => column.letter.toUpperCase() === letter.toUpperCase())?.label ?? letter;
  const sure = letters.filter((letter) => letter === letter.toUpperCase()).map(labelOf);
  const likely = letters.filter((letter) => letter !== letter.toUpperCase()).map(labelOf);
  const parts = [
    ...(sure.length === 0 ? [] : [`above ${listed(sure)}`]),
    ...(likely.length === 0 ? [] : [`somewhat above ${listed(likely)}`]),
  ];
  return parts.length === 0 ? '' : ` (${parts.join('; ')})`;
}

const quoted = (label: string) => `“${shortened(label, 120)}”`;
const moreThan = (all: readonly unknown[], told: number) =>
  all.length > told ? `; ${all.length - told} more are not told here` : '';

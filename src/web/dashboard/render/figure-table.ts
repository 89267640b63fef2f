import type { ChartFigures, ChartSeries } from '../../../domain/charts/chart-data.ts';
import { isCounting } from '../../../domain/charts/chart-types.ts';
import { letterOf } from '../../../domain/charts/drawing/legend.ts';
import { figureText, numberText } from '../../../domain/charts/figure-text.ts';
import { html, type Html } from '../../shared/html.ts';

interface Column {
  name: string;
  /** As people read it. */
  text: (row: number) => string | null;
  value: (row: number) => number | null;
  letters: (row: number) => readonly string[];
  /** The foot: whom the column is of. */
  base: number | null;
}

const NO_LETTERS: readonly string[] = [];

/** The figures of a chart as a table: for whoever does not see the picture, for hovering, and for files. */
export function figureTable(figures: ChartFigures, title: string, decimals: number | undefined): Html {
  const { categories, dimension, series } = figures;
  const columns = columnsOf(figures, decimals);
  const categoryLetters = lettersOfCategories(figures);
  const head = columns.map(({ name }) => html`<th scope="col">${name}</th>`);
  const rows = categories.map(({ label, is_net: isNet }, row) => {
    const cells = columns.map((column) => cellOf(column, row));
    return html`<tr${isNet === true ? html` class="net"` : null}><th scope="row">${label}${categoryLetters[row] ?? null}</th>${cells}</tr>`;
  });
  const bases = columns.map(({ base }) => html`<td>${base === null ? '–' : numberText(base, 0)}</td>`);
  const foot = series.length > 1 || isCounting(figures.aggregation.function);
  return html`<table class="figures">
    <caption class="unseen">
      ${title}
    </caption>
    <thead>
      <tr>
        <th scope="col">${dimension.label}</th>
        ${head}
      </tr>
    </thead>
    <tbody>
      ${rows}
    </tbody>
    ${
      foot &&
      html`<tfoot>
        <tr>
          <th scope="row">Base (n)</th>
          ${bases}
        </tr>
      </tfoot>`
    }
  </table>`;
}

function cellOf({ text, value, letters }: Column, row: number): Html {
  const shown = text(row);
  if (shown === null)
    return html`<td><span aria-hidden="true">–</span><span class="unseen">not shown</span></td>`;
  const marks = letters(row);
  return html`<td data-value="${value(row)}">
    ${shown}${marks.length > 0 && html` <b class="letters">${marks.join('')}</b>`}
  </td>`;
}

function columnsOf(figures: ChartFigures, decimals: number | undefined): Column[] {
  const { series, aggregation } = figures;
  const compared = series.filter(({ letters }) => letters !== undefined).length > 1;
  const [first] = series;
  if (series.length === 1 && isCounting(aggregation.function)) {
    const share: Column = {
      ...drawn(first!, 'Percent'),
      value: (row) => first!.percents[row] ?? null,
      text: (row) => told(first!.percents[row], (value) => figureText(value, 'percent', decimals)),
    };
    const count: Column = {
      ...share,
      name: 'Count',
      letters: () => NO_LETTERS,
      value: (row) => first!.counts[row] ?? null,
      text: (row) => told(first!.counts[row], (value) => numberText(value, 0)),
    };
    return [share, count];
  }
  const columns = series.map((one, place): Column => {
    const name = compared && one.drawn_as !== 'line' ? `${one.name} (${letterOf(place)})` : one.name;
    const function_ = one.drawn_as === 'line' ? 'mean' : aggregation.function;
    return {
      ...drawn(one, name),
      text: (row) => told(one.values[row], (value) => figureText(value, function_, decimals)),
    };
  });
  if (series.length > 1 || first === undefined) return columns;
  return [
    ...columns,
    {
      ...drawn(first, 'n'),
      letters: () => NO_LETTERS,
      value: (row) => first.counts[row] ?? null,
      text: (row) => told(first.counts[row], (value) => numberText(value, 0)),
    },
  ];
}

const drawn = ({ values, letters, base }: ChartSeries, name: string): Omit<Column, 'text'> => ({
  name,
  value: (row) => values[row] ?? null,
  letters: (row) => letters?.[row] ?? NO_LETTERS,
  base: base?.unweighted ?? null,
});

const told = (value: number | null | undefined, text: (value: number) => string): string | null =>
  value == null ? null : text(value);

/** Where categories are compared, because there is one series, they are the columns that letters name. */
function lettersOfCategories({ series, categories }: ChartFigures): (string | null)[] {
  if (series.filter(({ letters }) => letters !== undefined).length !== 1) return categories.map(() => null);
  let place = 0;
  return categories.map(({ is_net: isNet }) => (isNet === true ? null : ` (${letterOf(place++)})`));
}

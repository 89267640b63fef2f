import type { ChartFigures } from '../../../domain/charts/chart-data.ts';
import { isCounting } from '../../../domain/charts/chart-config.ts';
import {
  categoryLetters,
  type FigureColumn,
  figureColumns,
  formatNumber,
  hasCategoryBases,
} from '../../../domain/charts/figure-texts.ts';
import { html, type Html } from '../../shared/html.ts';
import { texts } from '../texts.ts';

/** Renders the figures of a chart as a table: for screen readers, tooltips and downloads. */
export function renderFigureTable(figures: ChartFigures, title: string, decimals: number | undefined): Html {
  const { categories, dimension, series } = figures;
  const columns = figureColumns(figures, decimals);
  const letters = categoryLetters(figures);
  const head = columns.map(({ name, letter }) => html`<th scope="col">${name}${inBrackets(letter)}</th>`);
  const rows = categories.map(({ label, is_net: isNet }, row) => {
    const cells = columns.map((column) => renderCell(column, row));
    return html`<tr${isNet === true ? html` class="net"` : null}><th scope="row">${label}${inBrackets(letters[row] ?? null)}</th>${cells}</tr>`;
  });
  const bases = columns.map(
    ({ base }) => html`<td>${base === null ? '–' : formatNumber(base.unweighted, 0)}</td>`,
  );
  const hasBaseRow =
    !hasCategoryBases(figures) && (series.length > 1 || isCounting(figures.aggregation.function));
  return html`<table class="figures">
    <caption class="visually-hidden">
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
      hasBaseRow &&
      html`<tfoot>
        <tr>
          <th scope="row">${texts.figure.base}</th>
          ${bases}
        </tr>
      </tfoot>`
    }
  </table>`;
}

function renderCell({ text, value, letters }: FigureColumn, row: number): Html {
  const shown = text(row);
  if (shown === null)
    return html`<td>
      <span aria-hidden="true">–</span><span class="visually-hidden">${texts.figure.hiddenValue}</span>
    </td>`;
  const marks = letters(row);
  return html`<td data-value="${value(row)}">
    ${shown}${marks.length > 0 && html` <b class="letters">${marks.join('')}</b>`}
  </td>`;
}

const inBrackets = (letter: string | null) => letter !== null && ` (${letter})`;

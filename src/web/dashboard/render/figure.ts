import { type ChartOptions, isCounting } from '../../../domain/charts/chart-config.ts';
import type {
  ChartBase,
  ChartFigures,
  ChartNote,
  VariableFigure,
} from '../../../domain/charts/chart-data.ts';
import type { ChartDrawing } from '../../../domain/charts/drawing/chart-drawing.ts';
import { createChartDrawing, figureTypeOf } from '../../../domain/charts/registry.ts';
import { drawSparkline } from '../../../domain/charts/types/variable.ts';
import {
  categoryLetters,
  type FigureColumn,
  formatChange,
  formatFigure,
  formatNumber,
  hasCategoryBases,
  isWeightedBase,
  lettersNote,
} from '../../../domain/charts/figures/figure-texts.ts';
import { html, type Html, trustedHtml } from '../../shared/html.ts';
import type { DashboardElement } from '../dashboard-content.ts';
import { texts } from '../texts.ts';
import { PAGE_CHART_THEME } from './page.ts';

/** Renders the figures of a chart as a table: for screen readers, tooltips and downloads. */
function renderFigureTable(figures: ChartFigures, title: string, decimals: number | undefined): Html {
  const { categories, dimension, series } = figures;
  const columns = figureTypeOf(figures).columns(figures, decimals);
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
  return html`<table class="table figures">
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

export type Draw = (drawing: ChartDrawing, name: string) => string;

/** Width in pixels of the drawing for phones; a chart narrower than WIDE_FROM is drawn only once. */
const NARROW_WIDTH = 320;
const MIN_WIDE_WIDTH = 400;

/** Notes that apply to the whole page are shown once, at its end. */
const PAGE_NOTES = new Set<ChartNote['code']>(['rounded']);
/** Notes that change how the whole page is read are in its header. */
const HEADER_NOTES = new Set<ChartNote['code']>(['test_responses_only']);
/** Notes that are figures themselves are below the title. */
const TITLE_NOTES = new Set<ChartNote['code']>(['net_promoter_score']);

const TABLE_ICON = html`<svg viewBox="0 0 20 20" aria-hidden="true">
  <rect x="3" y="4" width="14" height="12" rx="2" />
  <path d="M3 8h14M3 12h14M8 8v8" />
</svg>`;

interface FigureFrame {
  element: DashboardElement;
  title: string;
  /** Pixels, at the full width of the page. */
  width: number;
  height: number;
  draw: Draw;
}

/** Renders a chart as an image with its table and base, a KPI as a number, and a table as a table. */
export function renderFigure(figures: ChartFigures, frame: FigureFrame): Html {
  const { element, title } = frame;
  const { options = {} } = element.chart_config as { options?: Partial<ChartOptions> };
  const { base, suppressed, notes, categories } = figures;
  const { view, page, emptyText, showsOneNumber } = figureTypeOf(figures);
  if (base === null || base.unweighted === 0 || categories.length === 0) {
    if (base === null || suppressed === true) return renderHidden(notes);
    return html`<p class="blank"><strong>${emptyText.title}</strong>${emptyText.text}</p>`;
  }
  // A percentage of selected answers names these answers.
  const answers = figures.aggregation.value === undefined ? null : figures.aggregation.label;
  const foot = html`${renderNote(answers)}${renderBase(base)}${renderNote(lettersNote(figures))}${renderNotes(notes)}`;
  if (view === 'number') {
    const value = figures.series[0]?.values[0] ?? null;
    const text = value === null ? '–' : formatFigure(value, figures.aggregation.function, options.decimals);
    return html`<p class="number">${text}</p>
      <div class="foot">${foot}</div>`;
  }
  const table = renderFigureTable(figures, title, options.decimals);
  const region = html`<div
    class="scroll"
    tabindex="0"
    role="region"
    aria-label="${texts.figure.tableRegion(title)}"
  >
    ${table}
  </div>`;
  if (view === 'table')
    return html`${region}
      <div class="foot">${foot}</div>`;
  const style = `${page.isCentered ? ' centered' : ''}${showsOneNumber ? ' compact' : ''}`;
  const nearest = page.hasSmallMarks ? ' data-nearest' : '';
  return html`<div class="pictures${style}" data-by="${page.tooltip(figures)}" ${nearest}>
      ${renderPictures(figures, options, frame)}
    </div>
    <div class="foot">
      <div>${foot}</div>
      <details class="as-table">
        <summary title="${texts.figure.table}">
          ${TABLE_ICON}<span class="visually-hidden">${texts.figure.tableOf(title)}</span>
        </summary>
        ${region}
      </details>
    </div>`;
}

function renderPictures(figures: ChartFigures, options: Partial<ChartOptions>, frame: FigureFrame): Html[] {
  const { element, title, width, height, draw } = frame;
  const sizes =
    width < MIN_WIDE_WIDTH
      ? [{ at: '', width }]
      : [
          { at: ' wide', width },
          { at: ' narrow', width: NARROW_WIDTH },
        ];
  const label = texts.figure.image(title, figureTypeOf(figures).name);
  return sizes.flatMap((size) => {
    const drawing = createChartDrawing({
      figures,
      options,
      theme: PAGE_CHART_THEME,
      width: size.width,
      height: size.at === ' narrow' ? 210 : height,
    });
    if (drawing === null) return [];
    const svg = draw(drawing, `c${element.chart_id}${size.at.trim().slice(0, 1)}`);
    return [html`<div class="picture${size.at}" role="img" aria-label="${label}">${trustedHtml(svg)}</div>`];
  });
}

const hiddenText = (notes: readonly ChartNote[]): string =>
  notes.find(({ code }) => code === 'small_groups_hidden')?.message ?? texts.figure.tooFewRespondents;

/** Renders the reason why figures are suppressed. */
function renderHidden(notes: readonly ChartNote[]): Html {
  return html`<p class="blank"><strong>${texts.figure.notShown}</strong>${hiddenText(notes)}</p>
    ${renderNotes(notes.filter(({ code }) => code !== 'small_groups_hidden'))}`;
}

function renderBase(base: ChartBase): Html {
  const { unweighted, weighted, effective } = base;
  const weightedText =
    isWeightedBase(base) &&
    html` <span>${texts.figure.weighted(formatNumber(weighted, 0), formatNumber(effective, 0))}</span>`;
  return html`<p class="base">n = ${formatNumber(unweighted, 0)}${weightedText}</p>`;
}

const renderNote = (text: string | null): Html | false => text !== null && html`<p class="note">${text}</p>`;

const renderNotes = (notes: readonly ChartNote[]): Html[] =>
  notes
    .filter(({ code }) => ![PAGE_NOTES, HEADER_NOTES, TITLE_NOTES].some((codes) => codes.has(code)))
    .map(({ message }) => html`<p class="note">${message}</p>`);

/** Returns the notes below the title of a figure. */
export const collectTitleNotes = (notes: readonly ChartNote[]): string[] =>
  notes.filter(({ code }) => TITLE_NOTES.has(code)).map(({ message }) => message);

/** Returns the notes that apply to the whole page, without duplicates: in its header and at its end. */
export function collectPageNotes(notes: readonly ChartNote[]): { header: string[]; end: string[] } {
  const collect = (codes: typeof PAGE_NOTES) => [
    ...new Set(notes.filter(({ code }) => codes.has(code)).map(({ message }) => message)),
  ];
  return { header: collect(HEADER_NOTES), end: collect(PAGE_NOTES) };
}

interface VariableStyle {
  prefix?: string;
  suffix?: string;
  decimals?: number;
}

/** Renders a variable: its value, the change since the previous wave, and its trend. */
export function renderVariable(figure: VariableFigure, { element, draw }: FigureFrame): Html {
  const { prefix = '', suffix = '', decimals } = element.chart_config.variable as VariableStyle;
  const { value, change, waves, base, notes, suppressed } = figure;
  if (value === null && suppressed === true) return renderHidden(notes);
  const decimalPlaces = decimals ?? (figure.metric === 'mean' ? 2 : 0);
  const unit = (part: string) => part !== '' && html`<span class="unit">${part}</span>`;
  const text =
    value === null ? '–' : html`${unit(prefix)}${formatNumber(value, decimalPlaces)}${unit(suffix)}`;
  const points = figure.sparkline ?? [];
  const spark =
    points.filter((point) => point.value !== null).length > 1
      ? draw(
          drawSparkline(points, { theme: PAGE_CHART_THEME, width: 220, height: 44 }),
          `v${element.chart_id}`,
        )
      : null;
  return html`<p class="number">${text}</p>
    ${change == null ? null : renderChange({ change, decimals: decimalPlaces, suffix, since: waves?.previous ?? null })}
    ${spark !== null && html`<div class="spark" role="img" aria-label="${sparklineText(points, decimalPlaces)}">${trustedHtml(spark)}</div>`}
    <div class="foot">${base !== null && renderBase(base)}${renderNotes(notes)}</div>`;
}

function renderChange({
  change,
  decimals,
  suffix,
  since,
}: {
  change: number;
  decimals: number;
  suffix: string;
  since: string | null;
}): Html {
  const text = `${formatChange(change, decimals)}${suffix}`;
  const direction = change > 0 ? 'up' : change < 0 ? 'down' : 'same';
  return html`<p class="change ${direction}">
    <strong>${text}</strong> ${texts.figure.since} ${since ?? texts.figure.previousWave}
  </p>`;
}

function sparklineText(points: NonNullable<VariableFigure['sparkline']>, decimals: number): string {
  const known = points.flatMap(({ value, at }) =>
    value === null ? [] : [texts.figure.trendPoint(formatNumber(value, decimals), at)],
  );
  return texts.figure.trend(known.at(0) ?? '', known.at(-1) ?? '');
}

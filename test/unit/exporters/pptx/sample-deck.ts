import type { ChartColumn, ChartFigures, ChartSeries } from '../../../../src/domain/charts/chart-data.ts';
import type { AggregationName } from '../../../../src/domain/charts/chart-config.ts';
import type { FigureChart } from '../../../../src/domain/charts/registry.ts';
import type {
  DeckChart,
  DeckHeader,
  DeckImage,
  DeckSlide,
  DeckTable,
} from '../../../../src/domain/reports/deck.ts';
import { reportSettingsOf } from '../../../../src/domain/reports/report.ts';

/** One red pixel. */
const PIXEL =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==';

export const picture: DeckImage = {
  kind: 'png',
  bytes: new Uint8Array(Buffer.from(PIXEL, 'base64')),
  width: 160,
  height: 90,
};

export function head(settings: object = {}, rest: Partial<DeckHeader> = {}): DeckHeader {
  return {
    title: 'What people are like',
    description: 'Big Five, 2026',
    organization: 'Probe & Partners',
    author: 'Ada Writer',
    createdAt: new Date('2026-11-21T12:00:00Z'),
    style: { ...reportSettingsOf(settings), logo: null },
    ...rest,
  };
}

const column = (label: string, measure: ChartColumn['measure'] = 'nominal'): ChartColumn => ({
  column_code: 'q1',
  label,
  measure,
});

export interface FiguresChoice {
  type: FigureChart;
  categories: readonly string[];
  series: readonly (Partial<ChartSeries> & { values: (number | null)[] })[];
  aggregation?: AggregationName;
  measure?: ChartColumn['measure'];
  /** Of the column whose categories are the series; absent: one series. */
  seriesMeasure?: ChartColumn['measure'];
  base?: number;
}

export function figures(choice: FiguresChoice): ChartFigures {
  const {
    type,
    categories,
    series,
    aggregation = 'percent',
    measure = 'nominal',
    seriesMeasure,
    base = 1204,
  } = choice;
  return {
    chart_type: type,
    dimension: column('How often do you feel full of energy?', measure),
    series_by: seriesMeasure === undefined ? null : { ...column('Age', seriesMeasure), column_code: 'age' },
    aggregation: { function: aggregation, label: 'Percent' },
    categories: categories.map((label, index) => ({ code: index + 1, value: String(index + 1), label })),
    series: series.map(({ name = 'Percent', values, ...rest }) => ({
      name,
      values,
      counts: values.map((value) => (value === null ? null : Math.round(value * 10))),
      percents: values,
      base: { unweighted: base, weighted: base, effective: base },
      ...rest,
    })),
    base: { unweighted: base, weighted: base, effective: base },
    notes: [],
  };
}

export function chart(choice: FiguresChoice, rest: Partial<DeckChart> = {}): DeckChart {
  return {
    title: null,
    figures: figures(choice),
    options: {},
    axisMax: null,
    source: ['“How often do you feel full of energy?”', 'Base: everybody who answered, n = 1,204. Weighted.'],
    alt: 'Bar chart of energy: always 12%, never 3%',
    ...rest,
  };
}

const frame = { part: null, notes: 'Say this.\nBase: n = 1,204' };

export const chartSlide = (title: string | null, ...charts: DeckChart[]): DeckSlide => ({
  type: 'chart',
  title,
  charts,
  markdown: null,
  ...frame,
});

export const SCALE = ['Always', 'Often', 'Sometimes', 'Rarely', 'Never'];
const SHARES = [12.345678901234567, 30.5, 35.125, 15.2, 6.829321];
const WAVES = ['Q1 2025', 'Q2 2025', 'Q3 2025', 'Q4 2025', 'Q1 2026'];
const GROUPS = ['18 to 34', '35 to 54', '55 and above'];
const spread = (by: number) => SHARES.map((share, index) => share + by * (index - 2));

const table: DeckTable = {
  corner: 'Energy',
  columns: [
    { label: 'Total', letter: null },
    { label: 'Men', letter: 'A', heading: 'Sex' },
    { label: 'Women', letter: 'B', heading: 'Sex' },
    ...GROUPS.map((label, index) => ({ label, letter: 'CDE'[index]!, heading: 'Age' })),
  ],
  rows: [
    { label: 'How often do you feel full of energy?', kind: 'heading', cells: [] },
    { label: 'Base (n)', kind: 'base', cells: cellsOf(['1,204', '590', '614', '380', '450', '374']) },
    ...SCALE.map((label, index) => ({
      label,
      kind: 'category' as const,
      cells: cellsOf(
        [1, 2, 3, 4, 5, 6].map((by) => `${Math.round(SHARES[index]! + by)}%`),
        index === 0 ? 'AB' : '',
      ),
    })),
    { label: 'Top 2', kind: 'net', cells: cellsOf(['43%', '41%', '45%', '50%', '42%', '37%'], 'B') },
    { label: 'Mean', kind: 'mean', cells: cellsOf(['3.27', '3.21', '3.33', '3.44', '3.25', '3.10']) },
  ],
  source: ['Letters: higher than that column, with 95% confidence.', 'Base: everybody who answered.'],
};

function cellsOf(texts: string[], letters = '') {
  return texts.map((text, index) => ({ text, letters: index === 2 ? letters : '' }));
}

const TEXT = `Three things stand out:

- **Energy falls with age**, most of all after 54
- The *middle* of the scale is where most people are
  - so are people in other countries
- See [the method](https://example.org/method?a=1&b=2) for how this was asked

1. First
2. Second

> A quote from somebody

A plain paragraph with \`code\` & <b>markup</b> that is text.`;

/** Ages in classes of width 5. */
export const classes = (count: number): Pick<FiguresChoice, 'categories' | 'series' | 'aggregation'> => ({
  categories: Array.from({ length: count }, (_, index) => `${index * 5}–${index * 5 + 4}`),
  series: [
    { name: 'Count', values: Array.from({ length: count }, (_, index) => 90_000 - 99 * (index - 6) ** 2) },
  ],
  aggregation: 'count',
});

/** A deck with a slide of every kind, and every kind of chart. */
export function everySlide(): DeckSlide[] {
  const bars = chart({ type: 'bar', categories: SCALE, series: [{ values: SHARES }], measure: 'ordinal' });
  const one = (type: FigureChart, rest: Partial<FiguresChoice> = {}, more: Partial<DeckChart> = {}) =>
    chart({ type, categories: SCALE, series: [{ values: SHARES }], measure: 'ordinal', ...rest }, more);
  const groups = GROUPS.map((name, index) => ({ name, values: spread(index) }));
  const letters = SCALE.map((_, index) => (index === 1 ? ['B', 'c'] : []));
  const lettered = groups.map((group) => ({ ...group, letters }));
  const cross = { series: groups, seriesMeasure: 'ordinal' } as const;
  const stacked: Partial<FiguresChoice> = {
    categories: GROUPS,
    seriesMeasure: 'ordinal',
    series: SCALE.map((name, index) => ({ name, values: [SHARES[index]!, SHARES[index]!, SHARES[index]!] })),
  };
  const course = [3.1, 3.25, null, 3.4, 3.512345];
  return [
    {
      ...frame,
      type: 'title',
      title: 'What people are like',
      subtitle: 'A report on the Big Five · November 2026',
    },
    { ...frame, type: 'section', title: 'Energy', subtitle: 'How people feel' },
    { ...frame, type: 'text', title: 'In short', markdown: TEXT },
    chartSlide('Most people are in the middle of the scale', bars),
    chartSlide('Bars that lie', one('horizontal-bar')),
    chartSlide('Bars side by side', one('bar', { ...cross, series: lettered })),
    chartSlide('Lying bars of three groups', one('horizontal-bar', { ...cross, series: lettered })),
    chartSlide('Stacked to 100%', one('stacked-bar', stacked, { options: { stacked_percent: true } })),
    chartSlide('One stacked bar', one('stacked-bar')),
    chartSlide(
      'A course',
      one('line', { categories: WAVES, series: [{ values: course }], aggregation: 'mean' }),
    ),
    chartSlide('Two courses', one('line', { categories: WAVES, series: groups.slice(0, 2) })),
    chartSlide('An area', one('area', { categories: WAVES, series: [{ values: SHARES }] })),
    chartSlide(
      'Bars and a line',
      one('line-bar', {
        categories: WAVES,
        aggregation: 'count',
        series: [
          { name: 'Answers', values: [120, 130, 125, 160, 180] },
          { name: 'Mean', values: [3.1, 3.2, 3.3, 3.25, 3.6], drawn_as: 'line' },
        ],
      }),
    ),
    chartSlide('A pie', one('pie')),
    chartSlide('A donut', one('donut', { measure: 'nominal' })),
    chartSlide('A radar', one('radar', { ...cross, aggregation: 'mean' })),
    chartSlide('A gauge', one('gauge', { categories: ['Energy'], series: [{ values: [62.5] }] })),
    chartSlide('One figure', one('kpi', { categories: ['Energy'], series: [{ values: [42.25] }] })),
    chartSlide('As a table', one('table')),
    {
      ...frame,
      type: 'chart',
      title: 'With words beside it',
      charts: [bars],
      markdown: TEXT,
    },
    chartSlide(
      'Two charts beside each other',
      { ...one('donut'), title: 'Energy' },
      { ...one('horizontal-bar'), title: 'The same, as bars' },
    ),
    chartSlide(
      'Two that cannot be shown',
      { ...bars, title: 'Deleted', figures: { problem: 'The question of this chart was deleted.' } },
      {
        ...bars,
        title: 'Empty',
        figures: { ...figures({ type: 'bar', categories: [], series: [] }), base: null },
      },
    ),
    { ...frame, type: 'table', title: 'Energy by sex and age', table },
    { ...frame, type: 'table', title: 'Gone', table: { problem: 'The survey of this table was deleted.' } },
    {
      ...frame,
      type: 'image',
      title: 'A picture',
      picture,
      alt: 'A red field',
      caption: 'Red, as it is seen',
    },
    {
      ...frame,
      type: 'image',
      title: 'No picture',
      picture: { problem: 'The picture was deleted.' },
      alt: null,
      caption: null,
    },
    {
      ...frame,
      type: 'key-figures',
      title: 'Key figures',
      markdown: 'All of them are of **wave 2**.',
      figures: [
        {
          label: 'Responses',
          value: '1,204',
          change: { direction: 'up', text: '+104 since Wave 1' },
          sparkline: [],
          source: ['n = 1,204'],
        },
        {
          label: 'Mean energy',
          value: '3.27',
          change: { direction: 'down', text: '−0.1 since Wave 1' },
          sparkline: course.map((value, index) => ({ at: WAVES[index]!, value })),
          source: ['n = 1,190'],
        },
        { label: 'Recommend us', value: '45%', change: null, sparkline: [], source: ['n = 1,204'] },
        {
          label: 'Deleted',
          value: { problem: 'Its survey was deleted.' },
          change: null,
          sparkline: [],
          source: [],
        },
      ],
    },
    {
      ...frame,
      type: 'method',
      title: 'How this was done',
      survey: 'Big Five',
      parts: [
        {
          heading: 'Sample',
          facts: [
            ['Survey', 'Big Five'],
            ['Field', '1 March to 7 April 2026'],
            ['Interviews', '1,204'],
          ],
          paragraphs: ['Weighted to age and sex by raking; the efficiency of the weights is 91%.'],
          table: null,
        },
        {
          heading: 'Weights',
          facts: [],
          paragraphs: [],
          table: { ...table, rows: table.rows.slice(1, 4), source: [] },
        },
      ],
    },
    chartSlide('A histogram', one('histogram', classes(12))),
    chartSlide('A histogram of many classes', one('histogram', classes(30))),
  ];
}

export async function* stream<T>(list: readonly T[]): AsyncGenerator<T> {
  for (const item of list) yield await Promise.resolve(item);
}

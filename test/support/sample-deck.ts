import type { ChartFigures } from '../../src/domain/charts/chart-data.ts';
import type { FigureChart } from '../../src/domain/charts/registry.ts';
import type {
  DeckChart,
  DeckHeader,
  MethodSection,
  DeckNumber,
  DeckSlide,
  DeckTable,
} from '../../src/domain/reports/deck.ts';
import { BLUE, GREEN, RED, stripedPicture } from './pictures.ts';

/** Words in each script that files of slides must show. */
export const SCRIPT_SAMPLES = {
  latin: 'Zufriedenheit größer als je',
  cyrillic: 'Насколько вы довольны',
  greek: 'Πόσο ικανοποιημένοι είστε',
  arabic: 'ما مدى رضاك عن الخدمة',
  hebrew: 'עד כמה אתם מרוצים',
  chinese: '您对我们的服务满意吗',
  japanese: 'サービスに満足していますか',
  korean: '서비스에 만족하십니까',
} as const;

export function deckHeader(
  style: Partial<DeckHeader['style']> = {},
  title = 'Coffee in the city 2026',
): DeckHeader {
  return {
    title,
    description: 'What 2,436 people told us in autumn',
    organization: 'Meridian Research',
    author: 'Ada Okafor',
    createdAt: new Date('2026-11-20T09:30:00Z'),
    style: {
      page_size: '16:9',
      color: null,
      colors: [],
      font: null,
      footer: null,
      language: 'en',
      logo: null,
      ...style,
    },
  };
}

export interface DeckFigureOptions {
  categories?: readonly string[];
  series?: readonly string[];
  ordinal?: boolean;
  letters?: boolean;
}

export function deckFigures(
  type: FigureChart,
  {
    categories = ['Very satisfied', 'Satisfied', 'Neither', 'Dissatisfied', 'Very dissatisfied'],
    series = ['Share'],
    ordinal = false,
    letters = false,
  }: DeckFigureOptions = {},
): ChartFigures {
  const values = (shift: number) => categories.map((_, at) => 6 + ((at * 17 + shift * 11 + 31) % 40));
  return {
    chart_type: type,
    dimension: { column_code: 'q1', label: 'Satisfaction', measure: ordinal ? 'ordinal' : 'nominal' },
    series_by: series.length > 1 ? { column_code: 'g', label: 'Group', measure: 'nominal' } : null,
    aggregation: { function: 'percent', label: 'Percent' },
    categories: categories.map((label, at) => ({ code: at + 1, value: String(at + 1), label })),
    series: series.map((name, at) => ({
      name,
      values: values(at),
      counts: values(at),
      percents: values(at),
      ...(letters ? { letters: categories.map((_, row) => (row % 2 === 0 ? ['B'] : [])) } : {}),
      ...(type === 'line-bar' && at === 1 ? { drawn_as: 'line' as const } : {}),
      base: { unweighted: 2436, weighted: 2436, effective: 2301 },
    })),
    base: { unweighted: 2436, weighted: 2436, effective: 2301 },
    notes: [],
  };
}

export function deckChart(figures: DeckChart['figures'], more: Partial<DeckChart> = {}): DeckChart {
  return {
    title: null,
    figures,
    options: {},
    axisMax: null,
    source: [
      'Q1. Overall, how satisfied are you with the coffee that you drink at work?',
      'Base: all respondents, n = 2,436 (weighted; effective base 2,301). Filter: region is North or South.',
    ],
    alt: 'Bars: Very satisfied 37%, Satisfied 14%, Neither 31%.',
    ...more,
  };
}

export function chartSlide(title: string | null, ...charts: DeckChart[]): DeckSlide {
  return { type: 'chart', title, part: null, notes: '', charts, markdown: null };
}

export function deckTable(rows = 3): DeckTable {
  const columns = ['Total', 'Men', 'Women', '18–34', '35–54', '55 and older'];
  const cells = (text: (at: number) => string, letters: (at: number) => string = () => '') =>
    columns.map((_, at) => ({ text: text(at), letters: letters(at) }));
  return {
    corner: '',
    columns: columns.map((label, at) => ({
      label,
      letter: at === 0 ? null : 'ABCDE'[at - 1]!,
      ...(at === 0 ? {} : { heading: at < 3 ? 'Gender' : 'Age' }),
    })),
    rows: [
      { label: 'Overall satisfaction with the coffee at work', kind: 'heading', cells: [] },
      { label: 'Base (n)', kind: 'base', cells: cells((at) => String(2436 - at * 312)) },
      ...Array.from({ length: rows }, (_, row) => ({
        label: ['Very satisfied', 'Satisfied', 'Neither satisfied nor dissatisfied'][row % 3]!,
        kind: 'category' as const,
        cells: cells(
          (at) => `${12 + ((row * 7 + at * 5) % 40)}%`,
          (at) => (at > 1 && (row + at) % 3 === 0 ? 'AB' : at === 4 ? 'c' : ''),
        ),
      })),
      {
        label: 'Top 2',
        kind: 'net',
        cells: cells(
          (at) => `${51 + at * 3}%`,
          (at) => (at === 2 ? 'A' : ''),
        ),
      },
      { label: 'Mean', kind: 'mean', cells: cells((at) => (3.41 + at / 10).toFixed(2)) },
    ],
    source: ['Letters: the share is higher than that of the column named, at 95 % (small letters: 90 %).'],
  };
}

function deckNumber(label: string, value: DeckNumber['value'], more: Partial<DeckNumber> = {}): DeckNumber {
  return { label, value, change: null, sparkline: [], source: ['n = 2,436'], ...more };
}

const MARKDOWN = `## What we learned

Coffee at work is **better than its name**, and _those who brew it themselves_ are happier than all others. See [the questionnaire](https://example.com/questionnaire) or write to <mailto:ada@example.com>.

- Three in four drink it daily
  - most before noon
  - hardly anybody after four
- Prices matter less than taste: \`r = 0.31\`
- ${SCRIPT_SAMPLES.cyrillic} · ${SCRIPT_SAMPLES.greek}

1. Change the beans
2. Clean the machines
3. Ask again in spring

> We would rather have one good cup than five bad ones.

<script>alert('markup is text')</script>
`;

const METHOD: MethodSection[] = [
  {
    heading: 'Sample',
    facts: [
      ['Method', 'Online interviews'],
      ['Completed', '2,436 of 3,120 who began'],
      ['In the field', '1 September to 14 October 2026'],
    ],
    paragraphs: [
      'Quotas by gender, age and region follow the census; those who failed two of three checks are left out.',
    ],
    table: null,
  },
  {
    heading: 'Weighting',
    facts: [['Efficiency', '94.5%']],
    paragraphs: [],
    table: {
      corner: 'Gender',
      columns: [
        { label: 'Sample', letter: null },
        { label: 'Target', letter: null },
      ],
      rows: [
        {
          label: 'Men',
          kind: 'category',
          cells: [
            { text: '46.1%', letters: '' },
            { text: '49.0%', letters: '' },
          ],
        },
        {
          label: 'Women',
          kind: 'category',
          cells: [
            { text: '53.9%', letters: '' },
            { text: '51.0%', letters: '' },
          ],
        },
      ],
      source: [],
    },
  },
];

const SPARKLINE = [3.9, 4.0, 3.8, 4.1, 4.25].map((value, at) => ({ at: `2026-0${at + 1}`, value }));

/** A slide of every kind. */
export async function sampleSlides(): Promise<DeckSlide[]> {
  const bytes = new Uint8Array(await stripedPicture(900, 500, [RED, GREEN, BLUE]).jpeg());
  const frame = { part: null, notes: 'Say hello.' };
  const scripts = Object.values(SCRIPT_SAMPLES);
  return [
    { ...frame, type: 'title', title: 'Coffee in the city 2026', subtitle: 'Results of the third wave' },
    {
      ...frame,
      type: 'section',
      title: 'How content people are',
      subtitle: 'Satisfaction, by gender and age',
    },
    { ...frame, type: 'text', title: 'In short', markdown: MARKDOWN },
    chartSlide('Most are satisfied', deckChart(deckFigures('bar', { ordinal: true }))),
    chartSlide('By gender', deckChart(deckFigures('bar', { series: ['Men', 'Women'], letters: true }))),
    {
      ...frame,
      type: 'chart',
      title: 'Why people like it',
      charts: [
        deckChart(deckFigures('horizontal-bar', { categories: scripts }), {
          title: 'Reasons in eight languages',
        }),
      ],
      markdown: 'Taste leads, as in **every wave** before.\n\n- Price is third\n- Habit is last',
    },
    chartSlide(
      'Shares and parts',
      deckChart(deckFigures('donut'), { title: 'Where' }),
      deckChart(deckFigures('stacked-bar', { series: ['Never', 'Rarely', 'Often'], ordinal: true }), {
        title: 'How often',
      }),
    ),
    chartSlide(
      'Over time',
      deckChart(
        deckFigures('line', { series: ['North', 'South'], categories: ['Jan', 'Feb', 'Mar', 'Apr', 'May'] }),
      ),
      deckChart(deckFigures('area', { categories: ['Jan', 'Feb', 'Mar', 'Apr', 'May'] })),
    ),
    chartSlide(
      'Shapes',
      deckChart(deckFigures('radar', { series: ['Men', 'Women'] })),
      deckChart(deckFigures('gauge', { categories: ['All'] })),
    ),
    chartSlide(
      'Lines over bars',
      deckChart(deckFigures('line-bar', { series: ['Share', 'Trend'] })),
      deckChart(deckFigures('pie')),
    ),
    chartSlide(
      'Classes of a number',
      deckChart(deckFigures('histogram', { categories: ['0–4', '5–9', '10–14', '15–19', '20–24'] })),
    ),
    chartSlide('Not there any more', deckChart({ problem: 'The question of this chart was deleted.' })),
    { ...frame, type: 'table', title: 'Satisfaction', part: { number: 1, total: 3 }, table: deckTable(9) },
    {
      ...frame,
      type: 'key-figures',
      title: 'Key figures',
      figures: [
        deckNumber('Overall satisfaction', '4.25', {
          change: { direction: 'up', text: '+0.30 since Wave 2' },
          sparkline: SPARKLINE,
        }),
        deckNumber('Would recommend', '45%', {
          change: { direction: 'down', text: '−3 since Wave 2' },
          sparkline: SPARKLINE,
        }),
        deckNumber('Cups a day', '2.7', { change: { direction: 'same', text: '±0 since Wave 2' } }),
        deckNumber('Cups at night', { problem: 'Too few answers to show' }),
      ],
      markdown: 'All of them are **weighted**.',
    },
    {
      ...frame,
      type: 'image',
      title: 'Where people drink it',
      picture: { kind: 'jpeg', bytes, width: 900, height: 500 },
      alt: 'Three stripes',
      caption: 'The kitchen on the third floor',
    },
    { ...frame, type: 'method', title: 'About the survey', survey: 'Coffee in the city', parts: METHOD },
  ];
}

export async function* slidesOf(slides: readonly DeckSlide[]): AsyncIterable<DeckSlide> {
  for (const slide of slides) yield await Promise.resolve(slide);
}

import type { ChartType } from '../../src/domain/charts/registry.ts';
/** The demo dashboard of the Big Five survey, in the request format of the API. */

const TRAITS = [
  { code: 'agreeableness', label: 'Agreeableness', items: '7 - A1, A2, A3, A4, A5' },
  { code: 'conscientiousness', label: 'Conscientiousness', items: 'C1, C2, C3, 7 - C4, 7 - C5' },
  { code: 'extraversion', label: 'Extraversion', items: '7 - E1, 7 - E2, E3, E4, E5' },
  { code: 'neuroticism', label: 'Neuroticism', items: 'N1, N2, N3, N4, N5' },
  { code: 'openness', label: 'Openness', items: 'O1, 7 - O2, O3, O4, 7 - O5' },
] as const;

const standardized = TRAITS.map(({ code }) => `${code}_z`);

/** Derived columns of the dashboard. A column may use the columns before it. */
export const BIG_FIVE_COLUMNS = [
  ...TRAITS.map(({ code, label, items }) => ({
    kind: 'computed' as const,
    code,
    label: `${label} (1 to 6)`,
    expression: `mean(${items})`,
  })),
  ...TRAITS.map(({ code }) => ({
    kind: 'transform' as const,
    source: code,
    transform: { kind: 'z_scores' as const, frozen: false, weight: null },
  })),
  {
    kind: 'computed' as const,
    code: 'highest_trait',
    label: 'Number of the trait with the highest z-score',
    expression: `case(${standardized.map((code, place) => `${code} >= max(${standardized.join(', ')}), ${place + 1}`).join(', ')})`,
  },
  {
    kind: 'transform' as const,
    source: 'highest_trait',
    code: 'leading_trait',
    label: 'Leading trait',
    transform: {
      kind: 'bin' as const,
      cuts: { method: 'custom' as const, breaks: [1, 2, 3, 4, 5, 6] },
      labels: TRAITS.map(({ label }) => label),
    },
  },
  {
    kind: 'transform' as const,
    source: 'age',
    code: 'age_group',
    label: 'Age',
    transform: {
      kind: 'bin' as const,
      cuts: { method: 'custom' as const, breaks: [3, 20, 30, 40, 50, 120] },
      labels: ['Under 20', '20 to 29', '30 to 39', '40 to 49', '50 and over'],
    },
  },
];

const INTRODUCTION = `
**2,800 people** rated how accurately 25 short statements describe them, from *very inaccurate* to *very accurate*. Five statements measure
each of the five personality traits of the Big Five model. Choose a gender, age groups or an education above to filter every figure. You can
share the filtered view by its address.
`;

const METHOD = `
# How to read the figures

Each trait is the mean of its five statements, from 1 to 6; negatively worded statements are reverse-coded. A respondent’s *leading trait* is
the trait with the highest z-score. **Letters** mark significant differences: the figure is higher than that of the column with this letter, at
95% confidence.

The answers are real: the \`bfi\` data of the R package [psychTools](https://CRAN.R-project.org/package=psychTools), collected by the SAPA
project with items of the International Personality Item Pool. The dates of the responses are fictitious, because the data do not contain them.
`;

const counted = { function: 'percent' };
const mean = (column_code: string) => ({ function: 'mean', column_code });
const position = (x: number, y: number, w: number, h: number) => ({ x, y, w, h });
const by = (column_code: string) => ({ column_code });

interface Element {
  chart_type: ChartType;
  chart_title: string | null;
  chart_config: Record<string, unknown>;
  position: { x: number; y: number; w: number; h: number };
}

const element = (
  chart_type: ChartType,
  chart_title: string | null,
  position: Element['position'],
  chart_config: Element['chart_config'],
): Element => ({ chart_type, chart_title, chart_config, position });

const filter = (column_code: string, label: string, multiple: boolean, x: number): Element =>
  element('filter', label, position(x, 0, 3, 1), { filterElement: { column_code, label, multiple } });

export const BIG_FIVE_DASHBOARD = {
  name: 'How people see themselves',
  description: 'Five traits of personality, by gender, age and education',
  slug: 'big-five',
  pages: [
    {
      title: 'Overview',
      elements: [
        filter('gender', 'Gender', false, 0),
        filter('age_group', 'Age', true, 3),
        filter('education', 'Education', true, 6),
        element('text', null, position(0, 1, 12, 2), { text: INTRODUCTION.trim() }),
        element('variable', 'Respondents', position(0, 3, 3, 3), {
          dimension: by('gender'),
          variable: { metric: 'base', sparkline: 'week' },
        }),
        element('kpi', 'Women', position(3, 3, 3, 3), {
          dimension: by('gender'),
          aggregation: { function: 'percent', value: ['2'] },
        }),
        element('variable', 'Mean age', position(6, 3, 3, 3), {
          dimension: by('age'),
          variable: { metric: 'mean', suffix: ' years', decimals: 1 },
        }),
        element('variable', 'Agreeableness, 1 to 6', position(9, 3, 3, 3), {
          dimension: by('agreeableness'),
          variable: { metric: 'mean', decimals: 2, sparkline: 'week' },
        }),
        element('bar', 'Conscientiousness by age', position(0, 6, 7, 6), {
          dimension: by('age_group'),
          aggregation: mean('conscientiousness'),
          compare: { letters: true },
        }),
        element('donut', 'Education', position(7, 6, 5, 6), {
          dimension: by('education'),
          aggregation: counted,
        }),
        element('stacked-bar', '“I get angry easily”, by age', position(0, 12, 7, 6), {
          dimension: by('age_group'),
          series: by('N1'),
          aggregation: counted,
          options: { stacked_percent: true },
        }),
        element('radar', 'The leading trait of women and men', position(7, 12, 5, 6), {
          dimension: by('leading_trait'),
          series: by('gender'),
          aggregation: counted,
        }),
      ],
    },
    {
      title: 'The traits in detail',
      elements: [
        element('line', 'Neuroticism by age and gender', position(0, 0, 7, 6), {
          dimension: by('age_group'),
          series: by('gender'),
          aggregation: mean('neuroticism'),
        }),
        element('gauge', 'Often feel blue', position(7, 0, 5, 6), {
          dimension: by('N4'),
          aggregation: { function: 'top_box', n: 2 },
        }),
        element('horizontal-bar', 'Leading trait', position(0, 6, 6, 6), {
          dimension: by('leading_trait'),
          aggregation: counted,
          options: { sort: 'value_desc' },
        }),
        element('bar', '“Make people feel at ease”, by gender', position(6, 6, 6, 6), {
          dimension: by('A5'),
          series: by('gender'),
          aggregation: counted,
          compare: { letters: true },
        }),
        element('line-bar', 'Respondents and mean openness, by education', position(0, 12, 12, 6), {
          dimension: by('education'),
          aggregation: { function: 'count' },
          line_aggregation: mean('openness'),
        }),
        element('table', 'Extraversion by education and gender', position(0, 18, 7, 6), {
          dimension: by('education'),
          series: by('gender'),
          aggregation: mean('extraversion'),
          compare: { letters: true },
        }),
        element('text', null, position(7, 18, 5, 6), { text: METHOD.trim() }),
      ],
    },
  ],
};

const DAY_MS = 24 * 60 * 60 * 1000;
const DAYS = 56;
/** Responses per day at the beginning, as a share of the mean: enough that no week hides its figure as too small. */
const FIRST_RATE = 0.3;

/** Returns fictitious start and end times of the response at `index`: within the eight weeks before `now`, increasingly frequent. */
export function createResponseTimes(
  index: number,
  count: number,
  now: Date,
): { startedAt: Date; completedAt: Date } {
  // The rate grows linearly: solves FIRST_RATE * share + (1 - FIRST_RATE) * share² = (index + 0.5) / count.
  const growth = 1 - FIRST_RATE;
  const share =
    (Math.sqrt(FIRST_RATE ** 2 + (4 * growth * (index + 0.5)) / count) - FIRST_RATE) / (2 * growth);
  const daytimeMs = ((index * 7_919) % 54_000) * 1000 - 27_000_000;
  const completedAt = new Date(
    Math.min(now.getTime() - (1 - share) * DAYS * DAY_MS + daytimeMs, now.getTime()),
  );
  const tookSeconds = 180 + ((index * 104_729) % 420);
  return { startedAt: new Date(completedAt.getTime() - tookSeconds * 1000), completedAt };
}

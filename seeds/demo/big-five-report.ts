/** The demo report of the Big Five survey, in the request format of the API. Every figure in its texts is computed from the data. */

const by = (column_code: string) => ({ column_code });
const percent = { function: 'percent' };
const mean = (column_code: string) => ({ function: 'mean', column_code });
const topTwo = { function: 'top_box', n: 2 };

const INTRODUCTION = `
2,800 people rated how accurately 25 short statements describe them. Five statements measure each of the five personality traits of the Big
Five model.
`;

const READING = `
- **A trait** is the mean of its five statements, from 1 to 6; negatively worded statements are reverse-coded.
- **The leading trait** of a respondent is the trait with the highest z-score.
- **Letters** mark significant differences: the figure is higher than that of the column with this letter, at 95 % confidence (lower-case
  letters: 90 %).
- **Percentages** are based on the respondents who answered the question. The data are not weighted.

The answers are real: the *bfi* data of the R package [psychTools](https://CRAN.R-project.org/package=psychTools), collected by the SAPA
project with items of the International Personality Item Pool. The dates of the responses are fictitious.
`;

const paragraph = (text: string) => text.trim().replaceAll('\n', ' ');

/** Slides over the columns of seeds/demo/big-five-dashboard.ts. */
function slides(surveyId: number) {
  const chart = (chart_type: string, config: object, title?: string) => ({
    chart_type,
    chart_config: { survey_id: surveyId, ...config },
    ...(title === undefined ? {} : { title }),
  });
  const chartSlide = (slide_title: string, text: string, ...charts: object[]) => ({
    slide_type: 'chart' as const,
    slide_title,
    slide_content: { charts, text },
  });
  const section = (slide_title: string, subtitle: string) => ({
    slide_type: 'section' as const,
    slide_title,
    slide_content: { subtitle },
  });
  return [
    {
      slide_type: 'title' as const,
      slide_title: 'How people see themselves',
      slide_content: { subtitle: 'Five traits of personality in 2,800 self-portraits' },
    },
    {
      slide_type: 'key-figures' as const,
      slide_title: 'Key figures',
      slide_content: {
        figures: [
          chart('variable', { dimension: by('gender'), variable: { metric: 'base' } }, 'Respondents'),
          chart(
            'kpi',
            { dimension: by('gender'), aggregation: { function: 'percent', value: ['2'] } },
            'Women',
          ),
          chart(
            'variable',
            { dimension: by('age'), variable: { metric: 'mean', suffix: ' years', decimals: 1 } },
            'Mean age',
          ),
          chart(
            'variable',
            { dimension: by('agreeableness'), variable: { metric: 'mean', decimals: 2 } },
            'Agreeableness, from 1 to 6',
          ),
        ],
        text: paragraph(INTRODUCTION),
      },
    },
    section('Who answered', 'Age and education of the 2,800'),
    chartSlide(
      'Young, and most have been to college',
      '63% are under 30. Four in five have been to college, 48% so far without a degree.',
      chart('bar', { dimension: by('age_group'), aggregation: percent }, 'Age'),
      chart('donut', { dimension: by('education'), aggregation: percent }, 'Education'),
    ),
    section('The five traits', 'How they differ by age, gender and education'),
    chartSlide(
      'Conscientiousness grows until the forties',
      'From 4.05 among those under 20 it rises to 4.45 in the forties; those under 20 are below every other age.',
      chart('bar', {
        dimension: by('age_group'),
        aggregation: mean('conscientiousness'),
        compare: { letters: true },
      }),
    ),
    chartSlide(
      'Neuroticism falls with age, above all among women',
      'Women begin at 3.42 and reach 2.65 from 50 on; men begin at 3.09 and reach 2.81.',
      chart('line', {
        dimension: by('age_group'),
        series: by('gender'),
        aggregation: mean('neuroticism'),
      }),
    ),
    chartSlide(
      'Anger cools slowly',
      'Of those under 20, 42% call “I get angry easily” at least slightly accurate; from 50 on 27% do.',
      chart('stacked-bar', {
        dimension: by('age_group'),
        series: by('N1'),
        aggregation: percent,
        options: { stacked_percent: true },
      }),
    ),
    chartSlide(
      'Openness leads in men, neuroticism in women',
      'Openness is the leading trait of 26% of the men, but of 15% of the women. With agreeableness it is the other way round: 12% and 21%.',
      chart('radar', { dimension: by('leading_trait'), series: by('gender'), aggregation: percent }),
    ),
    chartSlide(
      'Women say more often that they make people feel at ease',
      '62% of the women and 55% of the men call it moderately or very accurate.',
      chart('bar', {
        dimension: by('A5'),
        series: by('gender'),
        aggregation: percent,
        compare: { letters: true },
      }),
    ),
    chartSlide(
      'Graduate degrees go with the most openness',
      'With a graduate degree it is 4.83, and with some college, by far the largest group, 4.51.',
      chart('line-bar', {
        dimension: by('education'),
        aggregation: { function: 'count' },
        line_aggregation: mean('openness'),
      }),
    ),
    chartSlide(
      'At every age, one in four or five often feels blue',
      '“I often feel blue” is moderately or very accurate for 23% of all, and for 20% to 25% at each age.',
      chart('gauge', { dimension: by('N4'), aggregation: topTwo }, 'All respondents'),
      chart(
        'horizontal-bar',
        { dimension: by('age_group'), aggregation: { ...topTwo, column_code: 'N4' } },
        'By age',
      ),
    ),
    {
      slide_type: 'table' as const,
      slide_title: 'The leading trait by gender and age',
      slide_content: {
        survey_id: surveyId,
        rows: ['leading_trait'],
        columns: ['gender', 'age_group'],
        show: 'column_percent',
        letters: true,
        means: false,
      },
    },
    { slide_type: 'text' as const, slide_title: 'How to read this', slide_content: { text: READING.trim() } },
    section('Appendix', 'About the data'),
    { slide_type: 'appendix' as const, slide_title: 'Method', slide_content: {} },
  ];
}

export const BIG_FIVE_REPORT = {
  name: 'How people see themselves',
  description: 'Five traits of personality, by gender, age and education',
  slides,
};

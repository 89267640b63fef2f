import { beforeAll, describe, expect, test } from 'vitest';
import type { UserRole } from '../../../src/domain/access/caller.ts';
import type { DeckSlide } from '../../../src/domain/reports/deck.ts';
import type { SlideType } from '../../../src/domain/charts/slide-type.ts';
import type { ReportRow, ReportSlideRow } from '../../../src/repositories/reports.ts';
import { Store } from '../../../src/repositories/store.ts';
import { DatasetService } from '../../../src/services/datasets/datasets.ts';
import { ChartFigureService } from '../../../src/services/dashboards/chart-figures.ts';
import {
  PreparedDefinitionCache,
  PublishedWordings,
} from '../../../src/services/surveys/survey-definitions.ts';
import { type OpenDeck, DeckBuilder } from '../../../src/services/reports/deck/deck-builder.ts';
import { systemClock } from '../../../src/lib/clock.ts';
import { CrosstabService } from '../../../src/services/figures/crosstabs.ts';
import { type Actor, useOrganization } from '../../support/actors.ts';
import { useApp } from '../../support/app.ts';
import { addChart, type TestDashboard, newDashboard } from '../../support/dashboards.ts';
import { RED, stripedPicture } from '../../support/pictures.ts';
import { number } from '../../support/questions.ts';
import { addImage, newReport } from '../../support/reports.ts';
import { draftSurvey, type PublishedSurvey, publishedSurvey } from '../../support/surveys.ts';
import { createWave } from '../../support/waves.ts';

const app = useApp();
const organization = useOrganization(app);
const { admin } = organization;
let member: Actor;
let survey: PublishedSurvey;
let board: TestDashboard;
/** A survey in a workspace that only the admin can see, and an element of it on a dashboard. */
let hiddenSurvey: { surveyId: number; chartId: number };

const single = (question_code: string, question_text: string, labels: string[], extra: object = {}) => ({
  question_type: 'single_choice',
  question_code,
  question_text,
  options: labels.map((option_label, index) => ({ option_label, option_value: String(index + 1) })),
  ...extra,
});
const MANY = Array.from({ length: 60 }, (_, index) => `Place ${index + 1}`);

beforeAll(async () => {
  member = await organization.addUser('member');
  survey = await publishedSurvey(admin, {
    survey_name: 'Coffee',
    pages: [
      [
        single('gender', 'What is your gender?', ['Female', 'Male']),
        single('place', 'Where do you live?', MANY),
      ],
      {
        page_logic: {
          display: { left: { type: 'question', code: 'gender' }, operator: 'answered' },
        },
        questions: [
          {
            ...single('liking', 'How much do you like it?', ['Not at all', 'A little', 'Very much']),
            question_settings: { measure: 'ordinal' },
          },
          number('cups', { question_text: 'How many cups?' }),
        ],
      },
    ],
  });
  const rows = Array.from({ length: 300 }, (_, index) => ({
    answers: {
      gender: index % 3 === 0 ? '1' : '2',
      place: String((index % 60) + 1),
      liking: String(1 + (index % 7 > 3 ? 2 : index % 2)),
      cups: index % 5,
    },
  }));
  await admin.post(at('rows'), { rows }).expect(201);
  const scheme = {
    dimensions: [
      {
        column_code: 'gender',
        targets: [
          { value: '1', target: 50 },
          { value: '2', target: 50 },
        ],
      },
    ],
  };
  await admin.post(at('weighting/create'), { ...scheme, column_code: 'w', name: 'Population' }).expect(201);
  board = await newDashboard(admin);
  const workspace = await admin
    .post('/api/workspaces', { workspace_name: 'Own', workspace_visibility: 1 })
    .expect(201);
  const hidden = await draftSurvey(
    admin,
    {
      survey_name: 'Secret',
      settings: { confidential: true },
      pages: [[single('gender', 'Gender?', ['a', 'b'])]],
    },
    { workspaceId: workspace.body.data.workspace_id },
  );
  const config = { survey_id: hidden.surveyId, dimension: 'gender' };
  hiddenSurvey = { surveyId: hidden.surveyId, chartId: await addChart(admin, board, 'bar', config) };
});

const at = (path: string) => `/api/responses/${survey.surveyId}/${path}`;
const config = (of: object) => ({ survey_id: survey.surveyId, ...of });
const slide = (slide_type: SlideType, slide_content: object, slide_title: string | null = null) => ({
  slide_type,
  slide_title,
  slide_content,
});
const chart = (of: object, chart_type = 'bar', extra: object = {}) =>
  slide('chart', { charts: [{ chart_type, chart_config: config(of), ...extra }] });

/** Counts how often a survey is opened. */
class CountingDatasets extends DatasetService {
  opened = 0;

  override open(...[surveyId, needs]: Parameters<DatasetService['open']>) {
    this.opened++;
    return super.open(surveyId, needs);
  }
}

interface DeckOptions {
  by?: Actor;
  role?: UserRole;
  reportId?: number;
  datasets?: DatasetService;
}

function openDeck(slides: object[], options: DeckOptions = {}): Promise<OpenDeck> {
  const { by = admin, role = by === admin ? 'admin' : 'member', reportId = 0 } = options;
  const store = new Store(app.database.db);
  const { access } = app.container.services;
  const datasets = options.datasets ?? new DatasetService(store, 1e9);
  const wordings = new PublishedWordings(store, new PreparedDefinitionCache(store));
  const decks = new DeckBuilder({
    store,
    access,
    datasets,
    figures: new ChartFigureService(datasets, wordings),
    wordings,
    crosstabs: new CrosstabService(datasets),
    clock: systemClock,
  });
  const report: ReportRow = {
    report_id: reportId,
    deleted_at: null,
    organization_id: organization.organizationId,
    workspace_id: organization.workspaceId,
    report_name: 'Coffee in 2026',
    report_description: null,
    report_settings: { color: '#123456' },
    revision: 1,
    created_at: new Date(),
    updated_at: new Date(),
    slide_count: slides.length,
  };
  const rows = slides.map(
    (item, index) => ({ slide_id: index + 1, slide_order: index + 1, ...item }) as ReportSlideRow,
  );
  return decks.open({ userId: by.userId, organizationId: organization.organizationId, role }, report, rows);
}

async function collectSlides(slides: AsyncIterable<DeckSlide>): Promise<DeckSlide[]> {
  const deckSlides: DeckSlide[] = [];
  for await (const slide of slides) deckSlides.push(slide);
  return deckSlides;
}

async function buildSlides(slides: object[], options: DeckOptions = {}): Promise<DeckSlide[]> {
  const { slides: deckSlides } = await openDeck(slides, options);
  return collectSlides(deckSlides);
}

async function buildOnlySlide<Type extends DeckSlide['type']>(
  type: Type,
  of: object,
  options: DeckOptions = {},
): Promise<Extract<DeckSlide, { type: Type }>> {
  const slides = await buildSlides([of], options);
  expect(slides.map((slide) => slide.type)).toEqual([type]);
  return slides[0] as Extract<DeckSlide, { type: Type }>;
}
const buildOnlyChart = async (of: object, options: DeckOptions = {}) =>
  (await buildOnlySlide('chart', of, options)).charts[0]!;

test('builds a deck with its header and slides in order', async () => {
  const { head, slides, slideCount, slidesDone } = await openDeck([
    slide('title', { subtitle: 'All results', notes: 'Hello' }, 'Coffee'),
    slide('section', {}, 'Part one'),
    slide('text', { text: 'Most like it.' }, 'Summary'),
  ]);
  expect(head).toMatchObject({
    title: 'Coffee in 2026',
    organization: expect.stringMatching(/^Organization /),
    author: 'Ada Admin',
    style: { page_size: '16:9', color: '#123456', logo: null },
  });
  expect([slideCount, slidesDone()]).toEqual([3, 0]);
  expect(await collectSlides(slides)).toEqual([
    { type: 'title', title: 'Coffee', subtitle: 'All results', part: null, notes: 'Hello' },
    { type: 'section', title: 'Part one', subtitle: null, part: null, notes: '' },
    { type: 'text', title: 'Summary', markdown: 'Most like it.', part: null, notes: '' },
  ]);
  expect(slidesDone()).toBe(3);
});

describe('a chart', () => {
  const shown = {
    dimension: 'liking',
    series: 'gender',
    aggregation: 'percent',
    weight_column: 'w',
    filter: { gender: ['1', '2'], cups: ['1', '2', '3', '4'] },
  };

  test('has the figures of chart-data with their sources', async () => {
    const chartData = await admin
      .post(`${board.at}/chart-data`, { chart_type: 'bar', chart_config: config(shown) })
      .expect(200);
    const slide = await buildOnlySlide('chart', {
      ...chart(shown, 'bar', { title: 'Liking' }),
      slide_content: {
        charts: [{ chart_type: 'bar', chart_config: config(shown), title: 'Liking' }],
        notes: 'Explain this',
      },
    });
    const { categories, series, base } = chartData.body.data;
    const [found] = slide.charts;
    expect(found!.figures).toMatchObject({ categories, series, base });
    expect(slide.title).toBe('Liking');
    expect(found).toMatchObject({ title: null, axisMax: null });
    expect(found!.source).toEqual([
      'Question: How much do you like it?',
      'By: What is your gender?',
      'Shown: percent of respondents who answered',
      expect.stringMatching(/^Base: 240 respondents \(weighted \d+, effective \d+\)$/),
      'Filter: “What is your gender?” is one of “Female” and “Male” and “How many cups?” is one of 1, 2, 3 and 4',
      'Weight: Population',
    ]);
    expect(slide.notes).toBe(['Explain this', '', ...found!.source].join('\n'));
    expect(found!.alt).toMatch(
      /^Liking\. Bar chart: Percent by How much do you like it\? and What is your gender\?\. Female: Not at all \d+%/,
    );
  });

  test('uses the figures and title of its linked element', async () => {
    const chart_id = await addChart(admin, board, 'donut', config({ dimension: 'gender' }));
    const deckSlide = await buildOnlySlide('chart', slide('chart', { charts: [{ chart_id }] }));
    expect(deckSlide.title).toBe('A donut');
    expect(deckSlide.charts[0]).toMatchObject({
      title: null,
      figures: { chart_type: 'donut', series: [{ values: [100, 200] }] },
    });
  });

  test('has its own title when two charts share a slide', async () => {
    const two = [chart({ dimension: 'gender' }), chart({ dimension: 'liking' }, 'pie', { title: 'Much' })];
    const charts = two.flatMap(({ slide_content }) => (slide_content as { charts: object[] }).charts);
    const deckSlide = await buildOnlySlide('chart', slide('chart', { charts, text: 'A note.' }, 'Both'));
    expect(deckSlide).toMatchObject({ title: 'Both', markdown: 'A note.' });
    expect(deckSlide.charts.map(({ title }) => title)).toEqual(['What is your gender?', 'Much']);
    expect(deckSlide.notes).toContain('Much\nQuestion: How much do you like it?');
  });

  test('with 60 bars is split over several slides with a common axis; a table is split too', async () => {
    const bars = await buildSlides([chart({ dimension: 'place' })]);
    expect(bars.map(({ type, part }) => [type, part])).toEqual([
      ['chart', { number: 1, total: 3 }],
      ['chart', { number: 2, total: 3 }],
      ['chart', { number: 3, total: 3 }],
    ]);
    expect(bars.map((slide) => slide.type === 'chart' && slide.charts[0]!.axisMax)).toEqual([5, 5, 5]);
    const table = await buildSlides([chart({ dimension: 'place' }, 'table')]);
    expect(table.map(({ type, part }) => `${type} ${part?.number}/${part?.total}`)).toEqual(
      [1, 2, 3, 4].map((index) => `table ${index}/4`),
    );
    expect(table.every(({ title }) => title === 'Where do you live?')).toBe(true);
    expect(await buildOnlyChart(chart({ dimension: 'place' }, 'line'))).toMatchObject({ axisMax: null });
  });

  test('that cannot be shown states the reason and does not affect the others', async () => {
    const deletedSurvey = await publishedSurvey(admin, {
      survey_name: 'Gone',
      pages: [[single('Q1', 'One?', ['a', 'b'])]],
    });
    const element = await addChart(admin, board, 'bar', {
      survey_id: deletedSurvey.surveyId,
      dimension: 'Q1',
    });
    await admin.delete(`/api/surveys/${deletedSurvey.surveyId}`).expect(204);
    const ofSurvey = (survey_id: number) =>
      slide('chart', { charts: [{ chart_type: 'bar', chart_config: { survey_id, dimension: 'gender' } }] });
    const slides = await buildSlides(
      [
        chart({ dimension: 'nothing' }),
        chart({ dimension: 'gender', filter: { nothing: ['1'] } }),
        chart({ dimension: 'gender', weight_column: 'nothing' }),
        chart({ dimension: { question_id: 2_000_000_000 } }),
        chart({ dimension: 'gender', nets: [{ label: 'x', values: ['9'] }] }),
        slide('chart', { charts: [{ chart_id: element }] }),
        slide('chart', { charts: [{ chart_id: 2_000_000_000 }] }),
        ofSurvey(deletedSurvey.surveyId),
        ofSurvey(hiddenSurvey.surveyId),
        chart({ dimension: 'gender' }),
      ],
      { by: member },
    );
    const problems = slides.map((slide) => {
      const [figures] = slide.type === 'chart' ? slide.charts.map((each) => each.figures) : [];
      return figures === undefined ? null : 'problem' in figures ? figures.problem : figures.chart_type;
    });
    expect(problems).toEqual([
      'The question of this figure is no longer in the survey (column "nothing" does not exist)',
      expect.stringMatching(
        /^The filter of this figure uses a column or value that is no longer in the survey \(column or question "nothing" does not exist\)$/,
      ),
      'The weight of this figure is no longer in the survey (column "nothing" does not exist)',
      'The question of this figure is no longer in the survey (question 2000000000 does not exist in this survey)',
      expect.stringMatching(
        /^This figure counts answers that its question no longer has \("9" is not a value of gender/,
      ),
      'The survey of this figure was deleted',
      'The linked dashboard element was deleted, or the author of this file may not see it',
      'The survey of this figure was deleted',
      'The author of this file may not see the survey of this figure',
      'bar',
    ]);
  });

  test('of a hidden survey shows the same protected figures as its dashboard', async () => {
    const rows = Array.from({ length: 23 }, (_, index) => ({ answers: { gender: index < 9 ? '1' : '2' } }));
    await admin.post(`/api/surveys/${hiddenSurvey.surveyId}/publish`).expect(200);
    await admin.post(`/api/responses/${hiddenSurvey.surveyId}/rows`, { rows }).expect(201);
    const linked = slide('chart', { charts: [{ chart_id: hiddenSurvey.chartId }] });
    expect((await buildOnlyChart(linked)).figures).toMatchObject({ series: [{ values: [9, 14] }] });
    const otherChart = await buildOnlyChart(linked, { by: member });
    expect(otherChart.figures).toMatchObject({ series: [{ values: [10, 15] }] });
    expect(otherChart.source.at(-1)).toMatch(/rounded/);
    // The appendix omits the survey: the member can see only its element on the dashboard.
    const [appendix] = (await buildSlides([linked, slide('appendix', {})], { by: member })).slice(1);
    expect(appendix).toMatchObject({
      type: 'method',
      parts: [{ paragraphs: ['This report shows no survey.'] }],
    });
  });

  test('is computed in a batch that opens the survey only a few times', async () => {
    const datasets = new CountingDatasets(new Store(app.database.db), 1e9);
    const many = Array.from({ length: 100 }, (_, index) =>
      chart({ dimension: 'gender', filter: { place: [String(1 + (index % 60))] } }),
    );
    const slides = await buildSlides(many, { datasets });
    expect(slides).toHaveLength(100);
    // Opened once for all definitions, then twice per 20 slides: for the figures and for the labels.
    expect(datasets.opened).toBe(11);
  });
});

describe('a table', () => {
  const spec = { rows: ['liking', 'cups'], columns: ['gender'] };

  test('has the figures of the crosstab', async () => {
    const chartData = await admin.post(at('crosstab'), { ...spec, weight_column: 'w' }).expect(200);
    const [liking, cups] = chartData.body.data.tables;
    const deckSlide = await buildOnlySlide(
      'table',
      slide('table', { survey_id: survey.surveyId, ...spec, weight_column: 'w' }, 'Liking'),
    );
    const { table } = deckSlide;
    if ('problem' in table) throw new Error(table.problem);
    expect(table.columns).toEqual([
      { label: 'Total', letter: null },
      { label: 'Female', letter: 'A', heading: 'What is your gender?' },
      { label: 'Male', letter: 'B', heading: 'What is your gender?' },
    ]);
    const round = (value: number) => `${Math.round(value)}%`;
    expect(table.rows.map(({ kind, label }) => `${kind} ${label}`)).toEqual([
      'heading How much do you like it?',
      'base Base (n)',
      'base Effective base',
      'category Not at all',
      'category A little',
      'category Very much',
      'mean Mean',
      'heading How many cups?',
      'base Base (n)',
      'base Effective base',
      'mean Mean',
    ]);
    const texts = table.rows.map(({ cells }) => cells.map(({ text }) => text));
    expect(texts[1]).toEqual(['300', '100', '200']);
    liking.rows.forEach(
      (row: { total: { column_percent: number }; cells: { column_percent: number }[] }, index: number) =>
        expect(texts[index + 3]).toEqual([row.total, ...row.cells].map((cell) => round(cell.column_percent))),
    );
    expect(texts.at(-1)![0]).toBe(cups.mean.total.mean.toFixed(2));
    expect(table.source.slice(0, 3)).toEqual([
      'By: What is your gender?',
      'Shown: percent of each column, of respondents who answered',
      'Weight: Population',
    ]);
    expect(deckSlide.notes).toBe(table.source.join('\n'));
  });

  test('with many columns is split; a table of a hidden survey states the reason', async () => {
    const parts = await buildSlides([
      slide('table', { survey_id: survey.surveyId, rows: ['gender'], columns: ['place'] }),
    ]);
    expect(parts).toHaveLength(9);
    expect(
      parts.every(
        (slide) =>
          slide.type === 'table' && 'rows' in slide.table && slide.table.columns[0]!.label === 'Total',
      ),
    ).toBe(true);
    const theirs = slide('table', { survey_id: hiddenSurvey.surveyId, rows: ['gender'] });
    expect(await buildOnlySlide('table', theirs, { by: member })).toMatchObject({
      table: { problem: 'The author of this file may not see the survey of this figure' },
    });
    const wrong = slide('table', { survey_id: survey.surveyId, rows: ['nothing'] });
    expect(await buildOnlySlide('table', wrong)).toMatchObject({
      table: {
        problem: 'The question of this figure is no longer in the survey (column "nothing" does not exist)',
      },
    });
  });
});

test('shows key figures as on a dashboard', async () => {
  const deckSlide = await buildOnlySlide(
    'key-figures',
    slide('key-figures', {
      figures: [
        {
          chart_type: 'variable',
          chart_config: config({ dimension: 'cups', variable: { metric: 'mean', suffix: ' cups' } }),
          title: 'Cups',
        },
        {
          chart_type: 'kpi',
          chart_config: config({ dimension: 'gender', aggregation: { function: 'percent', value: '1' } }),
        },
        { chart_type: 'kpi', chart_config: config({ dimension: 'nothing' }), title: 'Lost' },
      ],
    }),
  );
  expect(deckSlide.figures).toMatchObject([
    {
      label: 'Cups',
      value: '2.00 cups',
      source: ['Question: How many cups?', 'Shown: mean', 'Base: 300 respondents'],
    },
    { label: 'What is your gender?', value: '33%' },
    { label: 'Lost', value: { problem: expect.stringMatching(/no longer in the survey/) } },
  ]);
});

test('shows stored pictures and a notice for deleted ones', async () => {
  const report = await newReport(admin);
  const image_id = await addImage(admin, report, await stripedPicture(60, 30, [RED, RED, RED]).png());
  const options = { reportId: report.id };
  expect(await buildOnlySlide('image', slide('image', { image_id, alt: 'Red' }), options)).toMatchObject({
    picture: { kind: 'png', width: 60, height: 30 },
    alt: 'Red',
    caption: null,
  });
  expect(await buildOnlySlide('image', slide('image', { image_id }), { reportId: 0 })).toMatchObject({
    picture: { problem: 'This picture was deleted' },
  });
});

describe('the appendix', () => {
  test('describes sample, field, weighting and the shown questions', async () => {
    await createWave(admin, survey.surveyId, {
      wave_name: 'Spring',
      wave_start_date: '2026-03-01T00:00:00Z',
      target: 500,
    });
    const slides = [
      chart({ dimension: 'liking', series: 'gender', weight_column: 'w' }),
      slide('appendix', {}, 'Methodology'),
    ];
    const deckSlides = (await buildSlides(slides)).slice(1);
    expect(
      deckSlides.every(
        (slide) => slide.type === 'method' && slide.survey === 'Coffee' && slide.title === 'Methodology',
      ),
    ).toBe(true);
    const parts = deckSlides.flatMap((slide) => (slide.type === 'method' ? slide.parts : []));
    expect(parts.map(({ heading }) => heading)).toEqual([
      'Sample',
      'Fieldwork',
      'Weighting: Population',
      'Questions',
    ]);
    const [sample, field, weighting, questions] = parts;
    expect(new Map(sample!.facts)).toEqual(
      new Map([
        ['Complete responses', '300'],
        ['Partial responses', '0'],
        ['Completion rate', '100% of respondents who started and were not screened out'],
        ['Answered', expect.stringMatching(/^\d+ \w+ \d{4}$/)],
      ]),
    );
    expect(field!.table!.rows[0]).toMatchObject({
      label: 'Spring',
      cells: [{ text: '1 March 2026' }, { text: '–' }, { text: '0' }, { text: '500' }],
    });
    expect(weighting!.facts).toEqual([
      ['Responses with a weight', '300'],
      ['Effective base', '267'],
      ['Weighting efficiency', '89%'],
      ['Weights', 'from 0.75 to 1.50'],
    ]);
    expect(
      weighting!.table!.rows.map(({ label, cells }) => [label, ...cells.map(({ text }) => text)]),
    ).toEqual([
      ['What is your gender?'],
      ['Female', '50.0%', '33.3%', '50.0%'],
      ['Male', '50.0%', '66.7%', '50.0%'],
    ]);
    expect(questions!.facts).toEqual([
      ['gender', 'What is your gender? (one of: Female, Male)'],
      [
        'liking',
        'How much do you like it? (one of: Not at all, A little, Very much) Asked if “What is your gender?” is answered.',
      ],
    ]);
  });

  test('contains the selected surveys and parts, with a notice for hidden surveys', async () => {
    const content = { survey_ids: [survey.surveyId, hiddenSurvey.surveyId], parts: ['sample'] };
    const slides = await buildSlides([slide('appendix', content)], { by: member });
    expect(slides).toMatchObject([
      { survey: 'Coffee', parts: [{ heading: 'Sample' }], part: { number: 1, total: 2 } },
      {
        survey: '',
        parts: [{ paragraphs: ['The author of this file may not see the survey of this figure'] }],
      },
    ]);
  });
});

test('throws unexpected errors instead of showing them', async () => {
  const datasets = new DatasetService(new Store(app.database.db), 1e9);
  datasets.open = () => Promise.reject(new Error('the disk is full'));
  await expect(buildSlides([chart({ dimension: 'gender' })], { datasets })).rejects.toThrow(
    'the disk is full',
  );
});

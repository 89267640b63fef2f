import { describe, expect, it, test } from 'vitest';
import { findAnomalies } from '../../../../src/domain/insights/anomalies.ts';
import { falseDiscoveryRates, rankFindings } from '../../../../src/domain/insights/insights.ts';
import { type AnalysisInput, selectVariables } from '../../../../src/domain/insights/variables.ts';
import { findBatteryColumns } from '../../../../src/domain/quality/straightlining.ts';
import { qualitySettingsOf } from '../../../../src/domain/survey/quality-settings.ts';
import { randomNumbers } from '../../../../src/lib/seeded-random.ts';
import { option, question } from '../dataset/survey-fixture.ts';
import { ended, lookAt, type MadeResponse, significantOnes } from './generated-data.ts';

const choices = (count: number) => Array.from({ length: count }, (_, index) => option(index + 1));
const ROWS = ['r1', 'r2', 'r3', 'r4', 'r5', 'r6'].map((row_code) => ({ row_code, row_label: row_code }));
const income = question('number', 'income');
const brand = question('single_choice', 'brand', choices(4));
const items = question('matrix', 'items', choices(5), { rows: ROWS });
const more = Array.from({ length: 6 }, (_, index) => question('single_choice', `m${index}`, choices(3)));
const QUESTIONS = [income, brand, items, ...more];

const DAY_MS = 86_400_000;
const START = Date.UTC(2026, 2, 1);

/** Standard normal values (Box–Muller). */
const normal = (random: () => number) =>
  Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
const pick = (random: () => number, count: number) => String(Math.floor(random() * count) + 1);

function usual(random: () => number): Required<MadeResponse> {
  return {
    answers: {
      income: Math.round(Math.exp(10 + 0.5 * normal(random))),
      brand: pick(random, 4),
      items: Object.fromEntries(ROWS.map(({ row_code }) => [row_code, pick(random, 5)])),
      ...Object.fromEntries(more.map(({ code }) => [code, random() < 0.9 ? '1' : pick(random, 3)])),
    },
    extras: {
      startedAtMs: START + Math.floor(random() * 30) * DAY_MS + Math.floor(random() * DAY_MS),
      durationSeconds: Math.round(Math.exp(5.5 + 0.3 * normal(random))),
      linkId: random() < 0.5 ? 1 : 2,
    },
  };
}

const many = (
  count: number,
  seed: number,
  change: (response: Required<MadeResponse>, index: number, random: () => number) => void = () => undefined,
) => {
  const random = randomNumbers(seed);
  return Array.from({ length: count }, (_, index) => {
    const response = usual(random);
    change(response, index, random);
    return response;
  });
};

function anomaliesOf(input: AnalysisInput) {
  const quality = qualitySettingsOf({});
  const tests = ended(
    findAnomalies(input, {
      variables: selectVariables(input.catalog, null, null),
      batteries: findBatteryColumns(input.catalog, quality.straightliner),
      quality,
      completes: input.rows.mask,
    }),
  );
  return { tests, findings: rankFindings(tests) };
}

const anomalies = (responses: MadeResponse[]) => anomaliesOf(lookAt(QUESTIONS, responses)).findings;

describe('anomaly detection finds', () => {
  it('amounts far from all others, with their responses', () => {
    const found = anomalies(
      many(500, 1, ({ answers }, index) => {
        if (index === 40) Object.assign(answers, { income: 99_999_999 });
        if (index === 70) Object.assign(answers, { income: 1 });
      }),
    );
    expect(found.find(({ kind }) => kind === 'outliers')).toMatchObject({
      id: 'outliers:income',
      figures: { outliers: 2, lowest_outlier: 1, scale: 'log' },
      evidence: { questionIds: [income.id], responseIds: [71, 41], responseCount: 2, base: 500 },
    });
  });

  it("durations compared on a log scale and speeders by the survey's rule", () => {
    const found = anomalies(
      many(500, 2, ({ extras }, index) => {
        if (index < 3) extras.durationSeconds = 2;
        if (index === 3) extras.durationSeconds = 400_000;
      }),
    );
    expect(found.find(({ kind }) => kind === 'unusual_durations')!.evidence.responseIds!.toSorted()).toEqual([
      1, 2, 3, 4,
    ]);
    const speeders = found.find(({ kind }) => kind === 'speeders')!;
    expect(speeders.evidence.responseIds).toEqual(expect.arrayContaining([1, 2, 3]));
    expect(speeders.evidence.qValue).toBeNull();
  });

  it('straightliners', () => {
    const found = anomalies(
      many(500, 3, ({ answers }, index) => {
        if (index >= 10 && index < 70)
          Object.assign(answers, { items: Object.fromEntries(ROWS.map(({ row_code }) => [row_code, '3'])) });
      }),
    );
    const { evidence } = found.find(({ kind }) => kind === 'straightliners')!;
    expect(evidence.responseCount).toBeGreaterThanOrEqual(60);
    // Lists the first fifty with the total.
    expect(evidence.responseIds).toHaveLength(50);
  });

  it('a response with an improbable combination of answers', () => {
    const found = anomalies(
      many(500, 4, ({ answers }, index) => {
        if (index === 99) Object.assign(answers, Object.fromEntries(more.map(({ code }) => [code, '3'])));
      }),
    );
    expect(found.find(({ kind }) => kind === 'unlikely_responses')?.evidence.responseIds).toEqual([100]);
  });

  it('a day with far more responses than usual', () => {
    const found = anomalies(
      many(600, 5, ({ extras }, index) => {
        if (index < 60) extras.startedAtMs = START + 12 * DAY_MS + index;
      }),
    );
    expect(found.find(({ kind }) => kind === 'sudden_day')).toMatchObject({
      id: 'sudden_day:2026-03-13',
      figures: { day: '2026-03-13', days: 30 },
    });
    expect(found.filter(({ kind }) => kind === 'sudden_day')).toHaveLength(1);
  });

  it('a day in the time zone of the survey', () => {
    const responses = many(600, 5, ({ extras }, index) => {
      // From 20:00 UTC it is the next day in Auckland.
      if (index < 60) extras.startedAtMs = START + 12 * DAY_MS + 20 * 60 * 60 * 1000 + index;
    });
    const found = anomaliesOf(lookAt(QUESTIONS, responses, { timeZone: 'Pacific/Auckland' })).findings;
    expect(found.find(({ kind }) => kind === 'sudden_day')).toMatchObject({ figures: { day: '2026-03-14' } });
  });

  it('a question whose answers change from one day on, and a link with different answers', () => {
    const late = anomalies(
      many(900, 6, ({ answers, extras }, _index, random) => {
        if (extras.startedAtMs! >= START + 20 * DAY_MS && random() < 0.5)
          Object.assign(answers, { brand: '4' });
      }),
    );
    const change = late.find(({ kind }) => kind === 'change_point')!;
    expect(change.statement).toContain('“Option 4” to “Question brand”');
    expect(change.id).toMatch(/^change_point:brand:2026-03-(20|21|22)$/);
    const elsewhere = anomalies(
      many(900, 7, ({ answers, extras }, _index, random) => {
        if (extras.linkId === 2 && random() < 0.4) Object.assign(answers, { brand: '1' });
      }),
    );
    expect(elsewhere.filter(({ kind }) => kind === 'source_differs')[0]!.evidence.questionIds).toEqual([
      brand.id,
    ]);
  });
});

test('reports an anomaly in few of 200 random surveys', () => {
  let [sure, reported] = [0, 0];
  for (let seed = 1; seed <= 200; seed++) {
    const { tests, findings } = anomaliesOf(lookAt(QUESTIONS, many(300, seed * 104_729)));
    if (Math.min(...falseDiscoveryRates(tests.pValues)) <= 0.05) sure += 1;
    if (significantOnes(findings).length > 0) reported += 1;
  }
  expect(sure).toBeLessThanOrEqual(16);
  expect(reported).toBeLessThanOrEqual(sure);
});

test('finds no anomaly in one response or in identical ones', () => {
  const [one] = many(1, 8);
  expect(anomalies([one!])).toEqual([]);
  expect(
    anomalies(Array.from({ length: 60 }, () => ({ ...one!, answers: { brand: '1', income: 5 } }))),
  ).toEqual([]);
  expect(anomalies([])).toEqual([]);
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ResponseGenerator } from '../../../../src/domain/seeding/response-generator.ts';
import type { Question, SurveyDefinition } from '../../../../src/domain/survey/definition.ts';
import { prepareDefinition } from '../../../../src/domain/survey/logic/prepare-definition.ts';
import { validateAnswers } from '../../../../src/domain/survey/validate-answers.ts';
import {
  page,
  pageWith,
  question,
  type QuestionInput,
  rows,
  survey,
} from '../../../support/survey-builder.ts';
import { equals, logic } from '../../../support/render-answers.ts';

const whole = (min: number, max: number) => fc.integer({ min, max });
const maybe = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: null });
const bounds = (low: fc.Arbitrary<number>, span: fc.Arbitrary<number>) =>
  fc.tuple(low, span).map(([min, width]) => ({ min, max: min + width }));

const optionList = fc.array(
  fc.record({
    exclusive: fc.boolean(),
    other: fc.boolean(),
    missing: fc.boolean(),
    retired: fc.nat({ max: 9 }),
  }),
  { minLength: 1, maxLength: 7 },
);
const optionsOf = (
  list: { exclusive: boolean; other: boolean; missing: boolean; retired: number }[],
  other = true,
) =>
  list.map((flags, index) => ({
    ...flags,
    other: other && flags.other,
    value: String(index + 1),
    retired: flags.retired === 0 && index > 0,
  }));

type Flags = { exclusive: boolean; retired: number };
const live = (list: readonly Flags[]) =>
  list.filter(({ retired }, index) => retired > 0 || index === 0).length;
const together = (list: readonly Flags[]) =>
  list.filter(({ retired, exclusive }, index) => !exclusive && (retired > 0 || index === 0)).length;

const DATES = {
  date: ['1899-02-28', '2024-02-29', '2031-12-31'],
  datetime: ['2000-01-01T00:00', '2024-02-29T23:59'],
  time: ['00:00', '09:30', '23:59'],
  month: ['1999-12', '2026-01'],
  year: ['0001', '1984', '9999'],
} as const;

/** Any valid question settings that at least one answer satisfies. */
const anyQuestion: fc.Arbitrary<Question> = fc.oneof(
  fc
    .tuple(fc.constantFrom('single_choice', 'dropdown'), optionList, fc.boolean())
    .map(([type, list, required]) => question(type, { options: optionsOf(list), required })),
  fc
    .tuple(optionList, maybe(whole(0, 4)), maybe(whole(4, 7)), fc.boolean())
    .map(([list, min, max, required]) =>
      question('multiple_choice', {
        options: optionsOf(list),
        required,
        settings: { min_selections: min && Math.min(min, together(list)), max_selections: max },
      }),
    ),
  fc
    .tuple(optionList, maybe(whole(0, 2)), maybe(whole(2, 7)), fc.boolean())
    .map(([list, min, max, required]) =>
      question('ranking', {
        options: optionsOf(list, false),
        required,
        settings: { min_ranked: min && Math.min(min, live(list)), max_ranked: max },
      }),
    ),
  fc
    .tuple(
      optionList,
      fc.constantFrom('equal' as const, 'at_most' as const),
      whole(0, 2),
      whole(0, 20),
      fc.boolean(),
    )
    .map(([list, total_rule, decimals, min, required]) =>
      question('constant_sum', {
        options: optionsOf(list, false),
        required,
        settings: { total: 141, total_rule, decimals, min, max: Math.max(min, 141 - min * (live(list) - 1)) },
      }),
    ),
  fc
    .tuple(optionList, fc.constantFrom('single', 'multiple'), fc.boolean(), fc.boolean())
    .map(([list, type, all, required]) =>
      question('matrix', {
        options: optionsOf(list, false),
        required,
        settings: { matrix_type: type, require_all_rows: all, rows: rows('r1', 'constructor', 'r3') },
      }),
    ),
  fc
    .tuple(bounds(whole(-50, 50), whole(0, 40)), whole(1, 7), fc.boolean())
    .map(([range, step, required]) => question('scale', { required, settings: { ...range, step } })),
  fc
    .tuple(bounds(whole(-5, 5), whole(0, 3)), fc.constantFrom(0.1, 0.25, 1), fc.boolean())
    .map(([range, step, required]) => question('slider', { required, settings: { ...range, step } })),
  fc.boolean().map((required) => question('nps', { required })),
  fc
    .tuple(maybe(whole(-1000, 0)), maybe(whole(1, 1000)), whole(0, 3), fc.boolean())
    .map(([min, max, decimals, required]) =>
      question('number', { required, settings: { min, max, decimals } }),
    ),
  fc.constantFrom('date', 'datetime', 'time', 'month', 'year').chain((precision) =>
    fc
      .tuple(
        maybe(fc.constantFrom(...DATES[precision])),
        maybe(fc.constantFrom(...DATES[precision])),
        fc.boolean(),
      )
      .map(([a, b, required]) => {
        const [min, max] = a !== null && b !== null && a > b ? [b, a] : [a, b];
        return question('date', { required, settings: { precision, min, max } });
      }),
  ),
  fc
    .tuple(maybe(whole(0, 120)), whole(120, 300), fc.boolean(), fc.boolean())
    .map(([min, max, multiline, required]) =>
      question('text', { required, settings: { min_length: min, max_length: max, multiline } }),
    ),
  fc
    .tuple(whole(1, 60), fc.boolean())
    .map(([max, required]) => question('text', { required, settings: { min_length: max, max_length: max } })),
  fc
    .tuple(
      fc.constantFrom('email', 'url', 'phone', 'regex'),
      fc.constantFrom('[A-Z]{2}\\d{4}', '^(yes|no)$', '\\p{L}+ \\S+', '(a|b)*c?'),
    )
    .map(([format, pattern]) => question('text', { required: true, settings: { format, pattern } })),
);

const anyPosition = whole(1, 9);
const condition = fc
  .tuple(anyPosition, whole(1, 3))
  .map(([number, value]) => equals(`Q${number}`, String(value)));
const anyLogic = maybe(
  fc.record({
    display: fc.option(condition, { nil: undefined }),
    skip: fc.array(
      fc.record({
        when: condition,
        action: fc.constantFrom('jump_to_page', 'end_survey', 'screen_out'),
        target_id: whole(1, 3),
      }),
      { maxLength: 1 },
    ),
  }),
);
const anySurvey = fc
  .array(fc.tuple(anyQuestion, anyLogic, fc.nat({ max: 9 })), { minLength: 9, maxLength: 9 })
  .map((list): SurveyDefinition => {
    const questions = list.map(([entry, parts, hidden]) => {
      // Shared arbitraries return the same object when shrinking.
      const own = {
        ...entry,
        settings: { ...entry.settings, logic: parts, hidden: hidden === 0 },
      } as Question;
      return own;
    });
    questions.forEach((entry, index) => Object.assign(entry, { code: `Q${index + 1}`, id: 101 + index }));
    return survey(
      page(...questions.slice(0, 3)),
      page(...questions.slice(3, 6)),
      page(...questions.slice(6)),
    );
  });

const generateResponses = (definition: SurveyDefinition, seed: number, count: number) => {
  const responses = new ResponseGenerator(definition, seed, ['en', 'de']);
  return Array.from({ length: count }, (_, index) => responses.generate(index));
};

describe('generated responses', () => {
  it('pass the validation of ordinary responses for any survey, with the expected status', () => {
    fc.assert(
      fc.property(anySurvey, whole(0, 2 ** 31 - 1), (definition, seed) => {
        const prepared = prepareDefinition(definition);
        const responses = new ResponseGenerator(definition, seed, ['en', 'de']);
        expect(responses.unansweredCodes).toEqual([]);
        for (let index = 0; index < 12; index++) {
          const { status, answers, endReason } = responses.generate(index);
          const result = validateAnswers(prepared, answers, {
            mode: status === 'partial' ? 'partial' : 'complete',
          });
          expect(result).toMatchObject({ ok: true, answers });
          if (!result.ok || status === 'partial') continue;
          expect(status).toBe(result.end?.kind === 'screened_out' ? 'screened_out' : 'complete');
          expect(endReason).toBe(result.end?.reason ?? null);
        }
      }),
      { numRuns: 150 },
    );
  });

  it('are the same for the same survey and seed, and differ for another seed', () => {
    fc.assert(
      fc.property(anySurvey, whole(0, 2 ** 31 - 2), (definition, seed) => {
        expect(generateResponses(structuredClone(definition), seed, 4)).toEqual(
          generateResponses(definition, seed, 4),
        );
        expect(generateResponses(definition, seed + 1, 4)).not.toEqual(
          generateResponses(definition, seed, 4),
        );
      }),
      { numRuns: 30 },
    );
  });

  it('depend only on their index: a larger sample begins with the same ones', () => {
    const definition = survey(page(question('nps'), question('single_choice')));
    const responses = new ResponseGenerator(definition, 7, ['en', 'de']);
    const forwards = generateResponses(definition, 7, 6);
    for (const index of [5, 3, 0]) expect(responses.generate(index)).toEqual(forwards[index]);
  });
});

describe('no options ticked', () => {
  it('occurs occasionally, unless the question is required, has a minimum or an exclusive option', () => {
    const exclusive = ['1', '2', { value: '9', exclusive: true }];
    const definition = survey(
      page(
        question('multiple_choice'),
        question('multiple_choice', { required: true }),
        question('multiple_choice', { settings: { min_selections: 1 } }),
        question('multiple_choice', { options: exclusive }),
        question('matrix', { options: ['1', '2'], settings: { rows: rows('r1'), matrix_type: 'multiple' } }),
      ),
    );
    const people = new ResponseGenerator(definition, 1, ['en']);
    const answers = Array.from({ length: 300 }, (_, index) => people.generate(index).answers);
    const nones = (code: string) => answers.filter((given) => JSON.stringify(given[code]) === '[]').length;
    expect(nones('Q1')).toBeGreaterThan(5);
    expect(nones('Q1')).toBeLessThan(150);
    expect(['Q2', 'Q3', 'Q4'].map(nones)).toEqual([0, 0, 0]);
    expect(answers.some(({ Q5 }) => JSON.stringify(Q5) === '{"r1":[]}')).toBe(true);
  });
});

describe('a thousand generated responses', () => {
  const ITEMS = ['r1', 'r2', 'r3', 'r4'];
  const definition = survey(
    page(
      question('single_choice', { required: true, options: ['1', '2', '3', '4', '5'] }),
      question('nps', { required: true }),
    ),
    page(
      question('matrix', {
        required: true,
        options: ['1', '2', '3', '4', '5'],
        settings: { rows: rows(...ITEMS), require_all_rows: true },
      }),
      question('number', { required: true, settings: { min: 18, max: 90 } }),
    ),
    page(question('text', { settings: { multiline: true } })),
  );
  const responses = generateResponses(definition, 1, 1_000);
  const complete = responses.filter(({ status }) => status === 'complete');

  it('include drop-outs and have plausible durations', () => {
    expect(complete.length).toBeGreaterThan(800);
    expect(complete.length).toBeLessThan(980);
    expect(
      responses
        .filter(({ status }) => status === 'partial')
        .every(({ lastPageId }) => [1, 2].includes(lastPageId!)),
    ).toBe(true);
    const durations = complete.map(({ durationSeconds }) => durationSeconds).sort((a, b) => a - b);
    expect(durations[0]!).toBeGreaterThan(5);
    expect(durations[500]!).toBeGreaterThan(40);
    expect(durations[500]!).toBeLessThan(200);
    for (const { relativeTime: moment } of responses) expect(moment >= 0 && moment < 1).toBe(true);
  });

  it('choose every option, with different frequencies', () => {
    const counts = ['1', '2', '3', '4', '5'].map(
      (value) => complete.filter(({ answers }) => answers.Q1 === value).length,
    );
    expect(Math.min(...counts)).toBeGreaterThan(0);
    expect(Math.max(...counts)).toBeGreaterThan(1.5 * Math.min(...counts));
  });

  it('are consistent: items of one battery correlate', () => {
    const item = (code: string) =>
      complete.map(({ answers }) => Number((answers.Q3 as Record<string, string>)[code]));
    for (const [a, b] of [
      ['r1', 'r2'],
      ['r2', 'r3'],
      ['r1', 'r4'],
    ] as const) {
      expect(correlation(item(a), item(b))).toBeGreaterThan(0.15);
      expect(correlation(item(a), item(b))).toBeLessThan(0.8);
    }
  });

  it('contain numbers around a center and texts in a language of the survey', () => {
    const ages = complete.map(({ answers }) => answers.Q4 as number);
    expect(Math.min(...ages)).toBeGreaterThanOrEqual(18);
    expect(Math.max(...ages)).toBeLessThanOrEqual(90);
    expect(new Set(ages).size).toBeGreaterThan(30);
    const texts = complete.flatMap(({ answers, language }) =>
      answers.Q5 ? [`${language}: ${answers.Q5 as string}`] : [],
    );
    expect(texts.length).toBeLessThan(complete.length);
    expect(new Set(texts).size).toBeGreaterThan(30);
    expect(texts.some((text) => text.includes('de: Sehr freundliches Personal.'))).toBe(true);
    expect(texts.some((text) => text.includes('de: Very'))).toBe(false);
  });
});

it('skip questions that cannot be generated, and still complete', () => {
  const impossible: QuestionInput<'text'> = {
    required: true,
    settings: { format: 'regex', pattern: '[\\u{1F600}]', max_length: 5 },
  };
  const definition = survey(
    page(
      question('file_upload', { required: true }),
      question('text', impossible),
      question('nps', { required: true }),
    ),
  );
  const responses = new ResponseGenerator(definition, 3, ['en']);
  expect(responses.unansweredCodes).toEqual(['Q1', 'Q2']);
  expect(responses.generate(0)).toMatchObject({
    status: 'complete',
    answers: { Q1: null, Q2: null, Q3: expect.any(Number) },
  });
});

it('a required question without options left causes a drop-out, not an invalid response', () => {
  const definition = survey(
    page(question('nps', { required: true })),
    pageWith(
      {},
      question('ranking', {
        required: true,
        options: ['1', '2'],
        settings: { min_ranked: 2, ...logic({ options: { 1: equals('Q9', 'x') } }) },
      }),
    ),
  );
  const responses = generateResponses(definition, 1, 20);
  expect(new Set(responses.map(({ status }) => status)).size).toBeGreaterThan(0);
  const prepared = prepareDefinition(definition);
  for (const { status, answers } of responses)
    expect(
      validateAnswers(prepared, answers, { mode: status === 'partial' ? 'partial' : 'complete' }).ok,
    ).toBe(true);
});

function correlation(a: readonly number[], b: readonly number[]): number {
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const [ma, mb] = [mean(a), mean(b)];
  const covariance = mean(a.map((value, index) => (value - ma) * (b[index]! - mb)));
  const sd = (values: readonly number[], m: number) =>
    Math.sqrt(mean(values.map((value) => (value - m) ** 2)));
  return covariance / sd(a, ma) / sd(b, mb);
}

it('gives reasons instead of some answers where a question offers them', () => {
  const no_answers = [
    { reason: 'dont_know' as const, code: -97, label: null },
    { reason: 'refused' as const, code: -98, label: null },
  ];
  const definition = survey(
    page(
      question('number', { required: true, settings: { min: 0, max: 9, no_answers } }),
      question('number', { required: true, settings: { min: 0, max: 9 } }),
    ),
  );
  const responses = new ResponseGenerator(definition, 3, ['en']);
  const answers = Array.from({ length: 300 }, (_, index) => responses.generate(index).answers);
  const texts = (code: string) => answers.map((given) => JSON.stringify(given[code] ?? null));
  for (const reason of ['dont_know', 'refused'])
    expect(texts('Q1').filter((text) => text.includes(reason)).length).toBeGreaterThan(2);
  expect(texts('Q1').filter((text) => /^\d$/.test(text)).length).toBeGreaterThan(200);
  expect(texts('Q2').some((text) => text.includes('no_answer'))).toBe(false);
});

import fc from 'fast-check';
import type { StoredAnswer } from '../../../../src/domain/questions/answers/codec.ts';
import { RESPONSE_STATUSES, type ResponseRow } from '../../../../src/domain/responses/response-row.ts';
import {
  QUALITY_CHECKS,
  qualityStatus,
  type StoredFlag,
} from '../../../../src/domain/responses/quality-flag.ts';
import {
  type Option,
  PLAIN_PAGE,
  PLAIN_SURVEY,
  type Question,
  type QuestionType,
  type SurveyDefinition,
} from '../../../../src/domain/survey/definition.ts';
import { questionSettingsSchemas } from '../../../../src/domain/questions/registry.ts';

export function option(code: number, extras: Partial<Option> = {}): Option {
  return {
    code,
    value: String(code),
    label: `Option ${code}`,
    order: code,
    image: null,
    exclusive: false,
    other: false,
    anchor: false,
    missing: false,
    retired: false,
    ...extras,
  };
}

let lastQuestionId = 0;

export function question(
  type: QuestionType,
  code: string,
  options: Option[] = [],
  settings: Record<string, unknown> = {},
  extras: { retired?: boolean; text?: string } = {},
): Question {
  return {
    id: ++lastQuestionId,
    pageId: 1,
    type,
    text: `Question ${code}`,
    code,
    required: false,
    settings: questionSettingsSchemas[type].parse(settings),
    options,
    retired: false,
    ...extras,
  } as Question;
}

export function surveyOf(...questions: Question[]): SurveyDefinition {
  const page = {
    id: 1,
    title: null,
    description: null,
    logic: null,
    ...PLAIN_PAGE,
    retired: false,
    questions,
  };
  return { surveyId: 1, version: 1, name: 'Test', description: null, pages: [page], ...PLAIN_SURVEY };
}

/** A question of every type: `region` has text values and a retired option, `Q2` more options than a word has bits. */
export const everyType = surveyOf(
  question('single_choice', 'Q1', [
    option(1),
    option(2),
    option(9, { other: true }),
    option(-99, { missing: true }),
  ]),
  question('dropdown', 'region', [
    option(1, { value: 'north' }),
    option(2, { value: 'South' }),
    option(3, { value: 'west', retired: true }),
  ]),
  question(
    'multiple_choice',
    'Q2',
    Array.from({ length: 40 }, (_, index) => option(index + 1, { other: index === 34 })),
  ),
  question('text', 'Q5'),
  question('number', 'age', [], { decimals: 1 }),
  question('scale', 'Q6', [], { max: 7 }),
  question('nps', 'nps'),
  question('slider', 'Q8'),
  question('constant_sum', 'Q12', [option(1), option(2), option(3)]),
  question('matrix', 'Q3', [option(1), option(2), option(3)], {
    rows: ['r1', 'r2'].map((row_code) => ({
      row_code,
      row_label: `Row ${row_code}`,
      row_other: row_code === 'r2',
    })),
  }),
  question('matrix', 'Q7', [option(1), option(2), option(3)], {
    rows: ['r1', 'r2'].map((row_code) => ({ row_code, row_label: `Row ${row_code}` })),
    matrix_type: 'multiple',
  }),
  question('ranking', 'Q4', [option(1), option(2), option(3)]),
  question('date', 'Q9'),
  question('date', 'Q10', [], { precision: 'time' }, { retired: true }),
  question('file_upload', 'Q11'),
  question('calculated', 'Q14', [], { expression: 'Q8 / 2' }),
  question('statement', 'Q13'),
  question('side_by_side', 'Q15', [], {
    rows: [{ row_code: 'r1', row_label: 'Row r1' }],
    columns: [{ column_code: 'a', column_label: 'Column a', column_type: 'number' }],
  }),
);

const choice = (values: string[]) => fc.constantFrom(...values);
const others = fc.constantFrom('cheap', 'Too Expensive', 'x');

/** Any stored answer of the questions of `everyType`; null is skipped, an absent key not shown. */
const answersArbitrary: fc.Arbitrary<Record<string, StoredAnswer | null>> = fc.record(
  {
    Q1: fc.option(
      fc.oneof(choice(['1', '2', '9', '-99']), fc.record({ value: fc.constant('9'), other: others })),
    ),
    region: fc.option(choice(['north', 'South', 'west'])),
    Q2: fc.option(
      fc
        .tuple(fc.subarray(['1', '2', '33', '40']), fc.option(others))
        .map(([values, other]) => (other === null ? values : [...values, { value: '35', other }])),
    ),
    Q5: fc.option(others),
    age: fc.option(fc.integer({ min: 160, max: 900 }).map((tenths) => tenths / 10)),
    Q6: fc.option(fc.integer({ min: 1, max: 7 })),
    nps: fc.option(fc.integer({ min: 0, max: 10 })),
    Q8: fc.option(fc.integer({ min: 0, max: 100 })),
    Q3: fc.option(
      fc.oneof(
        fc.record({ r1: choice(['1', '2', '3']) }),
        fc.record({ r2: choice(['1', '3']), 'r2.other': others }),
      ),
    ),
    Q7: fc.option(fc.record({ r2: fc.subarray(['1', '2', '3']) })),
    Q4: fc.option(fc.shuffledSubarray(['1', '2', '3'], { minLength: 1 })),
    Q12: fc.option(
      fc.integer({ min: 0, max: 100 }).map((first) => ({ '1': first, '2': 100 - first, '3': 0 })),
    ),
    Q9: fc.option(choice(['2024-02-29', '2025-12-31', '2026-01-01'])),
    Q10: fc.option(choice(['00:00', '08:30', '23:59'])),
    Q11: fc.option(fc.constant(['f1', 'f2'])),
    Q14: fc.option(fc.integer({ min: 0, max: 100 }).map((number) => number / 2)),
  },
  { requiredKeys: [] },
);

const flagArbitrary: fc.Arbitrary<StoredFlag> = fc
  .tuple(
    fc.constantFrom(...QUALITY_CHECKS),
    fc.constantFrom(null, 'confirmed' as const, 'dismissed' as const),
  )
  .map(([check, review]) => {
    const flag: StoredFlag = {
      check,
      severity: 'low',
      metric: 'm',
      value: 1,
      threshold: 2,
      column_codes: [],
    };
    return review === null ? flag : { ...flag, review };
  });

/** A response to `everyType`, with any metadata. */
export function rowArbitrary(responseId: fc.Arbitrary<number>): fc.Arbitrary<ResponseRow> {
  const id = fc.option(fc.integer({ min: 1, max: 3 }));
  const moment = fc.integer({ min: 0, max: 4_000_000_000_000 });
  return fc
    .record({
      responseId,
      status: fc.constantFrom(...RESPONSE_STATUSES),
      isTest: fc.boolean(),
      isDeleted: fc.boolean(),
      isEdited: fc.boolean(),
      startedAtMs: moment,
      completedAtMs: fc.option(moment),
      durationSeconds: fc.option(fc.integer({ min: 1, max: 1_000 })),
      submissionId: fc.option(fc.constantFrom('s-1', 's-2')),
      statusReason: fc.constantFrom(null, 'screen_out', 'quality'),
      endReason: fc.constantFrom(null, 'Not our audience', 'Lives alone'),
      updatedAtMs: moment,
      lastPageId: id,
      language: fc.constantFrom(null, 'en', 'de'),
      linkId: id,
      waveId: id,
      respondentId: id,
      externalId: fc.option(fc.constantFrom('p1', 'p2')),
      surveyVersion: fc.integer({ min: 1, max: 3 }),
      quality: fc.option(fc.record({ flags: fc.array(flagArbitrary, { maxLength: 3 }) })),
      presentation: fc.constant(null),
      pageTimes: fc.constant(null),
      answers: answersArbitrary,
    })
    .map((row) => ({ ...row, hasConfirmedFlags: qualityStatus(row.quality) === 'confirmed' }));
}

/** A complete response with these answers. */
export function response(
  responseId: number,
  answers: ResponseRow['answers'],
  extras: Partial<ResponseRow> = {},
): ResponseRow {
  return {
    responseId,
    status: 'complete',
    isTest: false,
    isDeleted: false,
    hasConfirmedFlags: false,
    isEdited: false,
    startedAtMs: Date.UTC(2026, 0, 1),
    completedAtMs: Date.UTC(2026, 0, 1, 0, 5),
    durationSeconds: 300,
    submissionId: null,
    statusReason: null,
    endReason: null,
    updatedAtMs: Date.UTC(2026, 0, 1, 0, 5),
    lastPageId: null,
    language: 'en',
    linkId: 1,
    waveId: null,
    respondentId: null,
    externalId: null,
    surveyVersion: 1,
    quality: null,
    presentation: null,
    pageTimes: null,
    answers,
    ...extras,
  };
}

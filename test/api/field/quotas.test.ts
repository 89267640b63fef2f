import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { useOrganization } from '../../support/actors.ts';
import { useApp } from '../../support/app.ts';
import { choice, multiple, number, text } from '../../support/questions.ts';
import {
  both,
  cell,
  ALL_RESPONDENTS,
  quota,
  getQuotas,
  setQuotas,
  answersAre,
} from '../../support/quotas.ts';
import { expectRefused, expectInvalidField } from '../../support/refusals.ts';
import { insertResponse } from '../../support/stored-responses.ts';
import { draftSurvey, type TestSurvey } from '../../support/surveys.ts';
import { type Wave, createWave } from '../../support/waves.ts';

const app = useApp();
const author = useOrganization(app).admin;
const stranger = useOrganization(app).admin;
let survey: TestSurvey;
let wave: Wave;

beforeAll(async () => {
  survey = await draftSurvey(author, [[choice('Gender'), number('Age'), multiple('Many'), text('Old')]]);
  // With data, a question that is deleted is retired.
  await insertResponse(app, survey.surveyId, { answers: { Old: 'x' } });
  await author.delete(`/api/surveys/${survey.surveyId}/questions/${survey.questionIds.Old}`).expect(204);
});

beforeEach(async () => {
  wave = await createWave(author, survey.surveyId, {});
});

const set = (quotas: unknown, by = author) =>
  by.patch(`/api/surveys/waves/${wave.wave_id}/quotas`, { quotas });
const GENDER = quota('Gender', [
  cell('Women', answersAre('Gender', 1), 10),
  cell('Men', answersAre('Gender', 2), 20),
]);

describe('the quotas of a wave', () => {
  test('are replaced as a whole, and can be sent back as read', async () => {
    expect(await getQuotas(author, wave)).toEqual([]);
    const soft = quota('Age', [cell('Young', answersAre('Age', 35, 'lt'), 5)], 'soft');
    const quotas = await setQuotas(author, wave, GENDER, soft);
    expect(quotas).toMatchObject([
      {
        quota_name: 'Gender',
        mode: 'hard',
        cells: [
          { cell_label: 'Women', target: 10, completed: 0, pending: 0, over_quota: 0, remaining: 10 },
          { cell_label: 'Men', target: 20, rule: '“Which for Gender?” is “Option 2”' },
        ],
      },
      { quota_name: 'Age', mode: 'soft', cells: [{ rule: '“How many for Age?” is less than 35' }] },
    ]);
    expect(await getQuotas(author, wave)).toEqual(quotas);
    expect(await setQuotas(author, wave, ...quotas)).toEqual(quotas);
    expect(await setQuotas(author, wave, quotas[1]!)).toEqual([quotas[1]]);
    expect(await setQuotas(author, wave)).toEqual([]);
    const log = await author.get('/api/audit').expect(200);
    expect(log.body.data[0]).toMatchObject({ action: 'wave.quotas_set', object_id: String(wave.wave_id) });
  });

  test('are returned but not stored with dry_run', async () => {
    const tried = await author
      .patch(`/api/surveys/waves/${wave.wave_id}/quotas`, { quotas: [GENDER], dry_run: true })
      .expect(200);
    expect(tried.body.data.quotas[0].cells).toHaveLength(2);
    expect(await getQuotas(author, wave)).toEqual([]);
  });

  test('determine the target of a wave without an explicit one', async () => {
    await setQuotas(author, wave, GENDER, quota('Count', [cell('All', ALL_RESPONDENTS)], 'counter'));
    const { body } = await author.get(`/api/surveys/waves/${wave.wave_id}`).expect(200);
    expect(body.data.target).toBe(30);
  });

  test('are inaccessible to other organizations', async () => {
    await expectRefused(set([], stranger), 404);
    await expectRefused(stranger.get(`/api/surveys/waves/${wave.wave_id}/quotas`), 404);
  });
});

describe('rejects, naming the field and changing nothing:', () => {
  const cells = (...given: object[]) => [quota('Q', given)];
  const at = 'quotas[0].cells[0]';
  test.each<[string, unknown, string]>([
    ['an unknown question', cells(cell('C', answersAre('Nope', 1), 1)), `${at}.condition`],
    ['a retired question', cells(cell('C', answersAre('Old', 'x'), 1)), `${at}.condition`],
    [
      'a data column',
      cells(cell('C', { left: { type: 'column', code: 'language' }, operator: 'equals', right: 'en' }, 1)),
      `${at}.condition`,
    ],
    [
      'an unknown option',
      cells(cell('C', both(answersAre('Gender', 1), answersAre('Gender', 9, 'not_equals')), 1)),
      `${at}.condition.conditions[1]`,
    ],
    [
      'a row of a question that is not a matrix',
      cells(cell('C', { ...answersAre('Gender', 1), left: { code: 'Gender', row_code: 'r1' } }, 1)),
      `${at}.condition`,
    ],
    [
      'a contradiction',
      cells(cell('C', both(answersAre('Gender', 1), answersAre('Gender', 2)), 1)),
      `${at}.condition`,
    ],
    [
      'an impossible age',
      cells(cell('C', both(answersAre('Age', 18, 'lt'), answersAre('Age', 18, 'gt')), 1)),
      `${at}.condition`,
    ],
    [
      'two cells with the same condition',
      cells(
        cell('A', both(answersAre('Gender', 1), answersAre('Age', 1)), 1),
        cell('B', both(answersAre('Age', '1'), answersAre('Gender', '1')), 2),
      ),
      'quotas[0].cells[1].condition',
    ],
    ['a hard quota without a target', cells(cell('C', answersAre('Gender', 1))), `${at}.target`],
    [
      'a soft quota without a target',
      [quota('Q', [cell('C', answersAre('Gender', 1))], 'soft')],
      `${at}.target`,
    ],
    ['a negative target', cells(cell('C', answersAre('Gender', 1), -1)), `${at}.target`],
    ['a fractional target', cells(cell('C', answersAre('Gender', 1), 1.5)), `${at}.target`],
    ['targets with a sum of zero', cells(cell('C', answersAre('Gender', 1), 0)), 'quotas[0].cells'],
    ['no cells', cells(), 'quotas[0].cells'],
    [
      'two quotas with the same name',
      [quota('Same', [cell('A', ALL_RESPONDENTS, 1)]), quota('same', [cell('A', ALL_RESPONDENTS, 1)])],
      'quotas[1].quota_name',
    ],
    ['an unknown mode', [quota('Q', [cell('C', ALL_RESPONDENTS, 1)], 'firm')], 'quotas[0].mode'],
    ['an unknown field', [{ ...GENDER, limit: 1 }], 'quotas[0].limit'],
    ['a blank name', [quota('  ', [cell('C', ALL_RESPONDENTS, 1)])], 'quotas[0].quota_name'],
    [
      'too many quotas',
      Array.from({ length: 51 }, (_, n) => quota(`Q${n}`, [cell('C', ALL_RESPONDENTS, 1)])),
      'quotas',
    ],
    [
      'too many cells',
      cells(...Array.from({ length: 1001 }, (_, n) => cell('C', answersAre('Age', n), 1))),
      'quotas',
    ],
    ['a value that is not a list', { Gender: 1 }, 'quotas'],
  ])('%s', async (_, quotas, field) => {
    await setQuotas(author, wave, GENDER);
    await expectInvalidField(set(quotas), field);
    expect((await getQuotas(author, wave)).map(({ quota_name }) => quota_name)).toEqual(['Gender']);
  });

  test.each<[string, object, string, string]>([
    [
      'an unknown option',
      answersAre('Gender', 7),
      '',
      '7 is not an option of Gender; accepted: "1", "2", "3"',
    ],
    [
      'an invalid value',
      both(answersAre('Gender', 1), answersAre('Age', 'old')),
      '.conditions[1]',
      'no response can match this condition: Age is never equals "old"',
    ],
    [
      'contradictory conditions',
      both(answersAre('Gender', 1), answersAre('Gender', 2)),
      '',
      'contradicts itself: no response can match this condition (Gender)',
    ],
  ])('gives the reason: %s', async (_, condition, place, message) => {
    const { body } = await set(cells(cell('C', condition, 1))).expect(400);
    expect(body.details).toEqual([{ field: `${at}.condition${place}`, message }]);
  });

  test('a condition without an operator', async () => {
    await expectRefused(set(cells(cell('C', { left: { code: 'Gender' } }, 1))), 400, 'validation_failed');
  });

  test('accepts a thousand cells', async () => {
    const many = Array.from({ length: 1000 }, (_, n) =>
      cell(`Age ${n}`, both(answersAre('Age', n), answersAre('Gender', 1)), 1),
    );
    expect((await set([quota('Ages', many)]).expect(200)).body.data.quotas[0].cells).toHaveLength(1000);
  });
});

test('keeps a deleted question in the rule and marks it', async () => {
  const own = await draftSurvey(author, [[choice('Q1'), choice('Q2')]]);
  await insertResponse(app, own.surveyId, { answers: { Q1: '1' } });
  const its = await createWave(author, own.surveyId, {});
  await setQuotas(author, its, quota('Q', [cell('C', answersAre('Q1', 1), 1)]));
  await author.delete(`/api/surveys/${own.surveyId}/questions/${own.questionIds.Q1}`).expect(204);
  expect((await getQuotas(author, its))[0]!.cells[0]!.rule).toBe(
    '“Which for Q1?” (no longer asked) is “Option 1”',
  );
});

describe('the rules of a workspace', () => {
  test('lists every cell, oldest first, filtered by survey or wave, in pages', async () => {
    const other = await createWave(author, survey.surveyId, {});
    const [quotas] = await setQuotas(author, wave, GENDER);
    await setQuotas(author, other, quota('All', [cell('Everybody', ALL_RESPONDENTS, 7)], 'soft'));
    const rules = async (query: string) =>
      (await author.get(`/api/surveys/waves/quota-rules${query}`).expect(200)).body;
    const ofWave = await rules(`?wave_id=${wave.wave_id}`);
    expect(ofWave.data).toEqual(
      quotas!.cells.map((cell) => ({
        wave_id: wave.wave_id,
        survey_id: survey.surveyId,
        quota_id: quotas!.quota_id,
        quota_name: 'Gender',
        mode: 'hard',
        ...cell,
      })),
    );
    expect(ofWave.meta.total).toBe(2);
    const first = await rules(`?wave_id=${wave.wave_id}&limit=1`);
    expect(first.data).toHaveLength(1);
    expect((await rules(`?wave_id=${wave.wave_id}&limit=1&cursor=${first.meta.next_cursor}`)).data).toEqual([
      ofWave.data[1],
    ]);
    const ofSurvey = await rules(`?survey_id=${survey.surveyId}&wave_id=${other.wave_id}`);
    expect(ofSurvey.data[0]).toMatchObject({
      wave_id: other.wave_id,
      rule: 'all respondents',
      mode: 'soft',
      remaining: 7,
    });
    const strangers = await stranger
      .get(`/api/surveys/waves/quota-rules?survey_id=${survey.surveyId}`)
      .expect(200);
    expect(strangers.body.data).toEqual([]);
  });
});

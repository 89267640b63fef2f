import { describe, expect, it } from 'vitest';
import { useOrganization } from '../../support/actors.ts';
import { useApp } from '../../support/app.ts';
import { choice } from '../../support/questions.ts';
import { expectRefused } from '../../support/refusals.ts';
import { addQuestion, draftSurvey, publish } from '../../support/surveys.ts';

const test = useApp();
const admin = useOrganization(test).admin;

interface Option {
  option_code: number;
  option_value: string;
  option_label: string;
}

const carries = (from: string, mode = 'selected') => ({ logic: { carry_forward: { from, mode } } });
const brands = [
  { option_label: 'Ant', option_value: 'a' },
  { option_label: 'Bee', option_value: 'b' },
  { option_label: 'Other', option_value: 'o', option_other: true },
];
const german = { de: { options: { '1': 'Ameise', '2': 'Biene' } } };

async function carrying() {
  const survey = await draftSurvey(admin, [
    [
      choice('Q1', {
        question_type: 'multiple_choice',
        options: brands,
        question_settings: { translations: german },
      }),
    ],
    [],
  ]);
  const { surveyId, pageIds } = survey;
  const question = (await addQuestion(admin, surveyId, pageIds[1]!, {
    question_type: 'ranking',
    question_code: 'Q2',
    question_settings: carries('Q1'),
  })) as unknown as { question_id: number; options: Option[]; question_settings: { translations: unknown } };
  const at = `/api/surveys/${surveyId}/questions`;
  return {
    ...survey,
    question,
    source: `${at}/${survey.questionIds.Q1}`,
    url: `${at}/${question.question_id}`,
    at,
  };
}
const shown = (options: Option[]) =>
  options.map(
    ({ option_code: code, option_value: value, option_label: label }) => `${code} ${value} ${label}`,
  );
const optionsOf = async (at: string, code: string) => {
  const { body } = await admin.get(at).expect(200);
  return shown(
    body.data.find((question: { question_code: string }) => question.question_code === code).options,
  );
};

describe('a question with carried-forward options and none of its own', () => {
  it('has the options of its source, with codes, values, labels, translations and columns', async () => {
    const { surveyId, question } = await carrying();
    expect(shown(question.options)).toEqual(['1 a Ant', '2 b Bee', '3 o Other']);
    expect(question.options[2]).toMatchObject({ option_other: false });
    expect(question.question_settings.translations).toEqual(german);
    const { linkToken } = await publish(admin, surveyId);
    const answers = { Q1: ['a', 'b'], Q2: ['b', 'a'] };
    await admin.post(`/api/public/s/${linkToken}/responses`, { answers }).expect(201);
    const { body } = await admin.get(`/api/responses/${surveyId}/grid`).expect(200);
    expect(body.data.rows[0].values).toMatchObject({ Q2_1: 2, Q2_2: 1, Q2_3: null });
  });

  it('follows its source, also when sent back unchanged', async () => {
    const { url, source, question, at } = await carrying();
    await admin.put(url, question).expect(200);
    await admin.put(source, { options: [...brands, { option_label: 'Cat', option_value: 'c' }] }).expect(200);
    expect(await optionsOf(at, 'Q2')).toEqual(['1 a Ant', '2 b Bee', '3 o Other', '4 c Cat']);
  });

  it('keeps added options as its own, and carried ones when it stops carrying', async () => {
    const { url, source, at } = await carrying();
    await admin.put(url, { question_settings: { logic: null } }).expect(200);
    await admin.put(source, { options: brands.slice(0, 2) }).expect(200);
    expect(await optionsOf(at, 'Q2')).toEqual(['1 a Ant', '2 b Bee', '3 o Other']);
    await admin.put(url, { question_settings: carries('Q1'), options: [] }).expect(200);
    expect(await optionsOf(at, 'Q2')).toEqual(['1 a Ant', '2 b Bee']);
    await admin.put(url, { options: ['Dog'] }).expect(200);
    expect(await optionsOf(at, 'Q2')).toEqual(['4 Dog Dog']);
  });

  it('keeps options with data: options of another source are rejected', async () => {
    const { surveyId, pageIds, url } = await carrying();
    await addQuestion(admin, surveyId, pageIds[0]!, {
      question_type: 'dropdown',
      question_code: 'Q0',
      options: ['x'],
    });
    await publish(admin, surveyId);
    await expectRefused(admin.put(url, { question_settings: carries('Q0') }), 409, 'fixed_by_data');
  });

  it('is filled through a chain, and option references resolve through it', async () => {
    const { surveyId, pageIds } = await carrying();
    const question = await addQuestion(admin, surveyId, pageIds[1]!, {
      question_type: 'dropdown',
      question_code: 'Q3',
      question_settings: { logic: { ...carries('Q2').logic, display: { Q2: 'Bee' } } },
    });
    expect(question).toMatchObject({
      options: [{ option_value: 'a' }, { option_value: 'b' }, { option_value: 'o' }],
      question_settings: { logic: { display: { conditions: [{ right: ['b'] }] } } },
    });
  });
});

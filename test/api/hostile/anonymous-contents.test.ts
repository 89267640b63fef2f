import { describe, expect, test } from 'vitest';
import { anonymous, useOrganization } from '../../support/actors.ts';
import { useApp } from '../../support/app.ts';
import { choice } from '../../support/questions.ts';
import { cell, quota, setQuotas } from '../../support/quotas.ts';
import { expectRefused } from '../../support/refusals.ts';
import { draftSurvey, type PublishedSurvey, publishedSurvey } from '../../support/surveys.ts';
import { createWave } from '../../support/waves.ts';

const app = useApp();
const author = useOrganization(app).admin;

const isFromStaff = { left: { type: 'hidden', code: 'staff' }, operator: 'equals', right: 'yes' };
const ifStaff = { logic: { display: { connector: 'and', conditions: [isFromStaff] } } };
const REMOTE = 'https://images.example/a.png';

const withSettings = (question_settings: object) => choice('Q2', { question_settings });
const withOptionImage = choice('Q2', {
  options: [{ option_label: 'A', option_image: REMOTE }, { option_label: 'B' }],
});

/** Fields of the problems that prevent publishing, by code. */
async function listProblems(questions: object[], settings: object): Promise<string[]> {
  const { surveyId } = await draftSurvey(author, { settings, pages: [[choice('Q1'), ...questions]] });
  const { body } = await author.get(`/api/surveys/${surveyId}/publish-check`).expect(200);
  return body.data.problems.map(({ code, field }: { code: string; field: string }) => `${code} ${field}`);
}

const AT = 'pages[0].questions[1]';
const UNDECLARED: [string, object[], object, string][] = [
  ['a condition', [withSettings(ifStaff)], {}, AT],
  ['a text', [choice('Q2', { question_text: 'Hello {{hidden.staff}}' })], {}, AT],
  ['a translation', [withSettings({ translations: { de: { question_text: '{{hidden.staff}}' } } })], {}, AT],
  ['a message of the survey', [], { completion_message: 'Thanks {{hidden.staff|you}}' }, 'survey_settings'],
];

describe('an anonymous survey', () => {
  test.each(UNDECLARED)(
    'cannot be published with an undeclared value in %s',
    async (_, questions, settings, field) => {
      expect(await listProblems(questions, { anonymous: true, ...settings })).toEqual([
        `undeclared_value ${field}`,
      ]);
      expect(
        await listProblems(questions, { anonymous: true, hidden_values: ['staff'], ...settings }),
      ).toEqual([]);
      expect(await listProblems(questions, settings)).toEqual([]);
    },
  );

  test.each([
    ['a question', withSettings({ image_url: REMOTE }), `${AT}.question_settings.image_url`],
    ['an option', withOptionImage, `${AT}.options[0].option_image`],
  ])('cannot be published with an image of another server in %s', async (_, question, field) => {
    expect(await listProblems([question], { anonymous: true })).toEqual([`remote_image ${field}`]);
    expect(await listProblems([question], {})).toEqual([]);
    const { surveyId } = await draftSurvey(author, {
      settings: { anonymous: true },
      pages: [[choice('Q1'), question]],
    });
    const refusal = await expectRefused(
      author.post(`/api/surveys/${surveyId}/publish`, {}),
      409,
      'remote_image',
    );
    expect(refusal.details[0]!.field).toBe(field);
  });

  test('stores only the values of the link that it declares', async () => {
    const survey = await publishedSurvey(author, {
      settings: { anonymous: true, hidden_values: ['source'] },
      pages: [[choice('Q1')]],
    });
    const hidden = { source: 'panel', employee: '4711', utm_id: 'ana@people.example' };
    for (const status of ['complete', 'partial'])
      await anonymous(app)
        .post(`/api/public/s/${survey.linkToken}/responses`, { answers: { Q1: '1' }, hidden, status })
        .expect(201);
    expect(await app.database.db('responses').where({ survey_id: survey.surveyId }).pluck('hidden')).toEqual([
      { source: 'panel' },
      { source: 'panel' },
    ]);
  });

  test('refuses quotas and filters on values that it does not declare', async () => {
    const survey = await publishedSurvey(author, { settings: { anonymous: true }, pages: [[choice('Q1')]] });
    const wave = await createWave(author, survey.surveyId);
    const quotas = [quota('Staff', [cell('Staff', isFromStaff, 5)])];
    const refusal = await expectRefused(
      author.patch(`/api/surveys/waves/${wave.wave_id}/quotas`, { quotas }),
      400,
      'validation_failed',
    );
    expect(refusal.details).toEqual([
      {
        field: 'quotas[0].cells[0].condition',
        message: expect.stringContaining('declare it in survey_settings.hidden_values'),
      },
    ]);
    const filter = encodeURIComponent(JSON.stringify(isFromStaff));
    await expectRefused(author.get(`/api/responses/${survey.surveyId}/grid?filter=${filter}`), 400);
    await declare(survey, ['staff']).expect(200);
    await setQuotas(author, wave, ...quotas);
    await expectRefused(declare(survey, []), 409, 'undeclared_value');
  });
});

const declare = ({ surveyId }: PublishedSurvey, hidden_values: string[]) =>
  author.put(`/api/surveys/${surveyId}`, { survey_settings: { hidden_values } });

describe('a published survey', () => {
  const makeAnonymous = ({ surveyId }: PublishedSurvey, more: object = {}) =>
    author.put(`/api/surveys/${surveyId}`, { survey_settings: { anonymous: true, ...more } });
  const publishedWith = (question: object) => publishedSurvey(author, [[choice('Q1'), question]]);

  test('cannot become anonymous while it shows an image of another server', async () => {
    const survey = await publishedWith(withOptionImage);
    const refusal = await expectRefused(makeAnonymous(survey), 409, 'remote_image');
    expect(refusal.details[0]!.field).toBe(`${AT}.options[0].option_image`);
    const { body } = await author.get(`/api/surveys/${survey.surveyId}`).expect(200);
    expect(body.data.survey_settings.anonymous).toBe(false);
  });

  test('cannot become anonymous while it uses a value that it does not declare', async () => {
    const survey = await publishedWith(withSettings(ifStaff));
    await expectRefused(makeAnonymous(survey), 409, 'undeclared_value');
    await makeAnonymous(survey, { hidden_values: ['staff'] }).expect(200);
  });

  test('that becomes anonymous loses the values that it does not declare', async () => {
    const survey = await publishedSurvey(author, {
      settings: { hidden_values: ['source', 'employee'] },
      pages: [[choice('Q1')]],
    });
    await anonymous(app)
      .post(`/api/public/s/${survey.linkToken}/responses`, {
        answers: { Q1: '1' },
        hidden: { source: 'panel', employee: '4711' },
      })
      .expect(201);
    await makeAnonymous(survey, { hidden_values: ['source'] }).expect(200);
    expect(await app.database.db('responses').where({ survey_id: survey.surveyId }).pluck('hidden')).toEqual([
      { source: 'panel' },
    ]);
  });

  test('loads no image of another server from a version that was published before it was anonymous', async () => {
    const survey = await publishedWith(withSettings({ image_url: REMOTE }));
    const policyOf = async () =>
      (await anonymous(app).get(`/s/${survey.linkToken}`).expect(200)).headers['content-security-policy'];
    expect(await policyOf()).toContain('https://images.example');
    // As before this was checked.
    await app.database.db.raw(
      `UPDATE surveys SET survey_settings = survey_settings || '{"anonymous": true}' WHERE survey_id = ?`,
      [survey.surveyId],
    );
    expect(await policyOf()).not.toContain('images.example');
  });
});

import { describe, expect, it } from 'vitest';
import { QUESTION_TYPES, typeOf } from '../../../src/domain/questions/registry.ts';
import { useOrganization } from '../../support/actors.ts';
import { useApp } from '../../support/app.ts';
import { choice } from '../../support/questions.ts';
import { expectInvalidField } from '../../support/refusals.ts';
import { draftSurvey, publishedSurvey } from '../../support/surveys.ts';

const test = useApp();
const admin = useOrganization(test).admin;

const IMAGE = {
  image_url: 'https://images.example.org/cup.png',
  image_alt: 'A red cup',
  translations: { de: { image_alt: 'Eine rote Tasse' } },
};

describe('the image of a question', () => {
  it.each(QUESTION_TYPES)('can be set for the type %s', async (type) => {
    const { surveyId, pageIds } = await draftSurvey(admin);
    const { question_settings: settings, ...example } = typeOf({ type }).example as {
      question_settings?: object;
    };
    const { body } = await admin
      .post(`/api/surveys/${surveyId}/questions`, {
        ...example,
        question_type: type,
        page_id: pageIds[0],
        question_settings: {
          ...settings,
          logic: null,
          image_url: IMAGE.image_url,
          image_alt: IMAGE.image_alt,
        },
      })
      .expect(201);
    expect(body.data.question_settings).toMatchObject({
      image_url: IMAGE.image_url,
      image_alt: IMAGE.image_alt,
    });
  });

  it('needs an http or https address', async () => {
    const { surveyId, questionIds } = await draftSurvey(admin, [[choice('Q1')]]);
    const at = `/api/surveys/${surveyId}/questions/${questionIds.Q1}`;
    for (const image_url of ['cup.png', 'javascript:alert(1)', 'data:image/png;base64,AAAA'])
      await expectInvalidField(
        admin.put(at, { question_settings: { image_url } }),
        'question_settings.image_url',
      );
  });

  it('is kept by export and duplication, compared between versions, and translated', async () => {
    const survey = await publishedSurvey(admin, {
      settings: { languages: ['de'] },
      pages: [[choice('Q1')]],
    });
    const at = `/api/surveys/${survey.surveyId}`;
    await admin.put(`${at}/questions/${survey.questionIds.Q1}`, { question_settings: IMAGE }).expect(200);
    const { body } = await admin.get(`${at}/versions/1/diff/draft`).expect(200);
    const changes = body.data.changes as { field: string }[];
    expect(changes.map(({ field }) => field)).toEqual(expect.arrayContaining(['image_url', 'image_alt']));
    const copy = await admin.post(`${at}/duplicate`).expect(201);
    const read = await admin.get(`/api/surveys/${copy.body.data.survey_id}`).expect(200);
    expect(read.body.data.questions[0].question_settings).toMatchObject(IMAGE);
    const { warnings } = (await admin.get(`${at}/publish-check`).expect(200)).body.data;
    expect(JSON.stringify(warnings)).not.toContain('image_alt');
    await admin
      .put(`${at}/questions/${survey.questionIds.Q1}`, { question_settings: { translations: {} } })
      .expect(200);
    const after = (await admin.get(`${at}/publish-check`).expect(200)).body.data;
    expect(JSON.stringify(after.warnings)).toContain('question_settings.image_alt');
  });

  it('may be loaded by the page of respondents, and a hidden question shows none', async () => {
    const hidden = 'https://hidden.example.org/secret.png';
    const { linkToken } = await publishedSurvey(admin, [
      [
        choice('Q1', { question_settings: IMAGE }),
        choice('Q2', { question_settings: { hidden: true, image_url: hidden } }),
      ],
    ]);
    const page = await admin.get(`/s/${linkToken}`).expect(200);
    const policy = page.headers['content-security-policy'];
    expect(policy).toContain('https://images.example.org');
    expect(policy).not.toContain('hidden.example.org');
    expect(page.text).not.toContain(hidden);
  });
});

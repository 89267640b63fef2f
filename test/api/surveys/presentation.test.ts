import { describe, expect, it } from 'vitest';
import { anonymous, useOrganization } from '../../support/actors.ts';
import { useApp } from '../../support/app.ts';
import { text } from '../../support/questions.ts';
import { expectInvalidField } from '../../support/refusals.ts';
import { PNG } from '../../support/sample-files.ts';
import { draftSurvey, publishedSurvey } from '../../support/surveys.ts';

const test = useApp();
const { admin } = useOrganization(test);
const visitor = anonymous(test);

const SETTINGS = {
  title: 'Your coffee',
  welcome_title: 'Welcome',
  welcome_text: 'We ask about coffee.',
  welcome_image: 'https://www.example.org/cup.png',
  welcome_image_alt: 'A cup',
  welcome_minutes: 5,
  welcome_button: 'Begin',
  end_title: 'Done',
  end_image: 'https://www.example.org/end.png',
  end_image_alt: 'A can',
  end_button: 'Results',
  end_url: 'https://www.example.org/results',
  icon: 'https://www.example.org/icon.png',
  share_description: 'About coffee',
  share_image: 'https://www.example.org/share.png',
  show_page_number: true,
  layout: 'one_question',
};
const SURVEY = {
  survey_name: 'Project 17',
  settings: {
    ...SETTINGS,
    languages: ['de'],
    translations: { de: { survey_name: 'P17', title: 'Ihr Kaffee' } },
  },
  pages: [[text('Q1')]],
};

describe('the look of a survey', () => {
  it('is exported and imported with it', async () => {
    const { surveyId } = await draftSurvey(admin, SURVEY);
    const { body } = await admin.get(`/api/surveys/${surveyId}/export`).expect(200);
    expect(body.data.survey.settings).toMatchObject(SETTINGS);
    const copy = await admin.post('/api/surveys/import', body.data).expect(201);
    expect(copy.body.data.survey_settings).toMatchObject(SETTINGS);
  });

  it('shows respondents the title, and never the name of the project', async () => {
    const { linkToken, surveyId } = await publishedSurvey(admin, SURVEY);
    const { body } = await visitor.get(`/api/public/s/${linkToken}`).expect(200);
    expect(body.data).toMatchObject({
      survey_name: 'Your coffee',
      survey_settings: { welcome_minutes: 5, translations: { de: { survey_name: 'Ihr Kaffee' } } },
    });
    const page = await visitor.get(`/s/${linkToken}`).expect(200);
    for (const shown of [JSON.stringify(body), page.text]) {
      expect(shown).not.toContain('Project 17');
      expect(shown).not.toContain('P17');
    }
    expect(page.headers['content-security-policy']).toMatch(
      /img-src 'self' data: https:\/\/www\.example\.org(;|$)/,
    );
    const [link] = (await admin.get(`/api/surveys/${surveyId}/links`).expect(200)).body.data;
    const embed = await admin.get(`/api/surveys/${surveyId}/links/${link.link_id}/embed`).expect(200);
    expect(embed.body.data.html).toContain('title="Your coffee"');
    const list = await admin.get('/api/surveys').expect(200);
    expect(list.body.data.map(({ survey_name: name }: { survey_name: string }) => name)).toContain(
      'Project 17',
    );
  });

  it('is not translated by its name where it has a title', async () => {
    const { surveyId } = await draftSurvey(admin, {
      ...SURVEY,
      settings: { title: 'Coffee', languages: ['de'] },
    });
    const { body } = await admin.get(`/api/surveys/${surveyId}/publish-check`).expect(200);
    const [warning] = body.data.warnings.filter(
      ({ code }: { code: string }) => code === 'missing_translations',
    );
    const fields = warning.missing.map(({ field }: { field: string }) => field);
    expect(fields).toContain('survey_settings.title');
    expect(fields).not.toContain('survey_name');
  });

  it.each([
    ['welcome_image', 'javascript:alert(1)'],
    ['icon', '/etc/passwd'],
    ['end_url', 'javascript:alert(1)'],
    ['welcome_minutes', 0],
    ['title', ''],
    ['welcome_button', 'x'.repeat(101)],
  ])('refuses %s: %j', async (name, value) => {
    const { surveyId } = await draftSurvey(admin);
    await expectInvalidField(
      admin.put(`/api/surveys/${surveyId}`, { survey_settings: { [name]: value } }),
      `survey_settings.${name}`,
    );
  });

  it('has no images of other servers where a survey is anonymous', async () => {
    const { surveyId } = await draftSurvey(admin, {
      ...SURVEY,
      settings: { anonymous: true, icon: 'https://www.example.org/icon.png' },
    });
    const { body } = await admin.get(`/api/surveys/${surveyId}/publish-check`).expect(200);
    expect(body.data.problems).toEqual([
      expect.objectContaining({ code: 'remote_image', field: 'survey_settings.icon' }),
    ]);
  });

  it('keeps the uploaded images that its settings name', async () => {
    const { surveyId } = await draftSurvey(admin);
    const { body } = await admin
      .post(`/api/surveys/${surveyId}/images`)
      .attach('image', PNG, { filename: 'cup.png' })
      .expect(201);
    const image = body.data.image_url as string;
    const changeIcon = (icon: string | null) =>
      admin.put(`/api/surveys/${surveyId}`, { survey_settings: { icon } }).expect(200);
    const sweepLater = async () => {
      const used_at = new Date(Date.now() - 2 * 24 * 60 * 60 * 1000);
      await test.database.db('survey_images').update({ used_at });
      await test.container.services.surveyImages.deleteUnused();
    };
    await changeIcon(image);
    await sweepLater();
    await visitor.get(image).expect(200);
    await changeIcon(null);
    await sweepLater();
    await visitor.get(image).expect(404);
  });
});

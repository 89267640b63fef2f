import { describe, expect, it } from 'vitest';
import { DefinitionRepository } from '../../../src/repositories/definitions.ts';
import { useOrganization } from '../../support/actors.ts';
import { useApp } from '../../support/app.ts';
import { expectRefused } from '../../support/refusals.ts';
import { insertResponse } from '../../support/stored-responses.ts';
import { addQuestion, draftSurvey, publish, publishedSurvey } from '../../support/surveys.ts';

const test = useApp();
const admin = useOrganization(test).admin;

const at = (surveyId: number) => `/api/surveys/${surveyId}`;
const choice = { question_type: 'single_choice', options: ['Yes', 'No'] };
const shownIf = (code: string) => ({
  logic: { display: { left: { code }, operator: 'equals', right: 'Yes' } },
});

async function check(surveyId: number) {
  const reply = await admin.get(`${at(surveyId)}/publish-check`).expect(200);
  return reply.body.data as { publishable: boolean; problems: { code: string; field: string }[] };
}

describe('the check before publishing', () => {
  it('names the page of a problem that is not about a question', async () => {
    const { surveyId, pageIds } = await draftSurvey(admin, [[choice], [choice], [choice]]);
    await admin.put(`${at(surveyId)}/pages/${pageIds[1]}`, { page_logic: shownIf('Q3').logic }).expect(200);
    const { problems } = await check(surveyId);
    expect(problems).toMatchObject([{ code: 'forward_reference', page_id: pageIds[1] }]);
    await admin.delete(`${at(surveyId)}/pages/${pageIds[0]}`).expect(204);
    expect((await check(surveyId)).problems).toMatchObject([{ page_id: pageIds[1] }]);
  });

  it('warns when the survey closes soon, is closed by its date, or has all its responses', async () => {
    const { surveyId } = await publishedSurvey(admin, [[choice]]);
    const warningsWith = async (survey_settings: object) => {
      await admin.put(at(surveyId), { survey_settings }).expect(200);
      const { body } = await admin.get(`${at(surveyId)}/publish-check`).expect(200);
      return body.data.warnings as { code: string; message: string; field: string }[];
    };
    const inMinutes = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString();
    expect(await warningsWith({ closes_at: inMinutes(90) })).toEqual([]);
    const soon = inMinutes(30);
    expect(await warningsWith({ closes_at: soon })).toEqual([
      {
        code: 'closing_soon',
        message: `The survey closes within an hour, at ${soon}`,
        field: 'survey_settings.closes_at',
      },
    ]);
    expect(await warningsWith({ closes_at: '2020-01-01T00:00:00Z' })).toEqual([
      {
        code: 'closing_time_passed',
        message: 'The survey has closed at 2020-01-01T00:00:00.000Z: no response can start',
        field: 'survey_settings.closes_at',
      },
    ]);
    await insertResponse(test, surveyId);
    await insertResponse(test, surveyId);
    expect(await warningsWith({ closes_at: null, response_limit: 3 })).toEqual([]);
    expect(await warningsWith({ response_limit: 2 })).toEqual([
      {
        code: 'response_limit_reached',
        message: 'The survey has 2 complete responses, and its limit is 2: no response can start',
        field: 'survey_settings.response_limit',
      },
    ]);
  });

  it('warns of each language with missing translations, and lists its texts', async () => {
    const { surveyId } = await draftSurvey(admin, {
      survey_name: 'Tea',
      settings: {
        languages: ['de', 'fr'],
        screened_out_message: 'Thank you, but no',
        translations: { de: { survey_name: 'Tee', screened_out_message: 'Danke, nein' } },
      },
      pages: [
        {
          questions: [
            {
              question_type: 'single_choice',
              question_text: 'Green or black?',
              question_settings: {
                translations: { de: { question_text: 'Grün oder schwarz?', options: { 1: 'Grün' } } },
              },
              options: ['Green', 'Black'],
            },
          ],
        },
      ],
    });
    const question = 'pages[0].questions[0]';
    const black = { field: `${question}.options[1].option_label`, question_code: 'Q1', text: 'Black' };
    const field = 'survey_settings.languages';
    expect(await check(surveyId)).toEqual({
      publishable: true,
      problems: [],
      warnings: [
        {
          code: 'missing_translations',
          message: expect.stringContaining('1 of 5 texts have no translation into de') as string,
          field,
          language: 'de',
          missing: [black],
        },
        {
          code: 'missing_translations',
          message: expect.stringContaining('5 of 5 texts have no translation into fr') as string,
          field,
          language: 'fr',
          missing: [
            { field: 'survey_name', text: 'Tea' },
            { field: 'survey_settings.screened_out_message', text: 'Thank you, but no' },
            { field: `${question}.question_text`, question_code: 'Q1', text: 'Green or black?' },
            { field: `${question}.options[0].option_label`, question_code: 'Q1', text: 'Green' },
            black,
          ],
        },
      ],
    });
  });
});

describe('publishing', () => {
  it('makes a draft active, with version 1 and one open link', async () => {
    const { surveyId } = await draftSurvey(admin, [[choice]]);
    expect(await check(surveyId)).toEqual({ publishable: true, problems: [], warnings: [] });
    const reply = await admin.post(`${at(surveyId)}/publish`).expect(200);
    expect(reply.body.data).toMatchObject({
      survey_id: surveyId,
      survey_status: 2,
      version: 1,
      has_unpublished_changes: false,
      links: [{ link_type: 'open', link_status: 'active', response_count: 0, complete_count: 0 }],
    });
    const [link] = reply.body.data.links as [{ link_token: string; link_url: string }];
    expect(link.link_url.endsWith(`/s/${link.link_token}`)).toBe(true);
    await admin.get(`/api/public/s/${link.link_token}`).expect(200);
  });

  it('again freezes the next version, and respondents get edits only then', async () => {
    const { surveyId, linkId, linkToken, questionIds } = await publishedSurvey(admin, [[choice]]);
    const sendRequest = async () => (await admin.get(`/api/public/s/${linkToken}`).expect(200)).text;
    await admin
      .put(`${at(surveyId)}/questions/${questionIds.Q1!}`, { question_text: 'Do you like tea?' })
      .expect(200);
    expect(await sendRequest()).not.toContain('Do you like tea?');
    const survey = await admin.get(at(surveyId)).expect(200);
    expect(survey.body.data).toMatchObject({ has_unpublished_changes: true, published_version: 1 });
    const next = await publish(admin, surveyId);
    expect(next).toEqual({ version: 2, linkId, linkToken });
    expect(await sendRequest()).toContain('Do you like tea?');
    expect((await admin.get(`${at(surveyId)}/links`).expect(200)).body.data).toHaveLength(1);
  });

  it('again without a change stores no version, even after an edit was undone', async () => {
    const { surveyId, linkId, linkToken, questionIds } = await publishedSurvey(admin, [[choice]]);
    const versions = async () =>
      (await test.database
        .db('survey_versions')
        .where({ survey_id: surveyId })
        .orderBy('version')) as object[];
    const audited = () =>
      test.database.db('audit_log').where({ object_id: String(surveyId), action: 'survey.published' });
    const [before, records] = [await versions(), (await audited()).length];
    const again = await admin.post(`${at(surveyId)}/publish`, { note: 'Nothing new' }).expect(200);
    expect(again.body.data).toMatchObject({ version: 1, is_new_version: false, survey_status: 2 });
    const question = `${at(surveyId)}/questions/${questionIds.Q1!}`;
    const text = (await admin.get(at(surveyId)).expect(200)).body.data.questions[0].question_text as string;
    await admin.put(question, { question_text: 'Another text' }).expect(200);
    await admin.put(question, { question_text: text }).expect(200);
    expect(await publish(admin, surveyId)).toEqual({ version: 1, linkId, linkToken });
    expect(await versions()).toEqual(before);
    expect(await audited()).toHaveLength(records);
    expect((await admin.get(at(surveyId)).expect(200)).body.data).toMatchObject({
      has_unpublished_changes: false,
      published_version: 1,
    });
  });

  it('a survey that was reopened without a change keeps its version and takes responses', async () => {
    const { surveyId, linkToken } = await publishedSurvey(admin, [[choice]]);
    await admin.put(at(surveyId), { survey_status: 3 }).expect(200);
    await expectRefused(admin.post(`${at(surveyId)}/publish`), 409, 'survey_closed');
    await admin.put(at(surveyId), { survey_status: 2 }).expect(200);
    const reply = await admin.post(`${at(surveyId)}/publish`).expect(200);
    expect(reply.body.data).toMatchObject({ version: 1, is_new_version: false, survey_status: 2 });
    await admin.get(`/api/public/s/${linkToken}`).expect(200);
  });

  it('keeps earlier versions exactly as they were', async () => {
    const { surveyId, pageIds } = await publishedSurvey(admin, [[choice]]);
    const definitions = new DefinitionRepository(test.database.db);
    const first = await definitions.findPublished(surveyId, 1);
    await addQuestion(admin, surveyId, pageIds[0]!, { question_type: 'nps' });
    await publish(admin, surveyId);
    expect(await definitions.findPublished(surveyId, 1)).toEqual(first);
    const second = await definitions.findPublished(surveyId, 2);
    expect(second!.pages[0]!.questions.map((question) => question.code)).toEqual(['Q1', 'Q2']);
    expect(second).toEqual(await definitions.loadDraft(surveyId));
  });
});

describe('publishing is rejected with every problem, and nothing changes', () => {
  async function refusal(surveyId: number, status: number, code: string) {
    const { problems, publishable } = await check(surveyId);
    expect(publishable).toBe(false);
    const reply = await expectRefused(admin.post(`${at(surveyId)}/publish`), status, code);
    expect(reply.details.map((detail) => detail.field)).toEqual(problems.map((problem) => problem.field));
    const survey = await admin.get(at(surveyId)).expect(200);
    expect(survey.body.data).toMatchObject({ survey_status: 1, published_version: null });
    expect((await admin.get(`${at(surveyId)}/links`).expect(200)).body.data).toEqual([]);
    return problems;
  }

  it('for a survey that is too large for respondents', async () => {
    const rows = Array.from({ length: 200 }, (_, index) => ({
      row_code: `r${index}`,
      row_label: 'x'.repeat(400),
    }));
    const questions = Array.from({ length: 65 }, () => ({
      question_type: 'matrix',
      question_settings: { rows },
      options: [{ option_label: 'Yes' }, { option_label: 'No' }],
    }));
    const { surveyId } = await draftSurvey(admin, [questions]);
    const [problem] = await refusal(surveyId, 409, 'survey_too_large');
    expect(problem).toHaveProperty(
      'message',
      expect.stringMatching(/^The survey has \d\.\d MB .* at most 5\.0 MB .*Largest questions: Q\d+ \(/),
    );
  });

  it('for a survey without questions', async () => {
    await refusal((await draftSurvey(admin, [])).surveyId, 409, 'empty_survey');
    await refusal((await draftSurvey(admin)).surveyId, 409, 'empty_survey');
  });

  it('for a reference to a missing question', async () => {
    const { surveyId } = await draftSurvey(admin, [
      [choice],
      [{ question_type: 'text', question_settings: shownIf('Q9') }],
    ]);
    await refusal(surveyId, 409, 'dangling_reference');
  });

  it('for a choice without options, with all other problems', async () => {
    const { surveyId } = await draftSurvey(admin, [
      [{ question_type: 'dropdown' }],
      [{ question_type: 'text', question_settings: shownIf('Q9') }],
    ]);
    const problems = await refusal(surveyId, 409, 'dangling_reference');
    expect(new Set(problems.map((problem) => problem.code))).toEqual(
      new Set(['options_missing', 'dangling_reference']),
    );
  });

  it('for a jump whose target was deleted', async () => {
    const { surveyId, pageIds, questionIds } = await draftSurvey(admin, [[choice], [], []]);
    const logic = {
      skip: [
        {
          when: { left: { code: 'Q1' }, operator: 'answered' },
          action: 'jump_to_page',
          target_id: pageIds[2],
        },
      ],
    };
    await admin
      .put(`${at(surveyId)}/questions/${questionIds.Q1!}`, { question_settings: { logic } })
      .expect(200);
    expect((await check(surveyId)).publishable).toBe(true);
    await admin.delete(`${at(surveyId)}/pages/${pageIds[2]}`).expect(204);
    await refusal(surveyId, 409, 'dangling_reference');
  });
});

describe('links', () => {
  it('are created with a type, name, quota and expiry, and counted', async () => {
    const { surveyId, linkToken } = await publishedSurvey(admin, [[choice]]);
    const created = await admin
      .post(`${at(surveyId)}/links`, {
        link_type: 'panel',
        link_name: 'Panel A',
        link_quota: 2,
        expires_at: '2099-01-01T00:00:00+02:00',
      })
      .expect(201);
    expect(created.body.data).toMatchObject({
      link_type: 'panel',
      link_name: 'Panel A',
      link_quota: 2,
      link_status: 'active',
      expires_at: '2098-12-31T22:00:00.000Z',
      response_count: 0,
    });
    const linkId = created.body.data.link_id as number;
    for (const status of ['complete', 'partial', 'complete', 'screened_out']) {
      await insertResponse(test, surveyId, { linkId, status });
    }
    await insertResponse(test, surveyId, { linkId, isTest: true });
    const { body } = await admin.get(`${at(surveyId)}/links`).expect(200);
    expect(body.data).toMatchObject([
      { link_token: linkToken, response_count: 0, link_status: 'active' },
      { link_id: linkId, response_count: 4, complete_count: 2, link_status: 'full' },
    ]);
    expect(body.meta.total).toBe(2);
  });

  it('are closed with their survey, and expire', async () => {
    const { surveyId } = await publishedSurvey(admin, [[choice]]);
    await admin.post(`${at(surveyId)}/links`, { expires_at: '2020-01-01T00:00:00Z' }).expect(201);
    const states = async () =>
      (await admin.get(`${at(surveyId)}/links`).expect(200)).body.data.map(
        (link: { link_status: string }) => link.link_status,
      );
    expect(await states()).toEqual(['active', 'expired']);
    await admin.put(at(surveyId), { survey_status: 3 }).expect(200);
    expect(await states()).toEqual(['closed', 'expired']);
  });

  it('have unguessable tokens', async () => {
    const { surveyId } = await draftSurvey(admin);
    const tokens = new Set<string>();
    for (let i = 0; i < 5; i += 1) {
      const created = await admin.post(`${at(surveyId)}/links`, { link_type: 'unique' }).expect(201);
      expect(created.body.data.link_token).toMatch(/^[A-Za-z0-9]{20}$/);
      tokens.add(created.body.data.link_token);
    }
    expect(tokens.size).toBe(5);
  });
});

import { describe, expect, it } from 'vitest';
import { useOrganization } from '../../support/actors.ts';
import { useApp } from '../../support/app.ts';
import { choice, EVERY_TYPE } from '../../support/questions.ts';
import { draftSurvey, publish, publishedSurvey } from '../../support/surveys.ts';

const test = useApp();
const { admin } = useOrganization(test);

interface Tagged {
  etag: string;
}
interface Survey extends Tagged {
  pages: (Tagged & { page_id: number })[];
  questions: (Tagged & { question_id: number; question_text: string; options: object[] })[];
}

const read = async (surveyId: number, query = ''): Promise<Survey> =>
  (await admin.get(`/api/surveys/${surveyId}${query}`).expect(200)).body.data;

describe('etags', () => {
  it('are equal in the survey, in lists, in replies about one object, and with retired objects', async () => {
    const { surveyId, questionIds, pageIds } = await publishedSurvey(admin, [
      [choice('Q1'), choice('Q2')],
      [choice('Q3')],
    ]);
    const options = (await read(surveyId)).questions[0]!.options.slice(1);
    await admin.put(`/api/surveys/${surveyId}/questions/${questionIds.Q1}`, { options }).expect(200);
    const survey = await read(surveyId);
    expect(await read(surveyId, '?include_retired=true')).toMatchObject({
      etag: survey.etag,
      questions: survey.questions.map(({ etag }) => ({ etag })),
    });
    const listed = await admin.get(`/api/surveys/${surveyId}/questions`).expect(200);
    expect(listed.body.data).toEqual(survey.questions);
    const question = await admin.get(`/api/surveys/${surveyId}/questions/${questionIds.Q1}`).expect(200);
    expect(question.body.data).toEqual(survey.questions[0]);
    expect(question.headers.etag).toBe(`"${survey.questions[0]!.etag}"`);
    const page = await admin.get(`/api/surveys/${surveyId}/pages/${pageIds[1]}`).expect(200);
    expect(page.headers.etag).toBe(`"${survey.pages[1]!.etag}"`);
    const whole = await admin.get(`/api/surveys/${surveyId}`).expect(200);
    // Weak, because the reply is compressed.
    expect(whole.headers.etag).toBe(`W/"${survey.etag}"`);
  });

  it('are the same in the reply of a change and when the object is read afterwards', async () => {
    const { surveyId } = await draftSurvey(admin, [EVERY_TYPE]);
    for (const { question_id: id, question_text: text, options } of (await read(surveyId)).questions) {
      const url = `/api/surveys/${surveyId}/questions/${id}`;
      const changed = await admin.put(url, {
        question_text: `${text}!`,
        ...(options.length > 0 && { options: options.toReversed() }),
        question_settings: { translations: { fr: { question_text: 'b', description: 'a' } } },
      });
      expect(changed.status, JSON.stringify(changed.body)).toBe(200);
      expect((await admin.get(url).expect(200)).headers.etag).toBe(changed.headers.etag);
    }
  });

  it('change only with their own object', async () => {
    const { surveyId, questionIds, pageIds } = await draftSurvey(admin, [[choice('Q1'), choice('Q2')]]);
    const before = await read(surveyId);
    await admin
      .put(`/api/surveys/${surveyId}/questions/${questionIds.Q1}`, { question_text: 'Reworded' })
      .expect(200);
    const after = await read(surveyId);
    expect(after.questions[0]!.etag).not.toBe(before.questions[0]!.etag);
    expect(after.questions[1]!.etag).toBe(before.questions[1]!.etag);
    expect([after.etag, after.pages[0]!.etag]).toEqual([before.etag, before.pages[0]!.etag]);
    await admin.put(`/api/surveys/${surveyId}/pages/${pageIds[0]}`, { page_title: 'Title' }).expect(200);
    await admin.put(`/api/surveys/${surveyId}`, { survey_settings: { show_progress: false } }).expect(200);
    const last = await read(surveyId);
    expect(last.pages[0]!.etag).not.toBe(after.pages[0]!.etag);
    expect(last.etag).not.toBe(after.etag);
    expect(last.questions.map(({ etag }) => etag)).toEqual(after.questions.map(({ etag }) => etag));
  });

  it('follow options that are carried forward', async () => {
    const { surveyId, questionIds } = await draftSurvey(admin, [
      [
        choice('Q1'),
        choice('Q2', { options: [], question_settings: { logic: { carry_forward: { from: 'Q1' } } } }),
      ],
    ]);
    const before = await read(surveyId);
    await admin
      .put(`/api/surveys/${surveyId}/questions/${questionIds.Q1}`, { options: ['New', 'Newer'] })
      .expect(200);
    expect((await read(surveyId)).questions[1]!.etag).not.toBe(before.questions[1]!.etag);
  });
});

describe('If-Match', () => {
  it('refuses a stale change of a question with the current question, and leaves it as it is', async () => {
    const { surveyId, questionIds } = await draftSurvey(admin, [[choice('Q1')]]);
    const url = `/api/surveys/${surveyId}/questions/${questionIds.Q1}`;
    const first = await admin.get(url).expect(200);
    const etag: string = first.headers.etag!;
    await admin.put(url, { question_text: 'By Ada' }).set('If-Match', etag).expect(200);
    const refused = await admin.put(url, { question_text: 'By Bob' }).set('If-Match', etag).expect(412);
    const current = (await admin.get(url).expect(200)).body.data;
    expect(refused.body).toMatchObject({ error: 1, code: 'precondition_failed', details: [], current });
    expect(current.question_text).toBe('By Ada');
    await admin.delete(url).set('If-Match', etag).expect(412);
    await admin.put(url, { question_text: 'By Bob' }).set('If-Match', `"${current.etag}"`).expect(200);
    await admin.put(url, { question_text: 'Without the header' }).expect(200);
  });

  it('refuses stale changes of pages and surveys', async () => {
    const { surveyId, pageIds } = await draftSurvey(admin, [[choice('Q1')]]);
    const page = `/api/surveys/${surveyId}/pages/${pageIds[0]}`;
    const survey = `/api/surveys/${surveyId}`;
    for (const [url, change] of [
      [page, (text: string) => ({ page_title: text })],
      [survey, (text: string) => ({ survey_name: text })],
    ] as const) {
      const etag: string = (await admin.get(url).expect(200)).headers.etag!;
      await admin.put(url, change('By Ada')).set('If-Match', etag).expect(200);
      const refused = await admin.put(url, change('By Bob')).set('If-Match', etag).expect(412);
      expect(refused.body.current).toMatchObject(change('By Ada'));
      await admin.delete(url).set('If-Match', etag).expect(412);
      await admin.delete(url).set('If-Match', `"${refused.body.current.etag}"`).expect(204);
    }
    const settings = await publishedSurvey(admin);
    const url = `/api/surveys/${settings.surveyId}/quality-settings`;
    const etag = `"${(await read(settings.surveyId)).etag}"`;
    const changed = await admin
      .put(url, { speeder: { ratio: 0.4 } })
      .set('If-Match', etag)
      .expect(200);
    expect(changed.headers.etag).toBe(`"${(await read(settings.surveyId)).etag}"`);
    await admin
      .put(url, { speeder: { ratio: 0.3 } })
      .set('If-Match', etag)
      .expect(412);
  });

  it('lets only one of several changes with the same tag through', async () => {
    const { surveyId, questionIds } = await draftSurvey(admin, [[choice('Q1')]]);
    const url = `/api/surveys/${surveyId}/questions/${questionIds.Q1}`;
    const etag: string = (await admin.get(url).expect(200)).headers.etag!;
    const statuses = await Promise.all(
      Array.from({ length: 8 }, async (_, index) => {
        const change = { question_text: `Text ${index}` };
        return (await admin.put(url, change).set('If-Match', etag)).status;
      }),
    );
    expect(statuses.sort()).toEqual([200, ...Array<number>(7).fill(412)]);
  });

  it.each([
    ['a weakened tag', (tag: string) => `W/"${tag}"`, 200],
    ['one of several tags', (tag: string) => `"x", "${tag}"`, 200],
    ['a tag without quotation marks', (tag: string) => tag, 200],
    ['any tag', () => '*', 200],
    ['an empty tag', () => '""', 412],
    ['no tag', () => ' ', 412],
    ['a part of the tag', (tag: string) => `"${tag.slice(1)}"`, 412],
    ['a long text', () => '"x",'.repeat(2_000), 412],
  ])('answers to %s as expected', async (_name, headerOf, status) => {
    const { surveyId, questionIds } = await draftSurvey(admin, [[choice('Q1')]]);
    const url = `/api/surveys/${surveyId}/questions/${questionIds.Q1}`;
    const { etag } = (await admin.get(url).expect(200)).body.data;
    await admin.put(url, { question_text: 'Other' }).set('If-Match', headerOf(etag)).expect(status);
  });

  it('does not depend on publishing or on the order of keys', async () => {
    const { surveyId, questionIds } = await draftSurvey(admin, [[choice('Q1')]]);
    const before = await read(surveyId);
    await publish(admin, surveyId);
    const url = `/api/surveys/${surveyId}/questions/${questionIds.Q1}`;
    const etag = `"${before.questions[0]!.etag}"`;
    await admin
      .put(url, {
        question_settings: { translations: { fr: { question_text: 'b' }, de: { question_text: 'a' } } },
      })
      .set('If-Match', etag)
      .expect(200);
    const reordered = { translations: { de: { question_text: 'a' }, fr: { question_text: 'b' } } };
    const now: string = (await admin.get(url).expect(200)).headers.etag!;
    const same = await admin.put(url, { question_settings: reordered }).set('If-Match', now).expect(200);
    expect(same.headers.etag).toBe(now);
  });

  it('reports a deleted question as missing', async () => {
    const { surveyId, questionIds } = await draftSurvey(admin, [[choice('Q1')]]);
    const url = `/api/surveys/${surveyId}/questions/${questionIds.Q1}`;
    const etag: string = (await admin.get(url).expect(200)).headers.etag!;
    await admin.delete(url).expect(204);
    await admin.put(url, { question_text: 'x' }).set('If-Match', etag).expect(404);
    await admin.get(url).expect(404);
    await admin.get(`/api/surveys/${surveyId}/pages/999999999`).expect(404);
  });
});

import { describe, expect, it } from 'vitest';
import { type Actor, anonymous, newOrganization, useOrganization } from '../../support/actors.ts';
import { useApp } from '../../support/app.ts';
import { choice, EVERY_TYPE, number, text } from '../../support/questions.ts';
import { addQuestion, draftSurvey, publish, publishedSurvey } from '../../support/surveys.ts';

const test = useApp();
const home = useOrganization(test);
const { admin } = home;

interface Change {
  kind: string;
  question_code: string | null;
  option_code: number | null;
  field: string | null;
  before: unknown;
  after: unknown;
  text: string;
}

const versionsOf = (surveyId: number) => `/api/surveys/${surveyId}/versions`;
const compare = async (surveyId: number, version: number, other: number | 'draft'): Promise<Change[]> =>
  (await admin.get(`${versionsOf(surveyId)}/${version}/diff/${other}`).expect(200)).body.data.changes;
const texts = (changes: Change[]): string[] => changes.map((change) => change.text);
const restore = async (surveyId: number, version: number) =>
  (await admin.post(`${versionsOf(surveyId)}/${version}/restore`).expect(200)).body.data;
const draftOf = async (surveyId: number, query = '') =>
  (await admin.get(`/api/surveys/${surveyId}${query}`).expect(200)).body.data;

const MATRIX = {
  question_type: 'matrix',
  question_code: 'M',
  question_text: 'How do you rate these?',
  question_settings: { rows: [{ row_code: 'a', row_label: 'Taste' }] },
  options: ['Bad', 'Good'],
};

describe('the list of versions', () => {
  it('names number, time, author, note and questions, newest first', async () => {
    const { surveyId, pageIds } = await draftSurvey(admin, [[choice('Q1')]]);
    expect((await admin.get(versionsOf(surveyId)).expect(200)).body.data).toEqual([]);
    await admin.post(`/api/surveys/${surveyId}/publish`, { note: '  First  ' }).expect(200);
    await addQuestion(admin, surveyId, pageIds[0]!, text('Q2') as never);
    await publish(admin, surveyId);
    const { body } = await admin.get(versionsOf(surveyId)).expect(200);
    const published_by = { user_id: admin.userId, user_name: 'Ada Admin' };
    expect(body.data).toMatchObject([
      { version: 2, note: null, question_count: 2, is_current: true, published_by },
      { version: 1, note: 'First', question_count: 1, is_current: false, published_by },
    ]);
    expect(body.meta.total).toBe(2);
    const first = await admin.get(`${versionsOf(surveyId)}?limit=1`).expect(200);
    const cursor: string = first.body.meta.next_cursor;
    const second = await admin.get(`${versionsOf(surveyId)}?limit=1&cursor=${cursor}`).expect(200);
    expect(second.body.data.map(({ version }: { version: number }) => version)).toEqual([1]);
  });

  it('returns a version with its content', async () => {
    const { surveyId, questionIds } = await publishedSurvey(admin, [[choice('Q1')]]);
    await admin
      .put(`/api/surveys/${surveyId}/questions/${questionIds.Q1}`, { question_text: 'Later' })
      .expect(200);
    const { body } = await admin.get(`${versionsOf(surveyId)}/1`).expect(200);
    expect(body.data).toMatchObject({
      version: 1,
      survey_name: 'A survey',
      pages: [{ questions: [{ question_id: questionIds.Q1, question_text: 'Which for Q1?' }] }],
    });
  });

  it.each(['0', '-1', '1.5', 'x', 'draft', '99999999999', '%00'])(
    'refuses the version %s',
    async (version) => {
      const { surveyId } = await publishedSurvey(admin);
      await admin.get(`${versionsOf(surveyId)}/${version}`).expect(400);
      await admin.post(`${versionsOf(surveyId)}/${version}/restore`).expect(400);
    },
  );

  it('returns 404 for unknown versions and surveys of others', async () => {
    const { surveyId } = await publishedSurvey(admin);
    const stranger = (await newOrganization(test)).admin;
    await admin.get(`${versionsOf(surveyId)}/2`).expect(404);
    await admin.get(`${versionsOf(surveyId)}/1/diff/2`).expect(404);
    await admin.post(`${versionsOf(surveyId)}/2/restore`).expect(404);
    for (const path of ['', '/1', '/1/diff/draft'])
      await stranger.get(versionsOf(surveyId) + path).expect(404);
    await stranger.post(`${versionsOf(surveyId)}/1/restore`).expect(404);
  });

  it('takes a note of at most 1000 characters', async () => {
    const { surveyId } = await draftSurvey(admin, [[choice('Q1')]]);
    const url = `/api/surveys/${surveyId}/publish`;
    await admin.post(url, { note: 'x'.repeat(1_001) }).expect(400);
    await admin.post(url, { note: 5 }).expect(400);
    await admin.post(url, { remark: 'x' }).expect(400);
    await admin.post(url, { note: '' }).expect(200);
  });
});

describe('a comparison', () => {
  it('finds nothing between a version and its unchanged draft, for every type of question', async () => {
    const { surveyId } = await draftSurvey(admin, [EVERY_TYPE]);
    await publish(admin, surveyId);
    expect(await compare(surveyId, 1, 'draft')).toEqual([]);
    expect(await compare(surveyId, 1, 1)).toEqual([]);
  });

  it('says in words what was added, removed, reworded, moved and set', async () => {
    const { surveyId, pageIds, questionIds } = await draftSurvey(admin, {
      survey_name: 'Coffee',
      pages: [[choice('Q1'), choice('Q2'), number('Q3'), text('Q4')], [text('Q5')]],
    });
    await publish(admin, surveyId);
    const question = (code: string) => `/api/surveys/${surveyId}/questions/${questionIds[code]}`;
    await admin.put(`/api/surveys/${surveyId}`, { survey_name: 'Coffee and tea' }).expect(200);
    await admin.put(`/api/surveys/${surveyId}/pages/${pageIds[0]}`, { page_title: 'Drinks' }).expect(200);
    await admin
      .put(question('Q1'), {
        question_text: 'Reworded?',
        question_required: true,
        options: [
          { option_value: '2', option_label: 'Option 2' },
          { option_value: '1', option_label: 'First' },
          { option_value: '9', option_label: 'None', option_exclusive: true },
        ],
      })
      .expect(200);
    await admin
      .put(question('Q3'), { question_settings: { max: 9, logic: { display: { Q1: ['1'] } } } })
      .expect(200);
    await admin.put(question('Q5'), { page_id: pageIds[0] }).expect(200);
    await admin.delete(question('Q4')).expect(204);
    await addQuestion(admin, surveyId, pageIds[1]!, text('Q6') as never);
    const live = [questionIds.Q2, questionIds.Q1, questionIds.Q3, questionIds.Q5];
    const added = (await draftOf(surveyId)).questions.at(-1).question_id;
    await admin
      .put(`/api/surveys/${surveyId}/questions/reorder`, { question_ids: [...live, added] })
      .expect(200);
    const changes = await compare(surveyId, 1, 'draft');
    expect(texts(changes).sort()).toEqual(
      [
        'The survey was renamed from “Coffee” to “Coffee and tea”.',
        'The title of page 1 changed from nothing to “Drinks”.',
        'Question Q4 “Why Q4?” was removed.',
        'Question Q1 was reworded from “Which for Q1?” to “Reworded?”.',
        'Question Q1 is now required.',
        'Option “Option 3” of question Q1 was removed.',
        'Option “Option 1” of question Q1 was reworded to “First”.',
        'Option “None” of question Q1 was added.',
        'The options of question Q1 were reordered.',
        'Question Q2 moved to another position on page 1.',
        'The setting “max” of question Q3 changed from nothing to 9.',
        'The logic of question Q3 changed from none to show if “Reworded?” is “First”.',
        'Question Q5 moved from page 2 to page 1.',
        'Question Q6 “Why Q6?” was added.',
      ].sort(),
    );
    const reworded = changes.find(({ kind }) => kind === 'question_reworded');
    expect(reworded).toMatchObject({
      question_code: 'Q1',
      field: 'question_text',
      before: 'Which for Q1?',
      after: 'Reworded?',
    });
  });

  it('is the reverse the other way round', async () => {
    const { surveyId, pageIds } = await publishedSurvey(admin, [[choice('Q1')]]);
    await addQuestion(admin, surveyId, pageIds[0]!, text('Q2') as never);
    await publish(admin, surveyId);
    expect(texts(await compare(surveyId, 1, 2))).toEqual(['Question Q2 “Why Q2?” was added.']);
    expect(texts(await compare(surveyId, 2, 1))).toEqual(['Question Q2 “Why Q2?” was removed.']);
  });
});

describe('restoring a version', () => {
  it('makes the draft the version again, keeps ids and codes, and retires what came later', async () => {
    const { surveyId, pageIds, questionIds } = await publishedSurvey(admin, [
      [choice('Q1'), text('Q2')],
      [text('Q3')],
    ]);
    const before = await draftOf(surveyId);
    await admin.put(`/api/surveys/${surveyId}`, { survey_name: 'Other' }).expect(200);
    await admin
      .put(`/api/surveys/${surveyId}/questions/${questionIds.Q1}`, {
        question_text: 'Other?',
        options: [
          { option_value: '3', option_label: 'Three' },
          { option_value: '4', option_label: 'Four' },
        ],
      })
      .expect(200);
    await admin.delete(`/api/surveys/${surveyId}/questions/${questionIds.Q2}`).expect(204);
    await admin.delete(`/api/surveys/${surveyId}/pages/${pageIds[1]}`).expect(204);
    const page = await admin.post(`/api/surveys/${surveyId}/pages`, { page_title: 'New' }).expect(201);
    const later = await addQuestion(admin, surveyId, page.body.data.page_id, text('Later') as never);
    await publish(admin, surveyId);

    expect(await restore(surveyId, 1)).toMatchObject({
      is_changed: true,
      remaining_changes: [],
      has_unpublished_changes: true,
    });
    expect(await compare(surveyId, 1, 'draft')).toEqual([]);
    const after = await draftOf(surveyId);
    const content = ({ pages }: { pages: object[] }) =>
      JSON.parse(JSON.stringify(pages).replaceAll(/,?"etag":"[^"]*"/g, ''));
    expect(after.survey_name).toBe(before.survey_name);
    expect(content(after)).toEqual(content(before));
    const all = await draftOf(surveyId, '?include_retired=true');
    const laterNow = all.questions.find(
      ({ question_id: id }: { question_id: number }) => id === later.question_id,
    );
    expect(laterNow).toMatchObject({ retired: true, question_code: 'Later' });
    const [first] = all.questions;
    expect(
      first.options.find(({ option_value: value }: { option_value: string }) => value === '4'),
    ).toMatchObject({
      retired: true,
      option_label: 'Four',
    });
    await publish(admin, surveyId);
    expect(await compare(surveyId, 1, 3)).toEqual([]);
  });

  it('changes nothing the second time, and has one entry in the audit log', async () => {
    const { surveyId, questionIds } = await publishedSurvey(admin, [[choice('Q1')]]);
    await admin
      .put(`/api/surveys/${surveyId}/questions/${questionIds.Q1}`, { question_text: 'Other?' })
      .expect(200);
    expect(await restore(surveyId, 1)).toMatchObject({ is_changed: true, has_unpublished_changes: false });
    const { revision } = await draftOf(surveyId);
    expect(await restore(surveyId, 1)).toMatchObject({ is_changed: false });
    expect(await draftOf(surveyId)).toMatchObject({ revision, has_unpublished_changes: false });
    const log = await admin.get('/api/audit?action=survey.version_restored').expect(200);
    const own = log.body.data.filter((row: { object_id: string }) => Number(row.object_id) === surveyId);
    expect(own).toMatchObject([{ details: { version: 1 } }]);
  });

  it('keeps the answers of questions and options that it retires', async () => {
    const { surveyId, questionIds, pageIds, linkToken } = await publishedSurvey(admin, [[choice('Q1')]]);
    const url = `/api/surveys/${surveyId}/questions/${questionIds.Q1}`;
    const { options } = (await admin.get(url).expect(200)).body.data;
    await admin.put(url, { options: [...options, { option_value: '4', option_label: 'Four' }] }).expect(200);
    await addQuestion(admin, surveyId, pageIds[0]!, text('Q2') as never);
    await publish(admin, surveyId);
    await anonymous(test)
      .post(`/api/public/s/${linkToken}/responses`, { answers: { Q1: '4', Q2: 'Kept' } })
      .expect(201);
    await restore(surveyId, 1);
    const grid = await admin.get(`/api/responses/${surveyId}/grid`).expect(200);
    expect(grid.body.data.rows[0].values).toMatchObject({ Q1: '4', Q2: 'Kept' });
  });

  it('keeps rows of a matrix that were added later, and says so', async () => {
    const { surveyId, questionIds } = await publishedSurvey(admin, [[MATRIX]]);
    const url = `/api/surveys/${surveyId}/questions/${questionIds.M}`;
    const rows = [
      { row_code: 'a', row_label: 'Flavor' },
      { row_code: 'b', row_label: 'Price' },
    ];
    await admin.put(url, { question_settings: { rows } }).expect(200);
    await publish(admin, surveyId);
    const { remaining_changes: remaining, is_changed: changed } = await restore(surveyId, 1);
    expect(changed).toBe(true);
    expect(texts(remaining)).toEqual(['The rows of question M changed.']);
    expect((await admin.get(url).expect(200)).body.data.question_settings.rows).toEqual([
      { row_code: 'a', row_label: 'Taste' },
      { row_code: 'b', row_label: 'Price' },
    ]);
    expect(await restore(surveyId, 1)).toMatchObject({ is_changed: false });
  });

  it('keeps carried-forward options following their source', async () => {
    const carried = choice('Q2', {
      options: [],
      question_settings: { logic: { carry_forward: { from: 'Q1' } } },
    });
    const { surveyId, questionIds } = await publishedSurvey(admin, [[choice('Q1'), carried]]);
    const source = `/api/surveys/${surveyId}/questions/${questionIds.Q1}`;
    await admin.put(source, { question_text: 'Other?' }).expect(200);
    await restore(surveyId, 1);
    const { options } = (await admin.get(source).expect(200)).body.data;
    await admin.put(source, { options: [...options, 'Another'] }).expect(200);
    const follower = await admin.get(`/api/surveys/${surveyId}/questions/${questionIds.Q2}`).expect(200);
    expect(follower.body.data.options).toHaveLength(4);
  });

  it('is refused to viewers', async () => {
    const { surveyId } = await publishedSurvey(admin);
    const client: Actor = await home.addUser('client');
    await client.get(versionsOf(surveyId)).expect(403);
    await client.post(`${versionsOf(surveyId)}/1/restore`).expect(403);
  });
});

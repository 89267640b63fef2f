import { beforeAll, describe, expect, test } from 'vitest';
import { anonymous, useOrganization } from '../../support/actors.ts';
import { useApp } from '../../support/app.ts';
import { startResponse } from '../../support/start-response.ts';
import { expireLinkReservations } from '../../support/expire-reservations.ts';
import { choice, multiple, number, text } from '../../support/questions.ts';
import { readStoredResponse } from '../../support/stored-responses.ts';
import { type PublishedSurvey, publishedSurvey } from '../../support/surveys.ts';

const app = useApp();
const author = useOrganization(app).admin;
const respondent = anonymous(app);
let survey: PublishedSurvey;

const is = (code: string, right: string) => ({ left: { code }, operator: 'equals', right });
const logic = (parts: object) => ({ question_settings: { logic: parts } });

/**
 * Page 1: Q1 (1 goes on; 2 jumps to page 3; 3 screens out) and Age (under 18 screens out). Page 2: Q2 several, Q3 one of those chosen, both
 * required. Page 3: Q4 if Q2 was answered, Q5 required; Q5 = 2 ends the survey. Page 4: Q6 required.
 */
beforeAll(async () => {
  survey = await publishedSurvey(author, [
    {
      page_id: 1,
      questions: [
        choice('Q1', {
          question_required: true,
          ...logic({
            skip: [
              { when: is('Q1', '2'), action: 'jump_to_page', target_id: 3 },
              { when: is('Q1', '3'), action: 'screen_out', reason: 'Not our audience' },
            ],
          }),
        }),
        number(
          'Age',
          logic({
            skip: [{ when: { left: { code: 'Age' }, operator: 'lt', right: 18 }, action: 'screen_out' }],
          }),
        ),
      ],
    },
    {
      page_id: 2,
      questions: [
        multiple('Q2', { question_required: true }),
        choice('Q3', {
          question_required: true,
          ...logic({ carry_forward: { from: 'Q2', mode: 'selected' } }),
        }),
      ],
    },
    {
      page_id: 3,
      questions: [
        text('Q4', logic({ display: { left: { code: 'Q2' }, operator: 'answered' } })),
        choice('Q5', {
          question_required: true,
          ...logic({ skip: [{ when: is('Q5', '2'), action: 'end_survey', reason: 'Short way' }] }),
        }),
      ],
    },
    { page_id: 4, questions: [text('Q6', { question_required: true })] },
  ]);
});

const submit = (answers: object) =>
  respondent.post(`/api/public/s/${survey.linkToken}/responses`, { answers });
const pageId = (number: number) => survey.pageIds[number - 1]!;

async function stored(answers: object) {
  const reply = await submit(answers).expect(201);
  return readStoredResponse(app, reply.body.data.response_id as number);
}

describe('a response submitted in one call', () => {
  test('requires no answer to skipped questions, and drops given ones', async () => {
    const row = await stored({ Q1: '2', Q2: ['1'], Q3: '1', Q4: 'x', Q5: '1', Q6: 'end' });
    expect(row).toMatchObject({ response_status: 'complete', status_reason: null });
    expect(row.answers).toEqual({ Q1: '2', Age: null, Q5: '1', Q6: 'end' });
  });

  test('requires every required answer on its path', async () => {
    const reply = await submit({ Q1: '1', Q5: '1', Q6: 'end' }).expect(400);
    expect(reply.body.details.map((detail: { field: string }) => detail.field)).toEqual(['answers.Q2']);
    const later = await submit({ Q1: '1', Q2: ['1'], Q5: '1' }).expect(400);
    expect(later.body.details.map((detail: { field: string }) => detail.field)).toEqual([
      'answers.Q3',
      'answers.Q6',
    ]);
  });

  test('is screened out by a skip with 201: stores but does not send the reason, and keeps only reached answers', async () => {
    const reply = await submit({ Q1: '3', Q2: ['1'], Q6: 'never reached' }).expect(201);
    expect(reply.body.data).toMatchObject({
      response_status: 'screened_out',
      status_reason: 'screen_out',
    });
    expect(reply.text).not.toContain('Not our audience');
    const row = await readStoredResponse(app, reply.body.data.response_id as number);
    expect(row).toMatchObject({
      response_status: 'screened_out',
      status_reason: 'screen_out',
      end_reason: 'Not our audience',
      answers: { Q1: '3', Age: null },
    });
    expect(row.completed_at).toBeInstanceOf(Date);
  });

  test('never sends the reasons of skip rules to a respondent, nor with the survey', async () => {
    const started = await startResponse(respondent, survey.linkToken);
    const saved = await started.save({ Q1: '3' }, pageId(1)).expect(200);
    expect(saved.body.data).toMatchObject({ response_status: 'screened_out', ended: true });
    const texts = [
      saved.text,
      (await started.complete().expect(200)).text,
      (await started.resume().expect(200)).text,
      (await respondent.get(`/api/public/s/${survey.linkToken}`).expect(200)).text,
      (await respondent.get(`/s/${survey.linkToken}`).expect(200)).text,
    ];
    for (const text of texts) {
      expect(text).not.toContain('Not our audience');
      expect(text).not.toContain('Short way');
    }
    // The rules are sent without reasons: the page evaluates them.
    expect(texts[3]).toContain('screen_out');
  });

  test('shows the reason in the grid, filters, distributions and exports', async () => {
    const row = await stored({ Q1: '3' });
    const at = `/api/responses/${survey.surveyId}`;
    const filter = { left: { code: 'end_reason' }, operator: 'equals', right: 'Not our audience' };
    const grid = await author
      .get(`${at}/grid?status=all&filter=${encodeURIComponent(JSON.stringify(filter))}`)
      .expect(200);
    const rows = grid.body.data.rows as { response_id: number; end_reason: string | null }[];
    expect(rows.find(({ response_id }) => response_id === row.response_id)).toMatchObject({
      end_reason: 'Not our audience',
    });
    expect(new Set(rows.map(({ end_reason }) => end_reason))).toEqual(new Set(['Not our audience']));
    const file = await author
      .post(`${at}/export`, {
        format: 'csv',
        status: ['complete', 'partial', 'screened_out'],
        columns: ['response_id', 'end_reason'],
      })
      .expect(200);
    expect(file.text).toContain(`${row.response_id},Not our audience`);
  });

  test('is complete when a skip ends it early', async () => {
    const row = await stored({ Q1: '1', Q2: ['1'], Q3: '1', Q5: '2', Q6: 'never reached' });
    expect(row).toMatchObject({
      response_status: 'complete',
      status_reason: null,
      end_reason: 'Short way',
    });
    expect(row.answers).toEqual({ Q1: '1', Age: null, Q2: ['1'], Q3: '1', Q4: null, Q5: '2' });
  });

  test('rejects options that were not carried forward', async () => {
    const reply = await submit({ Q1: '1', Q2: ['1'], Q3: '3', Q5: '1', Q6: 'x' }).expect(400);
    expect(reply.body.details).toEqual([
      { field: 'answers.Q3', message: expect.stringContaining('is required') },
    ]);
  });

  test.each([
    ['a screen-out option replaced by another', { Q1: '3', Age: 40 }, 'screened_out'],
    ['a skipped page together with one on the path', { Q1: '2', Age: 12 }, 'complete'],
    [
      'a hidden path around the age limit',
      { Q1: '1', Age: 12, Q2: ['1'], Q3: '1', Q5: '1', Q6: 'x' },
      'screened_out',
    ],
  ])('cannot bypass its logic: %s', async (_, answers, status) => {
    expect((await stored({ Q5: '1', Q6: 'x', ...answers })).response_status).toBe(status);
  });

  test('rejects a status or reason sent by the client, naming the field', async () => {
    const reply = await respondent
      .post(`/api/public/s/${survey.linkToken}/responses`, {
        answers: { Q1: '1' },
        status: 'screened_out',
        status_reason: 'quality',
      })
      .expect(400);
    expect(reply.body.details.map((detail: { field: string }) => detail.field).sort()).toEqual([
      'status',
      'status_reason',
    ]);
  });

  test('applies the same logic to responses of integrations', async () => {
    const reply = await author
      .post(`/api/responses/${survey.surveyId}/rows`, {
        rows: [{ answers: { Q1: '3' } }, { answers: { Q1: '2', Q5: '1', Q6: 'x' } }],
      })
      .expect(201);
    const ids = reply.body.data.response_ids as number[];
    expect((await readStoredResponse(app, ids[0]!)).status_reason).toBe('screen_out');
    expect((await readStoredResponse(app, ids[1]!)).response_status).toBe('complete');
  });
});

describe('a response page by page', () => {
  test('follows its answers, and requires the required answers of each submitted page', async () => {
    const response = await startResponse(respondent, survey.linkToken);
    const refused = await response.save({}, pageId(1)).expect(400);
    expect(refused.body.details[0].field).toBe('answers.Q1');
    expect((await response.save({ Q1: '1' }, pageId(1)).expect(200)).body.data.next_page_id).toBe(pageId(2));
    expect((await response.save({ Q1: '2' }, pageId(1)).expect(200)).body.data).toMatchObject({
      next_page_id: pageId(3),
      ended: false,
    });
    expect((await response.save({ Q5: '2' }, pageId(3)).expect(200)).body.data).toMatchObject({
      next_page_id: null,
      ended: true,
      response_status: 'partial',
    });
    const done = await response.complete().expect(200);
    expect(done.body.data).toMatchObject({ response_status: 'complete', status_reason: null });
  });

  test('saves incomplete answers without a page id, but does not submit them', async () => {
    const response = await startResponse(respondent, survey.linkToken, { answers: { Q1: '1' } });
    await response.save({ Q2: ['1'], Q6: '' }).expect(200);
    const page = await response.save({}, pageId(2)).expect(400);
    expect(page.body.details[0].field).toBe('answers.Q3');
    expect((await readStoredResponse(app, response.responseId)).answers).toEqual({
      Q1: '1',
      Q2: ['1'],
      Q6: null,
    });
  });

  test('ends when a page screens it out; a retry gets the same reply and changes nothing', async () => {
    const response = await startResponse(respondent, survey.linkToken, { answers: { Q6: 'typed ahead' } });
    const out = await response.save({ Q1: '3', Age: 30 }, pageId(1)).expect(200);
    expect(out.body.data).toEqual({
      response_id: response.responseId,
      response_status: 'screened_out',
      status_reason: 'screen_out',
      redirect_url: null,
      next_page_id: null,
      survey_closed: false,
      ended: true,
    });
    const row = await readStoredResponse(app, response.responseId);
    expect(row.answers).toEqual({ Q1: '3', Age: 30 });
    expect(row).toMatchObject({ last_page_id: pageId(1), response_status: 'screened_out' });
    expect((await response.save({ Q1: '1' }, pageId(1)).expect(200)).body).toEqual(out.body);
    const completed = (await response.complete({ Q1: '1' }).expect(200)).body.data;
    expect({
      ...completed,
      response_token: undefined,
      next_page_id: null,
      ended: true,
      survey_closed: false,
    }).toEqual(out.body.data);
    expect((await readStoredResponse(app, response.responseId)).answers).toEqual(row.answers);
  });

  test('is not screened out by an answer that is saved but not submitted', async () => {
    const response = await startResponse(respondent, survey.linkToken);
    await response.save({ Q1: '1', Age: 1 }).expect(200);
    expect((await response.save({ Age: 18 }, pageId(1)).expect(200)).body.data.response_status).toBe(
      'partial',
    );
  });

  test('keeps only the answers on the final path when the respondent goes back and changes it', async () => {
    const response = await startResponse(respondent, survey.linkToken);
    await response.save({ Q1: '1' }, pageId(1)).expect(200);
    await response.save({ Q2: ['1', '2'], Q3: '2' }, pageId(2)).expect(200);
    await response.save({ Q4: 'why', Q5: '1' }, pageId(3)).expect(200);
    await response.save({ Q1: '2' }, pageId(1)).expect(200);
    await response.save({ Q5: '1' }, pageId(3)).expect(200);
    await response.save({ Q6: 'end' }, pageId(4)).expect(200);
    await response.complete().expect(200);
    expect((await readStoredResponse(app, response.responseId)).answers).toEqual({
      Q1: '2',
      Age: null,
      Q5: '1',
      Q6: 'end',
    });
  });

  test('asks again when carried-forward options were removed', async () => {
    const response = await startResponse(respondent, survey.linkToken, {
      answers: { Q1: '1', Q2: ['1', '2'], Q3: '2', Q5: '1', Q6: 'x' },
    });
    await response.save({ Q2: ['1'] }).expect(200);
    const refused = await response.complete().expect(400);
    expect(refused.body.details.map((detail: { field: string }) => detail.field)).toEqual(['answers.Q3']);
    await response.complete({ Q3: '1' }).expect(200);
  });

  test('is screened out at the end when only all answers together screen it out', async () => {
    const response = await startResponse(respondent, survey.linkToken, { answers: { Q1: '3', Q5: '1' } });
    const done = await response.complete().expect(200);
    expect(done.body.data).toMatchObject({ response_status: 'screened_out', status_reason: 'screen_out' });
  });

  test('is stored as over quota when its link is full at the end', async () => {
    const link = await author
      .post(`/api/surveys/${survey.surveyId}/links`, { link_name: 'One', link_quota: 1 })
      .expect(201);
    const answers = { Q1: '2', Q5: '1', Q6: 'x' };
    const linkToken = link.body.data.link_token as string;
    const late = await startResponse(respondent, linkToken, { answers });
    await expireLinkReservations(app, linkToken);
    const out = await startResponse(respondent, linkToken, { answers: { Q1: '3' } });
    await expireLinkReservations(app, linkToken);
    await respondent.post(`/api/public/s/${linkToken}/responses`, { answers }).expect(201);
    expect((await late.complete().expect(200)).body.data.status_reason).toBe('over_quota');
    expect((await out.complete().expect(200)).body.data.status_reason).toBe('screen_out');
  });
});

describe('a page that is saved after going back', () => {
  test('removes the answers that are hidden now, and keeps the others', async () => {
    const started = await startResponse(respondent, survey.linkToken);
    const answers = async () => (await readStoredResponse(app, started.responseId)).answers;
    await started.save({ Q1: '1', Age: 40 }, pageId(1)).expect(200);
    await started.save({ Q2: ['1', '2'], Q3: '2' }, pageId(2)).expect(200);
    await started.save({ Q4: 'because', Q5: '1' }, pageId(3)).expect(200);
    await started.save({ Q2: ['1'], Q3: '1' }, pageId(2)).expect(200);
    expect(await answers()).toEqual({ Q1: '1', Age: 40, Q2: ['1'], Q3: '1', Q4: 'because', Q5: '1' });
    // Page 2 is skipped now, and Q4 depends on it.
    await started.save({ Q1: '2', Age: 40 }, pageId(1)).expect(200);
    expect(await answers()).toEqual({ Q1: '2', Age: 40, Q5: '1' });
    expect((await started.resume().expect(200)).body.data.answers).toEqual({ Q1: '2', Age: 40, Q5: '1' });
    await started.complete({ Q6: 'end' }).expect(200);
    expect(await answers()).toEqual({ Q1: '2', Age: 40, Q5: '1', Q6: 'end' });
  });

  test('removes options that are withheld now', async () => {
    const started = await startResponse(respondent, survey.linkToken);
    await started.save({ Q1: '1' }, pageId(1)).expect(200);
    await started.save({ Q2: ['1', '2'], Q3: '2' }, pageId(2)).expect(200);
    await started.save({ Q2: ['1'] }).expect(200);
    const { answers } = await readStoredResponse(app, started.responseId);
    expect(answers).toEqual({ Q1: '1', Q2: ['1'], Q3: null });
  });

  test('keeps answers that come before those on which they depend', async () => {
    const started = await startResponse(respondent, survey.linkToken);
    await started.save({ Q4: 'early' }).expect(200);
    await started.save({ Q1: '1', Q2: ['1'] }).expect(200);
    const { answers } = await readStoredResponse(app, started.responseId);
    expect(answers).toMatchObject({ Q4: 'early', Q2: ['1'] });
  });
});

import { commonSettings } from '../../../src/domain/questions/common-settings.ts';
import { QUESTION_TYPES } from '../../../src/domain/questions/registry.ts';
import { describe, expect, it } from 'vitest';
import { newOrganization, useOrganization } from '../../support/actors.ts';
import { useApp } from '../../support/app.ts';
import { expectRefused, expectInvalidField } from '../../support/refusals.ts';
import { EVERY_TYPE } from '../../support/questions.ts';
import { insertResponse } from '../../support/stored-responses.ts';
import { addQuestion, draftSurvey, publish, publishedSurvey } from '../../support/surveys.ts';

const test = useApp();
const admin = useOrganization(test).admin;

interface Option {
  option_code: number;
  option_value: string;
  option_label: string;
  retired: boolean;
}
interface Question {
  question_id: number;
  page_id: number;
  question_code: string;
  question_settings: Record<string, unknown>;
  options: Option[];
  retired: boolean;
}

const at = (surveyId: number) => `/api/surveys/${surveyId}/questions`;
const read = async (surveyId: number, query = ''): Promise<Question[]> =>
  (await admin.get(at(surveyId) + query).expect(200)).body.data;
const codes = async (surveyId: number, query = '') =>
  (await read(surveyId, query)).map((question) => question.question_code);
const coded = (options: Option[]) =>
  options.map((option) => `${option.option_code}=${option.option_value}${option.retired ? ' retired' : ''}`);

/** A draft that asks one question with these options. */
async function asking(options: (string | object)[], type = 'single_choice') {
  const survey = await draftSurvey(admin, [[{ question_type: type, options: options as string[] }]]);
  return { ...survey, url: `${at(survey.surveyId)}/${survey.questionIds.Q1!}` };
}

describe('a new question', () => {
  it.each(EVERY_TYPE)(
    'of type $question_type keeps its settings and returns its defaults',
    async (question) => {
      const { surveyId, pageIds } = await draftSurvey(admin);
      const created = await addQuestion(admin, surveyId, pageIds[0]!, question);
      expect(created).toMatchObject({
        question_type: question.question_type,
        question_code: 'Q1',
        retired: false,
      });
      const [stored] = await read(surveyId);
      expect(stored).toEqual(created);
      expect(stored!.question_settings).toMatchObject({
        hidden: false,
        logic: null,
        ...question.question_settings,
      });
      expect(stored!.options).toHaveLength(question.options?.length ?? 0);
    },
  );

  it.each([
    ['single', '; did you mean "single_choice"?'],
    ['rankng', '; did you mean "ranking"?'],
    ['emoji', ''],
  ])('of the unknown type %s is rejected with the valid types', async (type, hint) => {
    const { surveyId, pageIds } = await draftSurvey(admin);
    const question = { page_id: pageIds[0], question_type: type, question_text: 'Which?' };
    const { details } = await expectRefused(admin.post(at(surveyId), question), 400, 'validation_failed');
    expect(details[0]!.field).toBe('question_type');
    const accepted = `ccepted: ${QUESTION_TYPES.join(', ')}`;
    expect(details[0]!.message).toBe(
      `"${type}" is not a question type${hint === '' ? `; a${accepted}` : `${hint} A${accepted}`}`,
    );
  });

  it('gets the next free Q<n>, ignoring case', async () => {
    const { surveyId, pageIds } = await draftSurvey(admin);
    await addQuestion(admin, surveyId, pageIds[0]!, { question_type: 'text' });
    await addQuestion(admin, surveyId, pageIds[0]!, { question_type: 'text', question_code: 'q7' });
    await addQuestion(admin, surveyId, pageIds[0]!, { question_type: 'nps' });
    const taken = {
      page_id: pageIds[0],
      question_type: 'text',
      question_text: 'Again?',
      question_code: 'Q7',
    };
    await expectRefused(admin.post(at(surveyId), taken), 409, 'question_code_taken');
    expect(await codes(surveyId)).toEqual(['Q1', 'q7', 'Q8']);
  });

  it('has options by label alone, with integer values as codes, or numbered', async () => {
    const labels = await asking(['Yes', 'No']);
    expect(coded((await read(labels.surveyId))[0]!.options)).toEqual(['1=Yes', '2=No']);
    const values = await asking([
      { option_label: 'Good', option_value: 5 },
      { option_label: 'Refused', option_value: '-99', option_missing: true },
    ]);
    expect(coded((await read(values.surveyId))[0]!.options)).toEqual(['5=5', '-99=-99']);
  });

  it('must be on a page of its own survey', async () => {
    const { surveyId } = await draftSurvey(admin);
    const own = await draftSurvey(admin);
    const foreign = await draftSurvey((await newOrganization(test)).admin);
    for (const page of [own.pageIds[0], foreign.pageIds[0]]) {
      const body = { page_id: page, question_type: 'text', question_text: 'Where?' };
      await expectInvalidField(admin.post(at(surveyId), body), 'page_id');
    }
    for (const id of [surveyId, own.surveyId]) expect(await codes(id)).toEqual([]);
  });

  it('rejects jumps outside its survey', async () => {
    const { surveyId, pageIds } = await draftSurvey(admin);
    const otherSurvey = await draftSurvey(admin, [[{ question_type: 'text' }]]);
    const skip = [
      {
        when: { left: { code: 'Q1' }, operator: 'answered' },
        action: 'jump_to_question',
        target_id: otherSurvey.questionIds.Q1!,
      },
    ];
    const body = {
      page_id: pageIds[0],
      question_type: 'text',
      question_text: 'Jump?',
      question_settings: { logic: { skip } },
    };
    await expectInvalidField(admin.post(at(surveyId), body), 'question_settings.logic.skip[0].target_id');
    expect(await codes(surveyId)).toEqual([]);
  });

  it('reports every problem at once', async () => {
    const { surveyId } = await draftSurvey(admin);
    const { details } = await expectRefused(
      admin.post(at(surveyId), {
        page_id: 77777777,
        question_type: 'multiple_choice',
        question_text: 'What?',
        question_code: 'BY',
        question_settings: { min_selections: 3, max_selections: 2 },
        options: ['A', 'A'],
      }),
      400,
    );
    expect(details.map((detail) => detail.field)).toEqual([
      'page_id',
      'question_code',
      'question_settings.min_selections',
      'options[1].option_value',
    ]);
  });
});

describe("changing a draft's question", () => {
  it('merges settings key by key; null restores the default', async () => {
    const { surveyId, questionIds } = await draftSurvey(admin, [
      [{ question_type: 'number', question_settings: { min: 1, max: 9, suffix: 'kg' } }],
    ]);
    const url = `${at(surveyId)}/${questionIds.Q1!}`;
    const merged = await admin.put(url, { question_settings: { max: 5, suffix: null } }).expect(200);
    expect(merged.body.data.question_settings).toMatchObject({ min: 1, max: 5, suffix: null, decimals: 0 });
    await expectInvalidField(admin.put(url, { question_settings: { min: 6 } }), 'question_settings.min');
    const reset = await admin.put(url, { question_settings: null }).expect(200);
    expect(reset.body.data.question_settings).toMatchObject({ min: null, max: null });
  });

  it('can change its type, keeping common settings', async () => {
    const { url, surveyId } = await asking(['A', 'B']);
    await admin.put(url, { question_settings: { description: 'Think', columns: 3 } }).expect(200);
    const changed = await admin.put(url, { question_type: 'text' }).expect(200);
    expect(changed.body.data).toMatchObject({ question_type: 'text', options: [] });
    expect(changed.body.data.question_settings).toMatchObject({ description: 'Think', max_length: 2000 });
    expect((await read(surveyId))[0]!.question_settings).not.toHaveProperty('columns');
  });

  it('keeps every setting that all types have when its type changes', async () => {
    const { surveyId, questionIds } = await draftSurvey(admin, [
      [{ question_type: 'dropdown', options: [{ option_label: 'A' }, { option_label: 'B' }] }],
    ]);
    const url = `${at(surveyId)}/${questionIds.Q1!}`;
    const settings = {
      description: 'Think of a week',
      image_url: 'https://images.example.org/cup.png',
      image_alt: 'A red cup',
      media_url: `/media/${'a'.repeat(32)}.mp4`,
      media_alt: 'A cup is filled',
      media_captions: { en: `/media/${'b'.repeat(32)}.vtt` },
      placeholder: 'Cups',
      shuffle: 'random',
      hidden: true,
      report_label: 'Cups a week',
      no_answers: [{ reason: 'refused', code: -98, label: 'I prefer not to say' }],
      translations: { de: { question_text: 'Wie viele?' } },
    };
    // A new common setting has to be added here. Other tests change the logic; the imported variable describes former data.
    expect(Object.keys(commonSettings).sort()).toEqual(
      [...Object.keys(settings), 'logic', 'variable'].sort(),
    );
    await admin.put(url, { question_settings: settings }).expect(200);
    const changed = await admin.put(url, { question_type: 'constant_sum' }).expect(200);
    expect(changed.body.data.question_settings).toMatchObject(settings);
  });

  it('refuses settings that have no effect on it, and drops them when its type changes', async () => {
    const { surveyId, questionIds } = await draftSurvey(admin, [
      [{ question_type: 'dropdown', options: [{ option_label: 'A' }, { option_label: 'B' }] }],
    ]);
    const url = `${at(surveyId)}/${questionIds.Q1!}`;
    await admin.put(url, { question_settings: { placeholder: 'Choose', shuffle: 'random' } }).expect(200);
    const changed = await admin.put(url, { question_type: 'nps' }).expect(200);
    expect(changed.body.data.question_settings).toMatchObject({ placeholder: null, shuffle: 'none' });
    const sent = { question_settings: { placeholder: 'Choose', shuffle: 'random' } };
    const refused = await admin.put(url, sent).expect(400);
    expect(refused.body.details).toEqual([
      {
        field: 'question_settings.shuffle',
        message: 'has no effect on this question: leave it out, or send "none"',
      },
      {
        field: 'question_settings.placeholder',
        message: 'has no effect on this question: leave it out, or send null',
      },
    ]);
    await admin.put(url, { question_settings: changed.body.data.question_settings }).expect(200);
  });

  it('replaces the whole list of options, matching them by code, then by value', async () => {
    const { url } = await asking(['Red', 'Green', 'Blue']);
    const changed = await admin
      .put(url, {
        options: [
          { option_code: 3, option_label: 'Azure', option_value: 'Azure' },
          { option_value: 'Red', option_label: 'Crimson' },
          'Yellow',
        ],
      })
      .expect(200);
    expect(coded(changed.body.data.options)).toEqual(['3=Azure', '1=Red', '4=Yellow']);
    const repeated = await admin.put(url, { options: ['Green'] }).expect(200);
    expect(coded(repeated.body.data.options)).toEqual(['5=Green']);
  });

  it('moves to the end of another page of the same survey', async () => {
    const { surveyId, pageIds, questionIds } = await draftSurvey(admin, [
      [{ question_type: 'text' }, { question_type: 'nps' }],
      [{ question_type: 'date' }],
    ]);
    const url = `${at(surveyId)}/${questionIds.Q1!}`;
    const otherSurvey = await draftSurvey(admin);
    await expectInvalidField(admin.put(url, { page_id: otherSurvey.pageIds[0] }), 'page_id');
    expect(await codes(surveyId)).toEqual(['Q1', 'Q2', 'Q3']);
    await admin.put(url, { page_id: pageIds[1] }).expect(200);
    expect(await codes(surveyId)).toEqual(['Q2', 'Q3', 'Q1']);
  });

  it("can change the case of its code, but not take another's", async () => {
    const { surveyId, questionIds } = await draftSurvey(admin, [
      [{ question_type: 'text' }, { question_type: 'text', question_code: 'Age' }],
    ]);
    const url = `${at(surveyId)}/${questionIds.Age!}`;
    await expectRefused(admin.put(url, { question_code: 'q1' }), 409, 'question_code_taken');
    await admin.put(url, { question_code: 'AGE' }).expect(200);
    expect(await codes(surveyId)).toEqual(['Q1', 'AGE']);
  });

  it('does not raise the revision without a change', async () => {
    const { surveyId, url } = await asking(['A', 'B']);
    await publish(admin, surveyId);
    const [question] = await read(surveyId);
    await admin.put(url, question).expect(200);
    const survey = await admin.get(`/api/surveys/${surveyId}`).expect(200);
    expect(survey.body.data.has_unpublished_changes).toBe(false);
  });
});

describe('reordering questions', () => {
  it('requires exactly the questions of the survey, and keeps their pages', async () => {
    const { surveyId, questionIds } = await draftSurvey(admin, [
      [{ question_type: 'text' }, { question_type: 'text' }],
      [{ question_type: 'text' }],
    ]);
    const otherSurvey = await draftSurvey(admin, [[{ question_type: 'text' }]]);
    const [a, b, c] = Object.values(questionIds) as [number, number, number];
    const foreign = otherSurvey.questionIds.Q1!;
    const reply = await admin.put(`${at(surveyId)}/reorder`, { question_ids: [c, b, a] }).expect(200);
    expect(reply.body.data.map((question: Question) => question.question_code)).toEqual(['Q2', 'Q1', 'Q3']);
    for (const wrong of [[a, b], [a, b, c, c], [a, b, foreign], [a, b, c, foreign], []]) {
      await expectRefused(
        admin.put(`${at(surveyId)}/reorder`, { question_ids: wrong }),
        400,
        'validation_failed',
      );
    }
    expect(await codes(surveyId)).toEqual(['Q2', 'Q1', 'Q3']);
  });
});

describe('deleting a question', () => {
  it('removes it before it was published, and frees its code', async () => {
    const { surveyId, pageIds, questionIds } = await draftSurvey(admin, [
      [{ question_type: 'text' }, { question_type: 'nps' }],
    ]);
    await admin.delete(`${at(surveyId)}/${questionIds.Q1!}`).expect(204);
    expect(await codes(surveyId, '?include_retired=true')).toEqual(['Q2']);
    await addQuestion(admin, surveyId, pageIds[0]!, { question_type: 'text', question_code: 'Q1' });
    await expectRefused(admin.delete(`${at(surveyId)}/${questionIds.Q1!}`), 404);
  });

  it.each([
    ['responses exist', 'responses'],
    ['it was published', 'published'],
  ])('retires it once %s, and its code stays reserved', async (_, how) => {
    const { surveyId, pageIds, questionIds } = await draftSurvey(admin, [
      [{ question_type: 'text' }, { question_type: 'nps' }],
    ]);
    if (how === 'published') await publish(admin, surveyId);
    else await insertResponse(test, surveyId, { answers: { Q1: 'Hello' } });
    await admin.delete(`${at(surveyId)}/${questionIds.Q1!}`).expect(204);
    expect(await codes(surveyId)).toEqual(['Q2']);
    const all = await read(surveyId, '?include_retired=true');
    expect(all.map((question) => [question.question_code, question.retired])).toEqual([
      ['Q1', true],
      ['Q2', false],
    ]);
    const body = { page_id: pageIds[0], question_type: 'text', question_text: 'New?', question_code: 'q1' };
    await expectRefused(admin.post(at(surveyId), body), 409, 'question_code_taken');
    await expectRefused(admin.delete(`${at(surveyId)}/${questionIds.Q1!}`), 404);
  });

  it('can be undone if it was retired', async () => {
    const { surveyId, pageIds, questionIds } = await publishedSurvey(admin, [
      [{ question_type: 'text' }, { question_type: 'nps' }],
    ]);
    const url = `${at(surveyId)}/${questionIds.Q1!}`;
    await admin.delete(url).expect(204);
    await expectRefused(admin.put(url, { question_text: 'Changed' }), 409, 'question_retired');
    await admin.put(url, { retired: false }).expect(200);
    expect(await codes(surveyId)).toEqual(['Q1', 'Q2']);

    await admin.delete(`/api/surveys/${surveyId}/pages/${pageIds[0]}`).expect(204);
    const page = await admin.post(`/api/surveys/${surveyId}/pages`).expect(201);
    await expectRefused(admin.put(url, { retired: false }), 409, 'question_retired');
    await admin.put(url, { retired: false, page_id: page.body.data.page_id }).expect(200);
    expect(await codes(surveyId)).toEqual(['Q1']);
  });
});

describe('a survey with data', () => {
  it('keeps codes, types, option values, matrix rows and date precision', async () => {
    const { surveyId, questionIds } = await draftSurvey(admin, [EVERY_TYPE]);
    await insertResponse(test, surveyId);
    const before = await read(surveyId, '?include_retired=true');
    const ofType = (type: string) =>
      questionIds[`Q${EVERY_TYPE.findIndex((question) => question.question_type === type) + 1}`]!;
    const attempts: [string, object][] = [
      ['text', { question_code: 'other' }],
      ['text', { question_type: 'number' }],
      ['single_choice', { options: [{ option_code: 1, option_value: 'Yep', option_label: 'Yes' }] }],
      ['matrix', { question_settings: { rows: [{ row_code: 'r1', row_label: 'Price' }] } }],
      ['matrix', { question_settings: { matrix_type: 'multiple' } }],
      ['date', { question_settings: { precision: 'year' } }],
    ];
    for (const [type, change] of attempts) {
      const reply = await expectRefused(
        admin.put(`${at(surveyId)}/${ofType(type)}`, change),
        409,
        'fixed_by_data',
      );
      expect(reply.details.length).toBeGreaterThan(0);
    }
    expect(await read(surveyId, '?include_retired=true')).toEqual(before);
  });

  it('can change texts, labels, rules and new options, and retires removed options', async () => {
    const { surveyId, url } = await asking(['Red', 'Green']);
    await insertResponse(test, surveyId, { answers: { Q1: 'Green' } });
    const changed = await admin
      .put(url, {
        question_text: 'Which color?',
        question_required: true,
        options: [{ option_code: 1, option_label: 'Crimson' }, 'Blue'],
      })
      .expect(200);
    expect(changed.body.data).toMatchObject({ question_text: 'Which color?', question_required: true });
    expect(coded(changed.body.data.options)).toEqual(['1=Red', '3=Blue']);
    const [all] = await read(surveyId, '?include_retired=true');
    expect(coded(all!.options)).toEqual(['1=Red', '3=Blue', '2=Green retired']);
    const back = await admin.put(url, { options: ['Red', 'Blue', 'Green'] }).expect(200);
    expect(coded(back.body.data.options)).toEqual(['1=Red', '3=Blue', '2=Green']);
  });
});

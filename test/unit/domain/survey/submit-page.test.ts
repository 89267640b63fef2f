import { describe, expect, it } from 'vitest';
import type { StoredAnswers } from '../../../../src/domain/questions/answers/codec.ts';
import type { SurveyDefinition } from '../../../../src/domain/survey/definition.ts';
import { NO_RESPONDENT_CONTEXT } from '../../../../src/domain/survey/logic/evaluate-logic.ts';
import { prepareDefinition } from '../../../../src/domain/survey/logic/prepare-definition.ts';
import { resumeAt, submitPage, validateAnswers } from '../../../../src/domain/survey/validate-answers.ts';
import { page, pageWith, question, survey } from '../../../support/survey-builder.ts';
import { equals, logic } from '../../../support/render-answers.ts';

/** Q1 (required; 2 jumps to page 3, 3 screens out) | Q2 at least two choices | Q3 required. */
const definition = () =>
  survey(
    page(
      question('single_choice', {
        required: true,
        settings: logic({
          skip: [
            { when: equals('Q1', '2'), action: 'jump_to_page', target_id: 3 },
            { when: equals('Q1', '3'), action: 'screen_out', reason: 'Not for you' },
          ],
        }),
      }),
    ),
    page(question('multiple_choice', { required: true, settings: { min_selections: 2 } })),
    page(question('text', { required: true, settings: { min_length: 5 } })),
  );
const submit = (pageId: number, answers: StoredAnswers, of: SurveyDefinition = definition()) =>
  submitPage(prepareDefinition(of), answers, { pageId, context: NO_RESPONDENT_CONTEXT });
const fields = (pageId: number, answers: StoredAnswers) =>
  submit(pageId, answers).problems.map(({ field }) => field);

describe('a submitted page', () => {
  it('requires its own required answers and no others', () => {
    expect(fields(1, {})).toEqual(['answers.Q1']);
    expect(fields(3, { Q1: '1', Q3: 'long enough' })).toEqual([]);
    expect(fields(3, { Q1: '1' })).toEqual(['answers.Q3']);
  });

  it('requires complete answers, but allows incomplete ones on other pages', () => {
    expect(submit(2, { Q1: '1', Q2: ['1'], Q3: 'no' }).problems).toEqual([
      { field: 'answers.Q2', message: 'must have at least 2 options, not 1' },
    ]);
    expect(fields(1, { Q1: '1', Q2: ['1'], Q3: 'no' })).toEqual([]);
  });

  it('leads to the next page after skips, and to none at the end', () => {
    expect(submit(1, { Q1: '1' }).nextPageId).toBe(2);
    expect(submit(1, { Q1: '2' }).nextPageId).toBe(3);
    expect(submit(3, { Q1: '2', Q3: 'enough' })).toMatchObject({ nextPageId: null, end: null });
  });

  it('that is no longer on the path requires nothing', () => {
    expect(submit(2, { Q1: '2' })).toMatchObject({ problems: [], nextPageId: 3 });
  });

  it('ends at a skip to the end, with the answers so far', () => {
    const { path, ...submitted } = submit(1, { Q1: '3', Q2: ['1'], Q3: 'typed before' });
    expect(submitted).toEqual({
      problems: [],
      nextPageId: null,
      end: { kind: 'screened_out', reason: 'Not for you', afterPageId: 1 },
    });
    expect(path.answers).toEqual({ Q1: '3' });
  });

  it('ignores an end skip on a later page', () => {
    const later = survey(
      page(question('single_choice')),
      pageWith(
        { logic: { skip: [{ when: equals('Q1', '1'), action: 'screen_out' }] } },
        question('single_choice'),
      ),
    );
    expect(submit(1, { Q1: '1' }, later)).toMatchObject({ end: null, nextPageId: 2 });
    expect(submit(2, { Q1: '1' }, later)).toMatchObject({ end: { kind: 'screened_out' }, nextPageId: null });
  });
});

describe('a resumed response', () => {
  const resume = (answers: StoredAnswers, lastPageId: number | null) =>
    resumeAt(prepareDefinition(definition()), answers, { lastPageId, context: NO_RESPONDENT_CONTEXT }).pageId;

  it('continues after the last submitted page, based on its answers', () => {
    expect(resume({}, null)).toBe(1);
    expect(resume({ Q1: '1' }, 1)).toBe(2);
    expect(resume({ Q1: '2' }, 1)).toBe(3);
    expect(resume({ Q1: '1' }, 3)).toBeNull();
    expect(resume({ Q1: '1' }, 99)).toBe(1);
  });
});

describe('a whole response', () => {
  const complete = (input: object, of: SurveyDefinition = definition()) => {
    const result = validateAnswers(prepareDefinition(of), input, { mode: 'complete' });
    return result.ok ? { ok: true, answers: result.answers, end: result.end } : result;
  };

  it('does not require skipped questions, and drops answers to them', () => {
    expect(complete({ Q1: '2', Q2: ['1'], Q3: 'enough' })).toEqual({
      ok: true,
      answers: { Q1: '2', Q3: 'enough' },
      end: null,
    });
  });

  it('that is screened out requires nothing further', () => {
    expect(complete({ Q1: '3' })).toMatchObject({
      ok: true,
      end: { kind: 'screened_out' },
      answers: { Q1: '3' },
    });
  });

  it('that ends early is complete with the earlier answers', () => {
    const early = definition();
    early.pages[1]!.logic = { skip: [{ when: equals('Q2', '1'), action: 'end_survey' }] };
    expect(complete({ Q1: '1', Q2: ['1', '2'], Q3: 'x' }, early)).toMatchObject({ ok: false });
    early.pages[1]!.logic = {
      skip: [{ when: { ...equals('Q2', '1'), operator: 'contains' }, action: 'end_survey' }],
    };
    expect(complete({ Q1: '1', Q2: ['1', '2'], Q3: 'x' }, early)).toEqual({
      ok: true,
      answers: { Q1: '1', Q2: ['1', '2'] },
      end: { kind: 'complete', reason: null, afterPageId: 2 },
    });
  });

  it('is validated against the remaining options: withheld ones do not count towards a minimum, which never exceeds the remaining number', () => {
    const carrying = survey(
      page(question('multiple_choice')),
      page(
        question('multiple_choice', {
          required: true,
          settings: { min_selections: 2, ...logic({ carry_forward: { from: 'Q1', mode: 'selected' } }) },
        }),
      ),
    );
    expect(complete({ Q1: ['1', '2', '3'], Q2: ['1'] }, carrying)).toMatchObject({ ok: false });
    expect(complete({ Q1: ['1', '2'], Q2: ['1', '3'] }, carrying)).toMatchObject({
      problems: [{ field: 'answers.Q2', message: 'must have at least 2 options, not 1' }],
    });
    expect(complete({ Q1: ['1'], Q2: ['1', '3'] }, carrying)).toMatchObject({
      ok: true,
      answers: { Q2: ['1'] },
    });
    expect(complete({ Q1: [], Q2: ['1', '3'] }, carrying)).toMatchObject({ ok: true, answers: { Q1: [] } });
  });
});

describe('the own "None of these" of a question with carried options', () => {
  const complete = (input: object, of: SurveyDefinition) =>
    validateAnswers(prepareDefinition(of), input, { mode: 'complete' });
  const carrying = (mode: 'selected' | 'not_selected', own: object) =>
    survey(
      page(question('multiple_choice', { options: ['1', '2', '3', { value: '9', exclusive: true }] })),
      page(
        question('single_choice', {
          options: ['1', '2', '3', { value: '9', label: 'None of these', ...own }],
          settings: logic({ carry_forward: { from: 'Q1', mode } }),
        }),
      ),
    );

  it.each([{}, { exclusive: true }, { missing: true }])(
    'stays offered if its value is one of the source: %j',
    (own) => {
      expect(complete({ Q1: ['1'], Q2: '9' }, carrying('selected', own))).toMatchObject({
        answers: { Q2: '9' },
      });
      expect(complete({ Q1: ['1'], Q2: '2' }, carrying('selected', own))).toMatchObject({
        answers: { Q2: null },
      });
      expect(complete({ Q1: ['1'], Q2: '9' }, carrying('not_selected', own))).toMatchObject({
        answers: { Q2: '9' },
      });
    },
  );

  it('is not the only reason to show the question', () => {
    const read = complete({ Q1: [], Q2: '9' }, carrying('selected', {}));
    expect(read).toMatchObject({ ok: true, answers: { Q1: [] } });
    expect(read).not.toHaveProperty('answers.Q2');
  });
});

describe('a draft response', () => {
  const draft = (input: object, of: SurveyDefinition) =>
    validateAnswers(prepareDefinition(of), input, { mode: 'partial' });

  it('may be unfinished, but must have valid types', () => {
    const of = survey(
      page(
        question('multiple_choice', { settings: { min_selections: 2, max_selections: 2 } }),
        question('matrix', { settings: { require_all_rows: true } }),
        question('ranking', { settings: { min_ranked: 2 } }),
        question('text', { settings: { min_length: 5, format: 'email' } }),
      ),
    );
    const unfinished = { Q1: ['1'], Q2: { r1: '1' }, Q3: ['2'], Q4: 'ab@' };
    expect(draft(unfinished, of)).toMatchObject({ ok: true, answers: unfinished });
    expect(validateAnswers(prepareDefinition(of), unfinished, { mode: 'complete' })).toMatchObject({
      problems: [
        { field: 'answers.Q1' },
        { field: 'answers.Q2.r2' },
        { field: 'answers.Q3' },
        { field: 'answers.Q4' },
      ],
    });
    const forged = { Q1: ['1', '2', '3'], Q2: { r9: '1' }, Q3: ['2', '2'], Q4: 5 };
    expect(draft(forged, of)).toMatchObject({
      problems: [
        { field: 'answers.Q1' },
        { field: 'answers.Q2' },
        { field: 'answers.Q3[1]' },
        { field: 'answers.Q4' },
      ],
    });
  });
});

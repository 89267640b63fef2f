import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { StoredAnswer, StoredAnswers } from '../../../../../src/domain/questions/answers/codec.ts';
import {
  answersEqual,
  type AnswerStates,
  createEditPatch,
  type EditableAnswers,
  type ResponsePatch,
} from '../../../../../src/domain/responses/response-row.ts';
import { ColumnCatalog } from '../../../../../src/domain/dataset/column-catalog.ts';
import type { Cell } from '../../../../../src/domain/columns/column-spec.ts';
import {
  applyEdits,
  CellEditReader,
  countChangedCells,
  type QuestionEdit,
  resolveRestoreTarget,
  restoreAllAnswers,
  restoreTargets,
} from '../../../../../src/domain/dataset/edit-cells.ts';
import { everyType, rowArbitrary } from '../survey-fixture.ts';

const catalog = new ColumnCatalog(everyType);

/** Applies a patch as the database does. */
function patched(response: EditableAnswers, patch: ResponsePatch): EditableAnswers {
  const answers = new Map(Object.entries(response.answers));
  for (const [code, [answer]] of Object.entries(patch.answers ?? {})) {
    if (answer === undefined) answers.delete(code);
    else answers.set(code, answer);
  }
  return {
    answers: Object.fromEntries(answers),
    originals: patch.originals === undefined ? response.originals : patch.originals,
  };
}

const unedited = (answers: StoredAnswers): EditableAnswers => ({ answers, originals: null });
const edit = (response: EditableAnswers, states: AnswerStates): EditableAnswers => {
  const patch = createEditPatch(response, states);
  return patch === null ? response : patched(response, patch.after);
};

describe('original answers', () => {
  const given = unedited({ Q5: 'first', Q6: 3, Q3: { r1: '1', r2: '2' } });

  test('are stored at the first edit only, and removed when it is reverted', () => {
    const once = edit(given, { Q5: ['second'] });
    expect(once).toEqual({ answers: { ...given.answers, Q5: 'second' }, originals: { Q5: ['first'] } });
    const twice = edit(once, { Q5: ['third'], Q6: [null], Q1: ['1'] });
    expect(twice.originals).toEqual({ Q5: ['first'], Q6: [3], Q1: [] });
    const back = edit(twice, { Q5: ['first'], Q6: [3], Q1: [] });
    expect(back).toEqual(given);
  });

  test('ignore the order of object members', () => {
    const edited = edit(given, { Q3: [{ r1: '3', r2: '2' }] });
    expect(edit(edited, { Q3: [{ r2: '2', r1: '1' }] }).originals).toBeNull();
    expect(createEditPatch(given, { Q3: [{ r2: '2', r1: '1' }] })).toBeNull();
  });

  test('distinguish skipped from not shown', () => {
    expect(createEditPatch(unedited({ Q5: null }), { Q5: [null] })).toBeNull();
    expect(createEditPatch(unedited({}), { Q5: [] })).toBeNull();
    expect(createEditPatch(unedited({}), { Q5: [null] })!.after.originals).toEqual({ Q5: [] });
  });

  test('of a question named like an Object.prototype member are own properties', () => {
    const wanted: AnswerStates = Object.fromEntries([['constructor', ['x']]]);
    const edited = edit(unedited({}), wanted);
    expect(edited.originals).toEqual({ constructor: [] });
    expect(edit(edited, edited.originals!)).toEqual(unedited({}));
  });
});

test.each<[StoredAnswer | null, StoredAnswer | null, boolean]>([
  [null, null, true],
  ['1', '1', true],
  ['1', 1, false],
  [null, '1', false],
  [['1', '2'], ['1', '2'], true],
  [['1', '2'], ['2', '1'], false],
  [['1'], ['1', '2'], false],
  [{ value: '9', other: 'x' }, { other: 'x', value: '9' }, true],
  [{ value: '9', other: 'x' }, { value: '9', other: 'y' }, false],
  [{ r1: ['1'] }, { r1: ['1'] }, true],
  [{ r1: '1' }, { r2: '1' }, false],
  [['1'], { 0: '1' }, false],
])('%j and %j are the same answer: %s', (a, b, expected) => {
  expect(answersEqual(a, b)).toBe(expected);
  expect(answersEqual(b, a)).toBe(expected);
});

describe('cells', () => {
  const readEdits = (values: Record<string, unknown>): QuestionEdit[] => {
    const read = new CellEditReader(catalog).read(values, 'values');
    expect([read.problems, read.notEditable]).toEqual([[], []]);
    return read.edits;
  };
  const editValues = (response: EditableAnswers, values: Record<string, unknown>): EditableAnswers => {
    const result = applyEdits(response, readEdits(values));
    if (!result.ok) throw new Error(JSON.stringify(result.problems));
    return edit(response, result.states);
  };

  test.each([
    [{ Q1: 9, Q1_other: 'Tea' }, { Q1: { value: '9', other: 'Tea' } }],
    [{ region: 'west' }, { region: 'west' }],
    [{ Q2_1: 1, Q2_40: true }, { Q2: ['1', '40'] }],
    [{ Q2: ['3', 1] }, { Q2: ['1', '3'] }],
    [{ Q3_r2: '2' }, { Q3: { r2: '2' } }],
    [{ Q7_r1: ['1', '3'], Q7_r2_2: 1 }, { Q7: { r1: ['1', '3'], r2: ['2'] } }],
    [{ Q4_3: 1, Q4_1: 2 }, { Q4: ['3', '1'] }],
    [{ Q10: '08:30' }, { Q10: '08:30' }],
    [{ age: '41.5' }, { age: 41.5 }],
  ])('%j become answers, and null marks the questions as not shown', (values, answers) => {
    const edited = editValues(unedited({}), values);
    expect(edited.answers).toEqual(answers);
    const emptied = Object.fromEntries(Object.keys(values).map((code) => [code, null]));
    expect(editValues(edited, emptied)).toEqual(unedited({}));
  });

  test('of a matrix row that is not a set, or has other values, are rejected', () => {
    const refusedFor = (value: Cell) =>
      new CellEditReader(catalog).read({ Q7_r1: value }, 'v').problems.map(({ message }) => message);
    expect(refusedFor('1')).toEqual(['must be a list of option values, not "1"']);
    expect(refusedFor(['1', '8'])).toEqual(['"8" is not a value of Q7_r1; accepted: "1", "2", "3"']);
  });

  test('limit the search for similar columns: a million misspelt ones add no cost', () => {
    const reader = new CellEditReader(catalog);
    const values = Object.fromEntries(Array.from({ length: 2_000 }, (_, n) => [`region${n}`, 'x']));
    const { problems } = reader.read(values, 'values');
    expect(problems).toHaveLength(2_000);
    expect(problems.filter(({ message }) => message.includes('did you mean'))).toHaveLength(20);
  });

  // Any edit of any cells: cells of other responses are valid values.
  const editable = catalog.columns.filter(({ spec }) => spec.source === 'question' && spec.editable);
  const rows = rowArbitrary(fc.constant(1));
  const valuesOf = (answers: StoredAnswers): Record<string, Cell> =>
    Object.fromEntries(
      editable.map(({ spec, origin }) => {
        if (origin.kind !== 'question') throw new Error('no question');
        const { codec, question } = origin.questionColumns;
        return [spec.columnCode, codec.toCells(question, answers[question.code])[origin.index] ?? null];
      }),
    );

  test('restore any number of edits exactly', () => {
    fc.assert(
      fc.property(rows, fc.array(rows, { maxLength: 4 }), ({ answers }, edits) => {
        const start = unedited({ ...answers });
        const edited = edits.reduce((now, { answers: wanted }) => editValues(now, valuesOf(wanted)), start);
        const whole = restoreAllAnswers(edited);
        expect(whole.ok && edit(edited, whole.states)).toEqual(start);
      }),
      { numRuns: 60 },
    );
  });

  test('are unchanged after a patch and its inverse', () => {
    fc.assert(
      fc.property(rows, rows, ({ answers }, { answers: wanted }) => {
        const start = unedited({ ...answers });
        const result = applyEdits(start, readEdits(valuesOf(wanted)));
        const patch = result.ok ? createEditPatch(start, result.states) : null;
        if (patch === null) return;
        const after = patched(start, patch.after);
        expect(patched(after, patch.before)).toEqual(start);
        expect(countChangedCells(catalog, patch.before.answers, patch.after.answers)).toBeGreaterThan(0);
        expect(valuesOf(after.answers)).toEqual(valuesOf({ ...wanted, Q11: answers.Q11! }));
      }),
      { numRuns: 60 },
    );
  });

  test('can be restored without their neighbours', () => {
    const start = unedited({ Q3: { r1: '1', r2: '2' }, Q5: 'first' });
    const edited = editValues(start, { Q3_r1: '3', Q3_r2: '3', Q5: 'second' });
    const restore = (now: EditableAnswers, ...codes: string[]) => {
      const result = restoreTargets(
        now,
        codes.map((code) => resolveRestoreTarget(catalog, code)!),
        catalog,
      );
      if (!result.ok) throw new Error('refused');
      return edit(now, result.states);
    };
    const half = restore(edited, 'Q3_r1');
    expect(half).toEqual({
      answers: { Q3: { r1: '1', r2: '3' }, Q5: 'second' },
      originals: { Q3: [{ r1: '1', r2: '2' }], Q5: ['first'] },
    });
    expect(restore(half, 'Q3_r2').originals).toEqual({ Q5: ['first'] });
    expect(restore(edited, 'Q3', 'q5')).toEqual(start);
    expect(resolveRestoreTarget(catalog, 'response_id')).toBeNull();
  });
});

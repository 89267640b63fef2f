import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Cell, ColumnSpec } from '../../../../src/domain/columns/column-spec.ts';
import { textToDate } from '../../../../src/domain/columns/dates.ts';
import { answerVariables } from '../../../../src/domain/questions/answer-variables.ts';
import { cellCodecFor } from '../../../../src/domain/questions/registry.ts';
import { questionsOf } from '../../../../src/domain/survey/definition.ts';
import { question } from '../../../support/survey-builder.ts';
import { everyType, rowArbitrary } from '../dataset/survey-fixture.ts';

/** What the data column gives expressions for a cell. */
function valueOfCell({ type, values, precision }: ColumnSpec, cell: Cell): unknown {
  if (cell === null) return null;
  if (type === 'categorical') return values.find(({ value }) => value === cell)?.number;
  return type === 'date' ? textToDate(String(cell), precision ?? 'date') : cell;
}

const questions = questionsOf(everyType, 'all').filter(({ type }) => type !== 'file_upload');

describe('the variables of answers', () => {
  test.each(questions.map((each) => [each.code, each.type, each] as const))(
    '%s (%s) have the names of its data columns',
    (_code, _type, each) => {
      const columns = cellCodecFor(each).columns(each);
      expect(
        answerVariables(each)
          .map(({ name }) => name)
          .sort(),
      ).toEqual(columns.map(({ columnCode }) => columnCode).sort());
    },
  );

  test('have the values of the data columns', () => {
    fc.assert(
      fc.property(rowArbitrary(fc.constant(1)), ({ answers }) => {
        for (const each of questions) {
          const answer = answers[each.code];
          if (answer === null || answer === undefined) continue;
          const codec = cellCodecFor(each);
          const cells = codec.toCells(each, answer);
          const expected = codec
            .columns(each)
            .map((column, index) => [column.columnCode, valueOfCell(column, cells[index]!)]);
          const values = answerVariables(each).map(({ name, read }) => [name, read(answer)]);
          expect(Object.fromEntries(values)).toEqual(Object.fromEntries(expected));
        }
      }),
    );
  });

  test('are missing for a reason instead of an answer', () => {
    const [text] = answerVariables(question('text', { code: 'T' }));
    expect(text!.read({ no_answer: 'refused' })).toBeNull();
    expect(text!.read('refused')).toBe('refused');
  });
});

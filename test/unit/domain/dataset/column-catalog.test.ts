import { describe, expect, test } from 'vitest';
import { ColumnCatalog } from '../../../../src/domain/dataset/column-catalog.ts';
import { everyType, option, question, surveyOf } from './survey-fixture.ts';

const catalog = new ColumnCatalog(everyType);

describe('the column catalog', () => {
  test('lists metadata first, then the columns of every question in order, retired ones included', () => {
    const codes = catalog.columns.map(({ spec }) => spec.columnCode);
    expect(codes.slice(0, 5)).toEqual([
      'response_id',
      'submission_id',
      'response_status',
      'status_reason',
      'end_reason',
    ]);
    expect(codes.slice(20, 24)).toEqual(['Q1', 'Q1_other', 'region', 'Q2_1']);
    expect(codes.slice(-10)).toEqual([
      'Q7_r2_2',
      'Q7_r2_3',
      'Q4_1',
      'Q4_2',
      'Q4_3',
      'Q9',
      'Q10',
      'Q11',
      'Q14',
      'Q15_a_r1',
    ]);
    expect(catalog.find('Q10')?.spec.retired).toBe(true);
    expect(new Set(codes).size).toBe(codes.length);
  });

  test('finds a column ignoring case, with its load codes', () => {
    expect(catalog.find('q3_R2')).toMatchObject({ loadCodes: ['Q3'], spec: { columnCode: 'Q3_r2' } });
    expect(catalog.find('WAVE_ID')).toMatchObject({ loadCodes: ['wave_id'], origin: { kind: 'metadata' } });
    expect(catalog.find('Q99')).toBeUndefined();
  });

  test('has a set for a multiple choice and for each row of a multi-select matrix', () => {
    expect(catalog.find('Q2')?.spec).toMatchObject({ columnCode: 'Q2', type: 'multiple' });
    expect(catalog.find('Q7_r1')?.spec).toMatchObject({ columnCode: 'Q7_r1', type: 'multiple' });
    expect(catalog.partColumn('q7', 'R2')?.spec).toMatchObject({ columnCode: 'Q7_r2', type: 'multiple' });
    expect(catalog.partColumn('Q3', 'r2')?.spec).toMatchObject({ columnCode: 'Q3_r2', type: 'categorical' });
    expect(catalog.partColumn('Q3', 'r9')).toBeUndefined();
    expect(catalog.partColumn('Q1', 'r1')).toBeUndefined();
  });

  test('prefers a real column to a set with the same code', () => {
    const clash = new ColumnCatalog(
      surveyOf(
        question('matrix', 'M', [option(1)], {
          rows: ['a', 'a_1'].map((row_code) => ({ row_code, row_label: row_code })),
          matrix_type: 'multiple',
        }),
      ),
    );
    expect(clash.find('M_a_1')?.spec.type).toBe('binary');
    expect(clash.partColumn('M', 'a_1')?.spec.type).toBe('multiple');
  });

  test('suggests up to three similar codes for a misspelt one', () => {
    expect(catalog.similarCodes('regoin')).toEqual(['region']);
    expect(catalog.similarCodes('Respons_id')).toEqual(['response_id']);
    expect(catalog.similarCodes('Q3_r3')).toEqual(['Q3_r1', 'Q3_r2']);
    expect(catalog.similarCodes('Q2_0')).toHaveLength(3);
    expect(catalog.similarCodes('completely_different')).toEqual([]);
  });
});

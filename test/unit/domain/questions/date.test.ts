import { describe, expect, it } from 'vitest';
import { cellCodecFor } from '../../../../src/domain/questions/registry.ts';
import type { DatePrecision } from '../../../../src/domain/questions/types/date.ts';
import { question } from '../../../support/survey-builder.ts';
import { accepts, edits, refuses } from '../../../support/codec-checks.ts';

const of = (precision: DatePrecision) => question('date', { settings: { precision } });

describe('a date', () => {
  it.each<[DatePrecision, unknown, string]>([
    ['date', '2024-02-29', '2024-02-29'],
    ['datetime', '2024-02-29T23:59', '2024-02-29T23:59'],
    ['datetime', '2024-02-29 08:05:00', '2024-02-29T08:05'],
    ['time', '00:00', '00:00'],
    ['time', '23:59:00', '23:59'],
    ['month', '2024-12', '2024-12'],
    ['year', '1999', '1999'],
    ['year', 1999, '1999'],
  ])('of precision %s accepts %j', (precision, input, stored) => accepts(of(precision), input, stored));

  it.each<[DatePrecision, unknown, string]>([
    ['date', '2024-02-30', '"2024-02-30" does not exist'],
    ['date', '2023-02-29', 'does not exist'],
    ['date', '1900-02-29', 'does not exist'],
    ['date', '2024-13-01', 'does not exist'],
    ['date', '2024-00-10', 'does not exist'],
    ['date', '2024-04-31', 'does not exist'],
    ['date', '0000-01-01', 'does not exist'],
    ['date', 'infinity', 'must be YYYY-MM-DD, not "infinity"'],
    ['date', '-infinity', 'must be YYYY-MM-DD'],
    ['date', 'tomorrow', 'must be YYYY-MM-DD'],
    ['date', '2024-1-1', 'must be YYYY-MM-DD'],
    ['date', '01/02/2024', 'must be YYYY-MM-DD'],
    ['date', '2024-01-01T00:00', 'must be YYYY-MM-DD'],
    ['date', ' ', 'must be YYYY-MM-DD'],
    ['date', 20240101, 'must be YYYY-MM-DD, not 20240101'],
    ['date', ['2024-01-01'], 'must be YYYY-MM-DD, not a list'],
    ['date', { $gt: '' }, 'must be YYYY-MM-DD, not an object'],
    ['date', '２０２４-01-01', 'must be YYYY-MM-DD'],
    ['datetime', '2024-01-01T24:00', 'does not exist'],
    ['datetime', '2024-01-01T10:00Z', 'must be YYYY-MM-DDTHH:mm'],
    ['datetime', '2024-01-01T10:00:60', 'must be YYYY-MM-DDTHH:mm'],
    ['time', '12:60', 'does not exist'],
    ['month', '2024-13', 'does not exist'],
    ['year', '99', 'must be YYYY'],
    ['year', 1.5, 'must be YYYY'],
  ])('of precision %s rejects %j', (precision, input, message) => refuses(of(precision), input, '', message));

  it('enforces its bounds', () => {
    const dateQuestion = question('date', { settings: { min: '2024-01-01', max: '2024-12-31' } });
    accepts(dateQuestion, '2024-12-31', '2024-12-31');
    refuses(dateQuestion, '2023-12-31', '', 'must be 2024-01-01 or later');
    refuses(dateQuestion, '2025-01-01', '', 'must be 2024-12-31 or earlier');
    edits(dateQuestion, '2024-05-05', { Q1: '2024-05-06' }, '2024-05-06');
    edits(dateQuestion, '2024-05-05', { Q1: '2025-05-06' }, { field: 'Q1', message: 'or earlier' });
  });

  it('has one column with its precision', () => {
    const month = of('month');
    expect(cellCodecFor(month).columns(month)).toMatchObject([
      { columnCode: 'Q1', type: 'date', precision: 'month' },
    ]);
  });
});

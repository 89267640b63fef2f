import { describe, expect, it } from 'vitest';
import { cellCodecFor } from '../../../../src/domain/questions/registry.ts';
import { question } from '../../../support/survey-builder.ts';
import { accepts, edits, refuses } from '../../../support/codec-checks.ts';

const fileQuestion = question('file_upload', { settings: { max_files: 2 } });
const a = 'aaaaaaaa-0000-4000-8000-000000000001';
const b = 'bbbbbbbb-0000-4000-8000-000000000002';

describe('a file upload', () => {
  it('accepts file ids', () => {
    accepts(fileQuestion, [a, b.toUpperCase()], [a, b]);
    accepts(fileQuestion, [], null);
  });

  it.each([
    ['a bare id', a, '', 'must be a list of file ids'],
    ['a path', ['../../etc/passwd'], '[0]', 'must be a file id (a UUID), not "../../etc/passwd"'],
    ['a number', [1], '[0]', 'must be a file id'],
    ['a repeated id', [a, a.toUpperCase()], '[1]', 'listed more than once'],
    ['too many files', [a, b, a], '', 'must have at most 2 files, not 3'],
    ['an object', { 0: a }, '', 'not an object'],
  ])('rejects %s', (_, input, field, message) => refuses(fileQuestion, input, field, message));

  it('has one column that researchers cannot edit', () => {
    const codec = cellCodecFor(fileQuestion);
    expect(codec.columns(fileQuestion)).toMatchObject([{ columnCode: 'Q1', type: 'file', editable: false }]);
    expect(codec.toCells(fileQuestion, [a, b])).toEqual([`${a};${b}`]);
    edits(fileQuestion, null, { Q1: `${a};${b}` }, [a, b]);
  });
});

import { describe, expect, it } from 'vitest';
import type { Option } from '../../../../src/domain/survey/definition.ts';
import { optionInputsSchema, type OptionInput } from '../../../../src/domain/questions/option-input.ts';
import { reconcileOptions, type OptionsChange } from '../../../../src/domain/questions/options.ts';

interface State {
  options: Option[];
  highestCode: number;
}

function change(given: OptionInput[], more: Partial<OptionsChange> = {}) {
  return reconcileOptions({
    type: 'single_choice',
    existing: [],
    input: optionInputsSchema.parse(given),
    dataExist: false,
    highestCode: 0,
    ...more,
  });
}

function stateAfterChange(given: OptionInput[], more: Partial<OptionsChange> = {}): State {
  const result = change(given, more);
  if (!result.ok) throw new Error(JSON.stringify(result.problems));
  return result;
}

function problemOf(given: OptionInput[], more: Partial<OptionsChange> = {}) {
  const result = change(given, more);
  return result.ok ? null : result.problems[0];
}

const withData = (state: State) => ({
  existing: state.options,
  highestCode: state.highestCode,
  dataExist: true,
});
const asDraft = (state: State) => ({ existing: state.options, highestCode: state.highestCode });
const coded = ({ options }: State) =>
  options.map(({ code, value, retired }) => (retired ? `${code}=${value} retired` : `${code}=${value}`));

describe('new options', () => {
  it('have their label as value and sequential codes', () => {
    expect(coded(stateAfterChange(['Yes', { option_label: 'No' }]))).toEqual(['1=Yes', '2=No']);
  });

  it('have an integer value as code', () => {
    const given = [
      { option_label: 'Yes', option_value: 1 },
      { option_label: 'Refused', option_value: '-99' },
    ];
    expect(coded(stateAfterChange(given))).toEqual(['1=1', '-99=-99']);
  });

  it.each([
    ['a word', ['0', '7', 'dk', '3'], [0, 7, 8, 3]],
    ['a leading zero', ['5', '02'], [5, 6]],
    ['a fraction', ['0.5', '1', '1.5', '2'], [3, 1, 4, 2]],
    ['more than 32 bits', ['1', '2147483648'], [1, 2]],
  ])('have the next free number as code beside integers if the value is or has %s', (_, values, codes) => {
    expect(stateAfterChange(values).options.map(({ code }) => code)).toEqual(codes);
  });

  it('have the code that was sent, which no other option may have', () => {
    const given = [{ option_label: 'Often', option_code: 4 }, 'Never', { option_label: '3', option_code: 9 }];
    expect(coded(stateAfterChange(given))).toEqual(['4=Often', '10=Never', '9=3']);
    expect(problemOf([{ option_label: 'dk', option_code: 2 }, '2'])).toEqual({
      field: 'options[1].option_code',
      message: expect.stringContaining('2 is already used by another option of this question') as string,
    });
  });

  it('are sorted by option_order and keep it', () => {
    const { options } = stateAfterChange([
      { option_label: 'b', option_order: 20 },
      { option_label: 'a', option_order: 10 },
    ]);
    expect(options.map(({ label, order, code }) => [label, order, code])).toEqual([
      ['a', 10, 1],
      ['b', 20, 2],
    ]);
  });

  it.each([
    ['a repeated value', ['a', { option_label: 'b', option_value: 'a' }], 'options[1].option_value'],
    ['a repeated value after trimming', ['a', ' a '], 'options[1].option_value'],
  ])('must not have %s', (_, given, field) => expect(problemOf(given)?.field).toBe(field));

  it('are allowed only in questions with options', () => {
    expect(problemOf(['a'], { type: 'nps' })).toEqual({
      field: 'options',
      message: 'is not allowed for a nps question',
    });
    expect(stateAfterChange([], { type: 'nps' }).options).toEqual([]);
  });

  it('have a text field only in choice questions', () => {
    const given = [{ option_label: 'Other', option_other: true }];
    expect(stateAfterChange(given).options[0]?.other).toBe(true);
    expect(problemOf(given, { type: 'ranking' })?.field).toBe('options[0].option_other');
  });

  it.each(['javascript:alert(1)', 'data:image/png;base64,AAAA', '/local.png', 'ftp://example.org/a.png'])(
    'must not have the image %s',
    (image) => {
      expect(optionInputsSchema.safeParse([{ option_label: 'a', option_image: image }]).success).toBe(false);
    },
  );
});

describe('edited options of a draft', () => {
  const first = stateAfterChange(['Red', 'Green', 'Blue']);

  it('keep their codes, and a removed code is never reused', () => {
    const shorter = stateAfterChange(['Red', 'Green'], asDraft(first));
    expect(coded(shorter)).toEqual(['1=Red', '2=Green']);
    expect(coded(stateAfterChange(['Green', 'Red', 'Black'], asDraft(shorter)))).toEqual([
      '2=Green',
      '1=Red',
      '4=Black',
    ]);
  });

  it('are matched by code, then by value, then by label', () => {
    const state = stateAfterChange([
      { option_label: 'Yes', option_value: 'y', option_other: true },
      { option_label: 'No', option_value: 'n' },
    ]);
    expect(coded(stateAfterChange([{ option_code: 1, option_label: 'Sure' }], asDraft(state)))).toEqual([
      '1=y',
    ]);
    expect(coded(stateAfterChange([{ option_label: 'Never', option_value: 'n' }], asDraft(state)))).toEqual([
      '2=n',
    ]);
    const byLabel = stateAfterChange(['No', 'Yes'], asDraft(state));
    expect(coded(byLabel)).toEqual(['2=n', '1=y']);
    expect(byLabel.options[1]?.other).toBe(true);
  });

  it('keep their codes when their values become numbers, unless another code is sent', () => {
    const given = [
      { option_code: 1, option_label: 'Red', option_value: 10 },
      { option_code: 2, option_label: 'Green', option_value: 20 },
    ];
    expect(coded(stateAfterChange(given, asDraft(first)))).toEqual(['1=10', '2=20']);
    const recoded = [{ option_code: 7, option_label: 'Red' }, 'Green', 'Blue'];
    expect(coded(stateAfterChange(recoded, asDraft(first)))).toEqual(['7=Red', '2=Green', '3=Blue']);
  });

  it('are unchanged if sent back unchanged, including retired ones', () => {
    const sentBack = ({ options }: State) =>
      options.map((option) => ({
        option_code: option.code,
        option_label: option.label,
        option_value: option.value,
        option_order: option.order,
        option_image: option.image,
        retired: option.retired,
      }));
    expect(stateAfterChange(sentBack(first), asDraft(first))).toEqual({ ok: true, ...first });
    const shorter = stateAfterChange(['Blue'], withData(first));
    expect(stateAfterChange(sentBack(shorter), withData(shorter))).toEqual(shorter);
  });

  it('cannot share a code', () => {
    const given = [
      { option_code: 1, option_label: 'a' },
      { option_code: 1, option_label: 'b' },
    ];
    expect(problemOf(given, asDraft(first))?.field).toBe('options[1].option_code');
  });
});

describe('options with data', () => {
  const words = stateAfterChange(['Red', 'Green', 'Blue']);
  const numbers = stateAfterChange(['1', '2', '99']);

  it('are retired if omitted, and restored if sent again', () => {
    const shorter = stateAfterChange(['Blue'], withData(words));
    expect(coded(shorter)).toEqual(['3=Blue', '1=Red retired', '2=Green retired']);
    expect(coded(stateAfterChange(['Blue', 'Red'], withData(shorter)))).toEqual([
      '3=Blue',
      '1=Red',
      '2=Green retired',
    ]);
  });

  it('keep their values and codes', () => {
    const renamed = [{ option_code: 1, option_label: 'Red', option_value: 'Crimson' }, 'Green', 'Blue'];
    expect(problemOf(renamed, withData(words))).toMatchObject({ field: 'options[0].option_value' });
    const recoded = [{ option_code: 7, option_label: 'Red' }, 'Green', 'Blue'];
    expect(problemOf(recoded, withData(words))).toMatchObject({ field: 'options[0].option_code' });
  });

  it('may have new labels', () => {
    const { options } = stateAfterChange([{ option_code: 1, option_label: 'Rouge' }], withData(words));
    expect(options[0]).toMatchObject({ code: 1, value: 'Red', label: 'Rouge' });
  });

  it('use a new integer as its code, and the next number for a new word', () => {
    expect(coded(stateAfterChange(['1', '2', '99', '3'], withData(numbers))).slice(-1)).toEqual(['3=3']);
    expect(coded(stateAfterChange(['1', '2', '99', 'Other'], withData(numbers))).slice(-1)).toEqual([
      '100=Other',
    ]);
  });

  it('get another code where their integer is the code of an existing option', () => {
    const existing = stateAfterChange([
      { option_label: 'x', option_code: 1 },
      { option_label: '5', option_code: 2 },
    ]);
    expect(coded(stateAfterChange(['5', '1'], withData(existing)))).toEqual(['2=5', '3=1', '1=x retired']);
  });
});

describe('imported options', () => {
  it('keep the codes of the file', () => {
    const given = [
      { option_label: 'a', option_code: 4 },
      { option_label: 'b', option_code: 2 },
      { option_label: 'c' },
    ];
    const state = stateAfterChange(given);
    expect(coded(state)).toEqual(['4=a', '2=b', '5=c']);
    expect(state.highestCode).toBe(5);
  });
  it('cannot have the same code', () => {
    const given = [
      { option_label: '1', option_code: 2 },
      { option_label: '2', option_value: '2' },
    ];
    expect(problemOf(given)).toMatchObject({ field: 'options[1].option_code' });
  });
  it('run out of codes after the largest', () => {
    const given = [{ option_label: 'a', option_code: 2147483647 }, 'b'];
    expect(problemOf(given)?.message).toContain('option_code must be at most');
  });
});

import { describe, expect, it } from 'vitest';
import {
  errorMessage,
  fieldMessage,
  messageInWords,
  toFormErrors,
} from '../../../../src/web/shared/client/form-errors.ts';
import { ApiError, type FieldProblem } from '../../../../src/web/shared/client/api.ts';

const refused = (message: string, problems: FieldProblem[] = []) =>
  new ApiError('rejected', { status: 400, code: 'validation_failed', message, problems });
const inForm = (field: string) => ['user_name', 'user_email'].includes(field);

describe('messages of form errors', () => {
  it.each([
    ['Name', 'is required', 'Name is required'],
    ['Password', 'must be at least 8 characters', 'Password must be at least 8 characters'],
    ['Email address', 'this address already has an account', 'This address already has an account'],
  ])('formats a problem of %s: %s', (label, message, words) => {
    expect(fieldMessage(label, message)).toBe(words);
  });

  it('assigns problems to their form fields, and the rest to the form', () => {
    const errors = toFormErrors(
      refused('user_name: is required (and 1 more problem)', [
        { field: 'user_name', message: 'is required' },
        { field: 'user_ids[1]', message: 'user 7 does not exist in this organization' },
      ]),
      inForm,
    );
    expect([...errors.byField]).toEqual([['user_name', 'is required']]);
    expect(errors.general).toBe('User 7 does not exist in this organization');
  });

  it('assigns a conflict to the field that its message names', () => {
    const errors = toFormErrors(refused('user_email: this address already has an account'), inForm);
    expect([...errors.byField]).toEqual([['user_email', 'this address already has an account']]);
    expect(errors.general).toBeNull();
  });

  it('keeps a message that names no field', () => {
    const errors = toFormErrors(refused('too many requests; try again in 5 seconds'), inForm);
    expect(errors).toEqual({ byField: new Map(), general: 'Too many requests; try again in 5 seconds' });
  });

  it.each([
    ['email: is required unless external_id is given', 'Email is required unless external ID is given'],
    ['file: must have a column email or external_id', 'The file must have a column email or external ID'],
    ['survey_settings.closes_at: must be in the future', 'Closes at must be in the future'],
    ['options[2].option_label: must not be empty', 'Option label must not be empty'],
    ['respondent_ids: has at most 3 items', 'Respondent IDs has at most 3 items'],
    [
      '"single" is not a question type; did you mean "single_choice"?',
      '"single" is not a question type; did you mean "single_choice"?',
    ],
    ['column “age_group” does not exist', 'Column “age_group” does not exist'],
    ['cannot hold {{external_id}}', 'Cannot hold {{external_id}}'],
    ['must begin with https://a.example/my_page', 'Must begin with https://a.example/my_page'],
  ])('names fields in words: %s', (message, words) => {
    expect(messageInWords(message)).toBe(words);
  });

  it('asks to try again if the server does not answer', () => {
    expect(errorMessage(new ApiError('transient'))).toMatch(/cannot be reached/);
  });
});

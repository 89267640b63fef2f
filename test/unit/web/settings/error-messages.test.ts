import { describe, expect, it } from 'vitest';
import {
  fieldMessage,
  toFormErrors,
  errorMessage,
} from '../../../../src/web/settings/client/error-messages.ts';
import { ApiError, type FieldProblem } from '../../../../src/web/shared/client/api-error.ts';

const refused = (message: string, problems: FieldProblem[] = []) =>
  new ApiError('rejected', 400, 'validation_failed', message, problems);
const inForm = (field: string) => ['user_name', 'user_email'].includes(field);

describe('what the API refused, said to a person', () => {
  it.each([
    ['Name', 'is required', 'Name is required'],
    ['Password', 'must be at least 8 characters', 'Password must be at least 8 characters'],
    ['E-mail address', 'this address already has an account', 'This address already has an account'],
  ])('of %s: %s', (label, message, words) => {
    expect(fieldMessage(label, message)).toBe(words);
  });

  it('stands at its field where the form has it, and with the whole where it has not', () => {
    const told = toFormErrors(
      refused('user_name: is required (and 1 more)', [
        { field: 'user_name', message: 'is required' },
        { field: 'user_ids[1]', message: 'no user 7 in this organization' },
      ]),
      inForm,
    );
    expect([...told.byField]).toEqual([['user_name', 'is required']]);
    expect(told.general).toBe('No user 7 in this organization');
  });

  it('stands at the field that a conflict names in its message alone', () => {
    const told = toFormErrors(refused('user_email: this address already has an account'), inForm);
    expect([...told.byField]).toEqual([['user_email', 'this address already has an account']]);
    expect(told.general).toBeNull();
  });

  it('is the message as it is when it names no field', () => {
    const told = toFormErrors(refused('too many requests; try again in 5 seconds'), inForm);
    expect(told).toEqual({ byField: new Map(), general: 'Too many requests; try again in 5 seconds' });
  });

  it('is something to do when nobody answered', () => {
    expect(errorMessage(new ApiError('transient'))).toMatch(/cannot be reached/);
  });
});

import { type ComponentChildren, createContext } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { ApiError } from '../../shared/client/api-error.ts';
import { type FormErrors, toFormErrors } from './error-messages.ts';

const NO_ERRORS: FormErrors = { byField: new Map(), general: null };

/** Problems that the server found, by field name. */
export const FieldProblems = createContext<FormErrors['byField']>(NO_ERRORS.byField);

/** Values of a form by field name. */
type Values = Map<string, string>;

export interface FormProps {
  /** Throws ApiError if the server refuses the values; its problems are shown at their fields. */
  onSubmit: (values: Values, form: HTMLFormElement) => Promise<unknown>;
  submit: string;
  danger?: boolean;
  /** Buttons next to the submit button. */
  otherButtons?: ComponentChildren;
  children?: ComponentChildren;
  class?: string;
}

/** A form that only the server validates. */
export function Form({ onSubmit, submit, danger, otherButtons, children, class: className = '' }: FormProps) {
  const form = useRef<HTMLFormElement>(null);
  const [errors, setErrors] = useState(NO_ERRORS);
  const [isBusy, setIsBusy] = useState(false);

  useEffect(() => {
    if (errors === NO_ERRORS) return;
    const first = form.current?.querySelector<HTMLElement>('[aria-invalid=true]');
    (first ?? form.current?.querySelector<HTMLElement>('.summary'))?.focus();
  }, [errors]);

  const submitForm = async () => {
    const element = form.current!;
    const values: Values = new Map();
    for (const [name, value] of new FormData(element)) if (typeof value === 'string') values.set(name, value);
    setIsBusy(true);
    try {
      await onSubmit(values, element);
      setErrors(NO_ERRORS);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      setErrors(toFormErrors(error, (field) => element.elements.namedItem(field) !== null));
    } finally {
      setIsBusy(false);
    }
  };

  return (
    <form
      ref={form}
      class={`form ${className}`}
      noValidate
      aria-busy={isBusy}
      onSubmit={(event) => {
        event.preventDefault();
        if (!isBusy) void submitForm();
      }}
    >
      <FieldProblems.Provider value={errors.byField}>{children}</FieldProblems.Provider>
      {errors.general !== null && (
        <p class="summary" role="alert" tabIndex={-1}>
          {errors.general}
        </p>
      )}
      <div class="buttons">
        <button type="submit" class={danger === true ? 'main danger' : 'main'} aria-disabled={isBusy}>
          {submit}
        </button>
        {otherButtons}
      </div>
    </form>
  );
}

import { type ComponentChildren, createContext } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { ApiError } from '../../shared/client/call-failed.ts';
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
  aside?: ComponentChildren;
  children?: ComponentChildren;
  class?: string;
}

/** A form that only the server validates. */
export function Form({ onSubmit, submit, danger, aside, children, class: className = '' }: FormProps) {
  const form = useRef<HTMLFormElement>(null);
  const [told, setTold] = useState(NO_ERRORS);
  const [busy, setBusy] = useState(false);

  useEffect(() => {
    if (told === NO_ERRORS) return;
    const first = form.current?.querySelector<HTMLElement>('[aria-invalid=true]');
    (first ?? form.current?.querySelector<HTMLElement>('.summary'))?.focus();
  }, [told]);

  const sendIt = async () => {
    const element = form.current!;
    const values: Values = new Map();
    for (const [name, value] of new FormData(element)) if (typeof value === 'string') values.set(name, value);
    setBusy(true);
    try {
      await onSubmit(values, element);
      setTold(NO_ERRORS);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      setTold(toFormErrors(error, (field) => element.elements.namedItem(field) !== null));
    } finally {
      setBusy(false);
    }
  };

  return (
    <form
      ref={form}
      class={`form ${className}`}
      noValidate
      aria-busy={busy}
      onSubmit={(event) => {
        event.preventDefault();
        if (!busy) void sendIt();
      }}
    >
      <FieldProblems.Provider value={told.byField}>{children}</FieldProblems.Provider>
      {told.general !== null && (
        <p class="summary" role="alert" tabIndex={-1}>
          {told.general}
        </p>
      )}
      <div class="buttons">
        <button type="submit" class={danger === true ? 'main danger' : 'main'} aria-disabled={busy}>
          {submit}
        </button>
        {aside}
      </div>
    </form>
  );
}

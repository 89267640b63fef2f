import { type ComponentChildren, createContext } from 'preact';
import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { ApiError } from './api.ts';
import { Dialog } from './dialog.tsx';
import { errorMessage, type FormErrors, toFormErrors } from './form-errors.ts';
import { componentTexts } from './texts.ts';

const NO_ERRORS: FormErrors = { byField: new Map(), general: null };

/** Problems that the server found, by field name. */
export const FieldProblems = createContext<FormErrors['byField']>(NO_ERRORS.byField);

/** Values of a form by field name. */
type Values = Map<string, string>;

interface FormProps {
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
    for (
      let group = first?.closest('details');
      group != null;
      group = group.parentElement?.closest('details')
    )
      group.open = true;
    (first ?? form.current?.querySelector<HTMLElement>('.summary'))?.focus();
  }, [errors]);

  const submitForm = async (element: HTMLFormElement) => {
    const values: Values = new Map();
    for (const [name, value] of new FormData(element)) if (typeof value === 'string') values.set(name, value);
    setIsBusy(true);
    try {
      refuseUnreadableFields(element);
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
        if (!isBusy) void submitForm(event.currentTarget);
      }}
    >
      <FieldProblems.Provider value={errors.byField}>{children}</FieldProblems.Provider>
      {errors.general !== null && (
        <p class="summary" role="alert" tabIndex={-1}>
          {errors.general}
        </p>
      )}
      <div class="buttons">
        <button
          type="submit"
          class={danger === true ? 'button primary danger' : 'button primary'}
          aria-disabled={isBusy}
        >
          {submit}
        </button>
        {otherButtons}
      </div>
    </form>
  );
}

/** Throws ApiError if a control contains what the browser cannot read, such as half a date: its value is empty, which has another meaning. */
function refuseUnreadableFields(form: HTMLFormElement): void {
  const problems = [...form.querySelectorAll('input')].flatMap(({ name, validity }) =>
    validity.badInput ? [{ field: name, message: componentTexts.unreadable }] : [],
  );
  if (problems.length > 0) throw new ApiError('rejected', { problems });
}

/** A dialog that asks for confirmation before an action. */
export function ConfirmDialog({
  title,
  action,
  danger = true,
  onClose,
  onConfirm,
  children,
}: {
  title: string;
  action: string;
  danger?: boolean;
  onClose: () => void;
  onConfirm: () => Promise<unknown>;
  children: ComponentChildren;
}) {
  const isOpen = useRef(true);
  useEffect(
    () => () => {
      isOpen.current = false;
    },
    [],
  );
  return (
    <Dialog title={title} onClose={onClose}>
      <p>{children}</p>
      <Form
        submit={action}
        danger={danger}
        onSubmit={async () => {
          await onConfirm();
          // Where the action closed this dialog itself, another one may be open by now.
          if (isOpen.current) onClose();
        }}
        otherButtons={<CancelButton onClose={onClose} />}
      />
    </Dialog>
  );
}

export function CancelButton({ onClose }: { onClose: () => void }) {
  return (
    <button type="button" class="button" onClick={onClose}>
      {componentTexts.cancel}
    </button>
  );
}

/** For buttons that run an action without a form. `errorNotice` shows the error of the last action. */
export function useAction(): {
  runAction: (action: () => Promise<unknown>) => Promise<void>;
  errorNotice: ComponentChildren;
} {
  const [actionError, setError] = useState<ApiError | null>(null);
  const runAction = useCallback(async (action: () => Promise<unknown>) => {
    setError(null);
    try {
      await action();
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      setError(error);
    }
  }, []);
  return {
    runAction,
    errorNotice: actionError !== null && (
      <p class="summary" role="alert">
        {errorMessage(actionError)}
      </p>
    ),
  };
}

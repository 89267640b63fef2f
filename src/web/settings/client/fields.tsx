import type { ComponentChildren } from 'preact';
import { useContext, useId, useState } from 'preact/hooks';
import { fieldMessage } from './error-messages.ts';
import { FieldProblems } from './form.tsx';
import { texts } from './texts.ts';

interface Described {
  id: string;
  'aria-invalid': boolean;
  'aria-describedby'?: string;
}

/** A control with its label, hint and problem. */
function Labelled({
  name,
  label,
  hint,
  children,
}: {
  name: string;
  label: string;
  hint?: ComponentChildren;
  children: (described: Described) => ComponentChildren;
}) {
  const id = useId();
  const problem = useContext(FieldProblems).get(name);
  const describedBy = [
    ...(hint === undefined ? [] : [`${id}-hint`]),
    ...(problem === undefined ? [] : [`${id}-problem`]),
  ].join(' ');
  return (
    <div class="labelled">
      <label for={id}>{label}</label>
      {hint !== undefined && (
        <p class="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      {children({
        id,
        'aria-invalid': problem !== undefined,
        ...(describedBy === '' ? {} : { 'aria-describedby': describedBy }),
      })}
      {problem !== undefined && (
        <p class="problem" id={`${id}-problem`}>
          {fieldMessage(label, problem)}
        </p>
      )}
    </div>
  );
}

/** Preact has a separate type for each `type` of an input; here the value is known only at run time. */
const typed = (type: string): { type: 'text' } => ({ type }) as { type: 'text' };

interface FieldProps {
  name: string;
  label: string;
  hint?: ComponentChildren;
  value?: string;
  type?: 'text' | 'email' | 'date' | 'color';
  autocomplete?: string;
  inputMode?: 'numeric';
}

export function Field({
  name,
  label,
  hint,
  value = '',
  type = 'text',
  autocomplete = 'off',
  ...more
}: FieldProps) {
  return (
    <Labelled name={name} label={label} hint={hint}>
      {(described) => (
        <input
          class="field"
          name={name}
          {...typed(type)}
          defaultValue={value}
          autocomplete={autocomplete}
          {...described}
          {...more}
        />
      )}
    </Labelled>
  );
}

/** A password field with a button that shows the password. */
export function PasswordField({
  name,
  label,
  hint,
  autocomplete,
}: Pick<FieldProps, 'name' | 'label' | 'hint'> & { autocomplete: 'current-password' | 'new-password' }) {
  const [shown, setShown] = useState(false);
  return (
    <Labelled name={name} label={label} hint={hint}>
      {(described) => (
        <div class="beside">
          <input
            class="field"
            name={name}
            {...typed(shown ? 'text' : 'password')}
            autocomplete={autocomplete}
            autocapitalize="none"
            spellcheck={false}
            {...described}
          />
          <button
            type="button"
            class="look"
            aria-pressed={shown}
            aria-label={texts.passwordField.showLabel(label)}
            onClick={() => setShown(!shown)}
          >
            {shown ? texts.passwordField.hide : texts.passwordField.show}
          </button>
        </div>
      )}
    </Labelled>
  );
}

export function SelectField({
  name,
  label,
  hint,
  value,
  options,
}: Pick<FieldProps, 'name' | 'label' | 'hint'> & {
  value: string;
  options: readonly (readonly [value: string, label: string])[];
}) {
  return (
    <Labelled name={name} label={label} hint={hint}>
      {(described) => (
        <select class="field" name={name} {...described}>
          {options.map(([one, words]) => (
            <option key={one} value={one} selected={one === value}>
              {words}
            </option>
          ))}
        </select>
      )}
    </Labelled>
  );
}

export function CheckField({ name, label, checked }: { name: string; label: string; checked: boolean }) {
  return (
    <label class="check">
      <input type="checkbox" name={name} defaultChecked={checked} />
      <span>{label}</span>
    </label>
  );
}

import type { ComponentChildren } from 'preact';
import { useContext, useId, useState } from 'preact/hooks';
import { fieldMessage } from './error-messages.ts';
import { FieldProblems } from './form.tsx';
import { texts } from '../texts.ts';

interface DescribedProps {
  id: string;
  'aria-invalid': boolean;
  'aria-describedby'?: string;
}

/** A control with its label, hint and problem. */
function LabeledControl({
  name,
  label,
  hint,
  children,
}: {
  name: string;
  label: string;
  hint?: ComponentChildren;
  children: (described: DescribedProps) => ComponentChildren;
}) {
  const id = useId();
  const problem = useContext(FieldProblems).get(name);
  const describedBy = [
    ...(hint === undefined ? [] : [`${id}-hint`]),
    ...(problem === undefined ? [] : [`${id}-problem`]),
  ].join(' ');
  return (
    <div class="labeled">
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
const inputType = (type: string): { type: 'text' } => ({ type }) as { type: 'text' };

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
  ...rest
}: FieldProps) {
  return (
    <LabeledControl name={name} label={label} hint={hint}>
      {(described) => (
        <input
          class="field"
          name={name}
          {...inputType(type)}
          defaultValue={value}
          autocomplete={autocomplete}
          {...described}
          {...rest}
        />
      )}
    </LabeledControl>
  );
}

/** A password field with a button that shows the password. */
export function PasswordField({
  name,
  label,
  hint,
  autocomplete,
}: Pick<FieldProps, 'name' | 'label' | 'hint'> & { autocomplete: 'current-password' | 'new-password' }) {
  const [isShown, setIsShown] = useState(false);
  return (
    <LabeledControl name={name} label={label} hint={hint}>
      {(described) => (
        <div class="beside">
          <input
            class="field"
            name={name}
            {...inputType(isShown ? 'text' : 'password')}
            autocomplete={autocomplete}
            autocapitalize="none"
            spellcheck={false}
            {...described}
          />
          <button
            type="button"
            class="show-password"
            aria-pressed={isShown}
            aria-label={texts.passwordField.showLabel(label)}
            onClick={() => setIsShown(!isShown)}
          >
            {isShown ? texts.passwordField.hide : texts.passwordField.show}
          </button>
        </div>
      )}
    </LabeledControl>
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
    <LabeledControl name={name} label={label} hint={hint}>
      {(described) => (
        <select class="field" name={name} {...described}>
          {options.map(([optionValue, optionLabel]) => (
            <option key={optionValue} value={optionValue} selected={optionValue === value}>
              {optionLabel}
            </option>
          ))}
        </select>
      )}
    </LabeledControl>
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

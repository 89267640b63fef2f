import type { ComponentChildren, InputHTMLAttributes } from 'preact';
import { useContext, useId, useRef, useState } from 'preact/hooks';
import { FieldProblems } from './form.tsx';
import { fieldMessage } from './form-errors.ts';
import { componentTexts } from './texts.ts';

interface DescribedProps {
  id: string;
  'aria-invalid': boolean;
  'aria-describedby'?: string;
}

interface LabeledProps {
  name: string;
  label: string;
  hint?: ComponentChildren;
}

/** Ids and attributes that connect a control with its hint and its problem. */
function useDescription({ name, label, hint }: LabeledProps) {
  const id = useId();
  const problem = useContext(FieldProblems).get(name);
  const describedBy = [
    ...(hint === undefined ? [] : [`${id}-hint`]),
    ...(problem === undefined ? [] : [`${id}-problem`]),
  ].join(' ');
  const described: DescribedProps = {
    id,
    'aria-invalid': problem !== undefined,
    ...(describedBy === '' ? {} : { 'aria-describedby': describedBy }),
  };
  return {
    described,
    hintText: hint !== undefined && (
      <p class="hint" id={`${id}-hint`}>
        {hint}
      </p>
    ),
    problemText: problem !== undefined && (
      <p class="problem" id={`${id}-problem`}>
        {fieldMessage(label, problem)}
      </p>
    ),
  };
}

/** A control with its label, hint and problem. */
function LabeledControl({
  children,
  ...props
}: LabeledProps & { children: (described: DescribedProps) => ComponentChildren }) {
  const { described, hintText, problemText } = useDescription(props);
  return (
    <div class="labeled">
      <label for={described.id}>{props.label}</label>
      {hintText}
      {children(described)}
      {problemText}
    </div>
  );
}

/** Preact has a separate type for each `type` of an input; here the value is known only at run time. */
const inputType = (type: string) => ({ type }) as InputHTMLAttributes;

interface FieldProps extends LabeledProps {
  value?: string;
  type?: 'text' | 'email' | 'date' | 'datetime-local' | 'time' | 'color';
  min?: string;
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
          {...inputType(type)}
          class="field"
          name={name}
          defaultValue={value}
          autocomplete={autocomplete}
          {...described}
          {...rest}
        />
      )}
    </LabeledControl>
  );
}

export function TextAreaField({
  value = '',
  placeholder = '',
  ...props
}: LabeledProps & { value?: string; placeholder?: string }) {
  return (
    <LabeledControl {...props}>
      {(described) => (
        <textarea
          class="field"
          name={props.name}
          defaultValue={value}
          placeholder={placeholder}
          rows={3}
          {...described}
        />
      )}
    </LabeledControl>
  );
}

/** A password field with a button that shows the password. */
export function PasswordField({
  autocomplete,
  ...props
}: LabeledProps & { autocomplete: 'current-password' | 'new-password' }) {
  const [isShown, setIsShown] = useState(false);
  return (
    <LabeledControl {...props}>
      {(described) => (
        <div class="beside">
          <input
            {...inputType(isShown ? 'text' : 'password')}
            class="field"
            name={props.name}
            autocomplete={autocomplete}
            autocapitalize="none"
            spellcheck={false}
            {...described}
          />
          <button
            type="button"
            aria-pressed={isShown}
            aria-label={componentTexts.showLabel(props.label)}
            onClick={() => setIsShown(!isShown)}
          >
            {isShown ? componentTexts.hide : componentTexts.show}
          </button>
        </div>
      )}
    </LabeledControl>
  );
}

/** Options as pairs of value and label. */
type Options = readonly (readonly [value: string, label: string])[];

export function SelectField({
  value,
  options,
  onChange,
  ...props
}: LabeledProps & { value: string; options: Options; onChange?: (value: string) => void }) {
  return (
    <LabeledControl {...props}>
      {(described) => (
        <select
          class="field"
          name={props.name}
          onChange={(event) => onChange?.(event.currentTarget.value)}
          {...described}
        >
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

export function RadioField({ value, options, ...props }: LabeledProps & { value: string; options: Options }) {
  const { described, hintText, problemText } = useDescription(props);
  return (
    <fieldset class="labeled" role="radiogroup" {...described}>
      <legend>{props.label}</legend>
      {hintText}
      {options.map(([optionValue, optionLabel]) => (
        <label key={optionValue} class="check">
          <input type="radio" name={props.name} value={optionValue} defaultChecked={optionValue === value} />
          <span>{optionLabel}</span>
        </label>
      ))}
      {problemText}
    </fieldset>
  );
}

/** Checkboxes of which any number can be ticked. The form has an entry for each ticked one. */
export function ChecksField({
  values,
  options,
  ...props
}: LabeledProps & { values: readonly string[]; options: Options }) {
  const { described, hintText, problemText } = useDescription(props);
  return (
    <fieldset class="labeled" role="group" {...described}>
      <legend>{props.label}</legend>
      {hintText}
      {options.map(([optionValue, optionLabel]) => (
        <label key={optionValue} class="check">
          <input
            type="checkbox"
            name={props.name}
            value={optionValue}
            defaultChecked={values.includes(optionValue)}
          />
          <span>{optionLabel}</span>
        </label>
      ))}
      {problemText}
    </fieldset>
  );
}

interface CheckProps {
  name: string;
  label: string;
  checked: boolean;
}

export function CheckField({ name, label, checked }: CheckProps) {
  return (
    <label class="check">
      <input type="checkbox" name={name} defaultChecked={checked} />
      <span>{label}</span>
    </label>
  );
}

/** A switch. Unlike a checkbox it takes effect at once, so it needs no button. */
export function SwitchField({
  name,
  label,
  checked,
  onChange,
}: CheckProps & { onChange: (isOn: boolean) => void }) {
  return (
    <label class="check">
      <input
        type="checkbox"
        role="switch"
        name={name}
        checked={checked}
        onChange={(event) => onChange(event.currentTarget.checked)}
      />
      <span>{label}</span>
    </label>
  );
}

const SEARCH_DELAY_MS = 250;

/** A search field. It calls `onSearch` when the user pauses typing. */
export function SearchField({ label, onSearch }: { label: string; onSearch: (text: string) => void }) {
  const timer = useRef(0);
  return (
    <label class="search">
      <span class="visually-hidden">{label}</span>
      <svg viewBox="0 0 24 24" aria-hidden="true">
        <path d="M10.5 4a6.5 6.5 0 1 0 0 13 6.5 6.5 0 0 0 0-13Zm4.75 11.25L20 20" />
      </svg>
      <input
        class="field"
        type="search"
        placeholder={label}
        autocomplete="off"
        onInput={(event) => {
          const text = event.currentTarget.value.trim();
          clearTimeout(timer.current);
          timer.current = setTimeout(() => onSearch(text), SEARCH_DELAY_MS);
        }}
      />
    </label>
  );
}

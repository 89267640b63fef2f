import { useEffect, useId, useState } from 'preact/hooks';
import { texts } from '../../texts.ts';
import { readTypedNumber, typedForm } from '../data/typed-number.ts';
import type { SettingField } from '../question-types/question-type.ts';
import { studioTypeOf } from '../question-types/registry.ts';
import type { EditorQuestion } from './editor-content.ts';

interface SettingsProps {
  question: EditorQuestion;
  onChange: (settings: Record<string, unknown>) => void;
  onChangeQuestion: (changes: Partial<EditorQuestion>) => void;
  /** Message of the API at a field of the request. */
  problemAt: (field: string) => string | null;
}

/** The settings of a question's type, and its code. */
export function SettingsFields({ question, onChange, onChangeQuestion, problemAt }: SettingsProps) {
  const { settingFields } = studioTypeOf(question);
  return (
    <>
      <div class="settings-grid">
        <TextInput
          label={texts.editor.code}
          hint={texts.editor.codeHint}
          value={question.question_code}
          problem={problemAt('question_code')}
          onChange={(value) => onChangeQuestion({ question_code: value })}
        />
      </div>
      {settingFields.length > 0 && (
        <div class="settings-grid">
          {settingFields.map((field) => (
            <SettingInput
              key={field.name}
              field={field}
              value={question.question_settings[field.name]}
              problem={problemAt(`question_settings.${field.name}`)}
              onChange={(value) => onChange({ [field.name]: value })}
            />
          ))}
        </div>
      )}
    </>
  );
}

interface SettingInputProps {
  field: SettingField;
  value: unknown;
  problem: string | null;
  onChange: (value: unknown) => void;
}

function SettingInput({ field, value, problem, onChange }: SettingInputProps) {
  const { label } = field;
  switch (field.control) {
    case 'switch':
      return (
        <label class="check">
          <input
            type="checkbox"
            role="switch"
            checked={value === true}
            onChange={(event) => onChange(event.currentTarget.checked)}
          />
          <span>{label}</span>
        </label>
      );
    case 'select':
      return (
        <SelectInput
          label={label}
          value={String(value)}
          choices={field.choices}
          problem={problem}
          onChange={onChange}
        />
      );
    case 'number':
      return (
        <NumberInput
          label={label}
          value={value}
          problem={problem}
          isWhole={field.isWhole === true}
          onChange={onChange}
        />
      );
    case 'expression':
      return (
        <ExpressionInput
          label={label}
          hint={texts.editor.expressionHint}
          value={typeof value === 'string' ? value : ''}
          problem={problem}
          onChange={onChange}
        />
      );
    case 'text':
      return (
        <TextInput
          label={label}
          value={typeof value === 'string' ? value : ''}
          problem={problem}
          onChange={(text) => onChange(text === '' ? null : text)}
        />
      );
  }
}

interface InputProps<T> {
  label: string;
  hint?: string;
  value: T;
  problem: string | null;
  onChange: (value: string) => void;
}

const describedBy = (id: string, hint: string | undefined, problem: string | null) => {
  const ids = [...(hint === undefined ? [] : [`${id}-hint`]), ...(problem === null ? [] : [`${id}-problem`])];
  return ids.length === 0 ? {} : { 'aria-describedby': ids.join(' ') };
};

function Problem({ id, problem }: { id: string; problem: string | null }) {
  if (problem === null) return null;
  return (
    <p class="problem" id={`${id}-problem`}>
      {problem}
    </p>
  );
}

function TextInput({ label, hint, value, problem, onChange }: InputProps<string>) {
  const id = useId();
  return (
    <div class="labeled">
      <label for={id}>{label}</label>
      {hint !== undefined && (
        <p class="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      <input
        id={id}
        class="field"
        value={value}
        autocomplete="off"
        aria-invalid={problem !== null}
        {...describedBy(id, hint, problem)}
        onInput={(event) => onChange(event.currentTarget.value)}
      />
      <Problem id={id} problem={problem} />
    </div>
  );
}

/** An expression, which can need several lines. Names and functions are not words to correct. */
function ExpressionInput({ label, hint, value, problem, onChange }: InputProps<string>) {
  const id = useId();
  return (
    <div class="labeled expression">
      <label for={id}>{label}</label>
      <p class="hint" id={`${id}-hint`}>
        {hint}
      </p>
      <textarea
        id={id}
        class="field"
        rows={3}
        value={value}
        spellcheck={false}
        aria-invalid={problem !== null}
        {...describedBy(id, hint, problem)}
        onInput={(event) => onChange(event.currentTarget.value)}
      />
      <Problem id={id} problem={problem} />
    </div>
  );
}

const shownNumber = (value: unknown): string =>
  typeof value === 'number' ? typedForm(value) : typeof value === 'string' ? value : '';

/** Keeps what is typed, such as `1.`, until the value changes in another way. A text that is no number, or two, is sent for the API to refuse. */
function NumberInput({
  label,
  value,
  problem: problemOfApi,
  isWhole,
  onChange,
}: Omit<InputProps<unknown>, 'onChange'> & { isWhole: boolean; onChange: (value: unknown) => void }) {
  const id = useId();
  const decimals = isWhole ? 0 : null;
  const [text, setText] = useState(shownNumber(value));
  const toNumber = (typed: string): unknown =>
    typed.trim() === '' ? null : (readTypedNumber(typed, decimals).value ?? typed);
  useEffect(() => {
    if (toNumber(text) !== (value ?? null)) setText(shownNumber(value));
  }, [value]);
  // The message of the API does not know what was typed.
  const problem = (text.trim() === '' ? null : readTypedNumber(text, decimals).problem) ?? problemOfApi;
  return (
    <div class="labeled">
      <label for={id}>{label}</label>
      <input
        id={id}
        class="field"
        inputMode="decimal"
        value={text}
        autocomplete="off"
        aria-invalid={problem !== null}
        {...describedBy(id, undefined, problem)}
        onInput={(event) => {
          setText(event.currentTarget.value);
          onChange(toNumber(event.currentTarget.value));
        }}
      />
      <Problem id={id} problem={problem} />
    </div>
  );
}

function SelectInput({
  label,
  value,
  choices,
  problem,
  onChange,
}: InputProps<string> & { choices: readonly (readonly [string, string])[] }) {
  const id = useId();
  return (
    <div class="labeled">
      <label for={id}>{label}</label>
      <select
        id={id}
        class="field"
        value={value}
        aria-invalid={problem !== null}
        {...describedBy(id, undefined, problem)}
        onChange={(event) => onChange(event.currentTarget.value)}
      >
        {choices.map(([choice, choiceLabel]) => (
          <option key={choice} value={choice}>
            {choiceLabel}
          </option>
        ))}
      </select>
      <Problem id={id} problem={problem} />
    </div>
  );
}

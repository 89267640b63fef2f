import type { TextLanguage } from '../localization.ts';

/** The text beside an option such as "Other". */
export function OtherText({
  id,
  label,
  language,
  value,
  onInput,
}: {
  id: string;
  label: string;
  /** Of the label, where it is not in the language of the page. */
  language: TextLanguage;
  value: string;
  onInput: (text: string) => void;
}) {
  return (
    <div class="other">
      <label for={id} {...language}>
        {label}
      </label>
      <input
        id={id}
        class="field"
        type="text"
        maxLength={2000}
        value={value}
        onInput={(event) => onInput(event.currentTarget.value)}
      />
    </div>
  );
}

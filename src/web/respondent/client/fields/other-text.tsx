import type { TextLanguage } from '../localization.ts';

/** The text field of an option such as "Other". */
export function OtherText({
  id,
  label,
  language,
  value,
  onInput,
}: {
  id: string;
  label: string;
  /** Language of the label, if it differs from that of the page. */
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

/** The text beside an option such as "Other". */
export function OtherText({
  id,
  label,
  value,
  onInput,
}: {
  id: string;
  label: string;
  value: string;
  onInput: (text: string) => void;
}) {
  return (
    <div class="other">
      <label for={id}>{label}</label>
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

import { useRef } from 'preact/hooks';

const PAUSE_MS = 250;

/** A search field. It calls `onSearch` when the user pauses typing. */
export function SearchField({ label, onSearch }: { label: string; onSearch: (text: string) => void }) {
  const timer = useRef(0);
  return (
    <label class="search">
      <span class="visually-hidden">{label}</span>
      <svg viewBox="0 0 24 24" aria-hidden="true">
        <path d="M10.500 4a6.500 6.500 0 1 0 0 13 6.500 6.500 0 0 0 0-13Zm4.750 11.250L20 20" />
      </svg>
      <input
        class="field"
        type="search"
        placeholder={label}
        autocomplete="off"
        onInput={(event) => {
          const text = event.currentTarget.value.trim();
          clearTimeout(timer.current);
          timer.current = setTimeout(() => onSearch(text), PAUSE_MS);
        }}
      />
    </label>
  );
}

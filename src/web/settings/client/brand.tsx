export function Brand() {
  return (
    <a class="brand" href="/">
      <svg viewBox="0 0 24 24" aria-hidden="true">
        <rect x="2" y="2" width="20" height="20" rx="6" />
        <path d="M7 16v-3M12 16V8m5 8v-5.500" />
      </svg>
      Canvass
    </a>
  );
}

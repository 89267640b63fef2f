/** The color of the product. Author colors change `--accent`, not this. */
const BRAND_COLOR = '#4f46e5';
const BARS = '<path d="M7 16v-3M12 16V8m5 8v-5.5"/>';

/** The mark of the product as SVG, which the class `mark` of base.css colors. Pages of the server and of the browser use the same. */
export const BRAND_MARK = `<svg class="mark" viewBox="0 0 24 24" aria-hidden="true"><rect x="2" y="2" width="20" height="20" rx="6"/>${BARS}</svg>`;

/** The icon of browser tabs, as the address of an image. */
export const BRAND_ICON = `data:image/svg+xml,${encodeURIComponent(
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24" fill="none" stroke="white" stroke-width="2.5" stroke-linecap="round">' +
    `<rect x="1" y="1" width="22" height="22" rx="6" fill="${BRAND_COLOR}" stroke="none"/>${BARS}</svg>`,
)}`;

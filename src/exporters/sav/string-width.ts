/** The widest string of SPSS. */
export const MAX_STRING_BYTES = 32_767;

/** Few steps, so that one longer answer seldom changes the layout of the next file. */
const WIDTHS_BYTES = [16, 64, 255, 1024, 4096, MAX_STRING_BYTES];

/** The width in bytes of a variable whose longest text has so many bytes of UTF-8. */
export function stringWidth(longestBytes: number): number {
  return WIDTHS_BYTES.find((width) => width >= longestBytes) ?? MAX_STRING_BYTES;
}

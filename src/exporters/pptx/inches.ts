import type { Box } from '../slides/slide-page.ts';

/** Converts points to inches, the unit of the library. */
export const toInches = (points: number): number => points / 72;

/** A position in the format of the library. */
export const toPosition = ({ x, y, width, height }: Box) => ({
  x: toInches(x),
  y: toInches(y),
  w: toInches(width),
  h: toInches(height),
});

import type { Box } from '../slides/slide-page.ts';

/** Points in inches, in which the library counts. */
export const toInches = (points: number): number => points / 72;

/** A place as the library takes it. */
export const toPosition = ({ x, y, width, height }: Box) => ({
  x: toInches(x),
  y: toInches(y),
  w: toInches(width),
  h: toInches(height),
});

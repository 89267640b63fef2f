import type { Box } from '../slides/slide-page.ts';

/** Points in inches, in which the library counts. */
export const inches = (points: number): number => points / 72;

/** A place as the library takes it. */
export const placeOf = ({ x, y, width, height }: Box) => ({
  x: inches(x),
  y: inches(y),
  w: inches(width),
  h: inches(height),
});

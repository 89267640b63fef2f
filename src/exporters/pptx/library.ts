import loaded from 'pptxgenjs';
import type { Box } from '../slide-page.ts';

/** The types declare a module with a default export, but Node imports the class itself. */
export const PptxLibrary = loaded as unknown as new () => PptxFile;

export type PptxFile = loaded.default;
export type PptxSlide = loaded.default.Slide;
export type TextProps = loaded.default.TextProps;
export type TextOptions = loaded.default.TextPropsOptions;
export type TableRow = loaded.default.TableRow;
export type TableCellProps = loaded.default.TableCell;
export type ChartOptions = loaded.default.IChartOpts;
export type ChartName = loaded.default.CHART_NAME;
export type ChartData = loaded.default.OptsChartData;

/** Converts points to inches, the unit of the library. */
export const toInches = (points: number): number => points / 72;

/** A position in the format of the library. */
export const toPosition = ({ x, y, width, height }: Box) => ({
  x: toInches(x),
  y: toInches(y),
  w: toInches(width),
  h: toInches(height),
});

import type { Texts } from './column-source.ts';

/** Values of rows `first` to `first + count`; what it gives is its own and holds until it is asked again. */
export type Numbers = (first: number, count: number) => Float64Array;
export type TextValues = (first: number, count: number) => Texts;

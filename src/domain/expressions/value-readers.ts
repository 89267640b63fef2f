import type { Texts } from './column-source.ts';

/** Reads the values of rows `first` to `first + count`. The result is a shared buffer, valid until the next call. */
export type Numbers = (first: number, count: number) => Float64Array;
export type TextValues = (first: number, count: number) => Texts;

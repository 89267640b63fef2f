import { binTransform } from './bin.ts';
import { cleanTextTransform } from './clean-text.ts';
import { computedTransform, type ComputedRequest } from './computed.ts';
import { normalizeTransform } from './normalize.ts';
import { recodeTransform } from './recode.ts';
import type { ColumnKind, Fields, TransformModule } from './transform.ts';
import { winsorizeTransform } from './winsorize.ts';
import { zScoresTransform } from './z-scores.ts';

/** The transforms of a column, in the order of the API document. */
const transforms = {
  recode: recodeTransform,
  normalize: normalizeTransform,
  z_scores: zScoresTransform,
  winsorize: winsorizeTransform,
  bin: binTransform,
  text: cleanTextTransform,
};
const columnKinds = { ...transforms, computed: computedTransform };

type Modules = typeof transforms;
type TransformKind = keyof Modules;
type KindName = keyof typeof columnKinds;

/** A requested transform of a column. */
export type Transform = { [K in TransformKind]: ReturnType<Modules[K]['update']> }[TransformKind];
/** The stored definition of a transform of a column. */
export type TransformDefinition = { [K in TransformKind]: ReturnType<Modules[K]['draft']> }[TransformKind];
export type ComputedDefinition = ReturnType<(typeof computedTransform)['draft']>;
/** How a column is computed from others. */
export type ColumnDefinition = TransformDefinition | ComputedDefinition;

/**
 * A module whose kind is not known. Its methods accept the requests, definitions and bodies of its own kind only, which TypeScript does not
 * check for methods: callers pass what belongs to the kind that they looked up.
 */
export type AnyTransform = TransformModule<Transform, TransformDefinition, Fields, Fields, object>;
type AnyColumnKind = ColumnKind<Transform | ComputedRequest, ColumnDefinition, Fields>;

export const TRANSFORMS: readonly AnyTransform[] = Object.values(transforms);
export const COLUMN_KINDS: readonly AnyColumnKind[] = Object.values(columnKinds);

export const transformOf = ({ kind }: { kind: TransformKind }): AnyTransform => transforms[kind];
export const columnKindOf = ({ kind }: { kind: KindName }): AnyColumnKind => columnKinds[kind];

/** Whether the definition computes the column from others; the values of other kinds are stored. */
export function isColumnDefinition<Other extends { kind: string }>(
  definition: ColumnDefinition | Other,
): definition is ColumnDefinition {
  return Object.hasOwn(columnKinds, definition.kind);
}

/** Whether the definition reads a source column; else it is an expression. */
export function readsSource(definition: { kind: string }): definition is TransformDefinition {
  return Object.hasOwn(transforms, definition.kind);
}

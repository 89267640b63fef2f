import { createHash } from 'node:crypto';
import type { OpenDataset } from '../datasets/datasets.ts';

/** A survey's data between two changes. */
export interface DataState<Kept> {
  /** Equal for equal data, in every process; another one as soon as data or definition differ. */
  version: string;
  /** What was made of them, by whatever tells it from the rest; gone with the next change. */
  kept: Map<string, Kept>;
}

interface Met<Kept> extends DataState<Kept> {
  revision: number;
  catalog: object;
}

/**
 * Names the state of a survey's data by what PostgreSQL showed when that state was first met: whoever sees the same snapshot, now or in
 * another process, sees the same data, and as long as nothing changed the name stays.
 */
export class DataStates<Kept> {
  private readonly met = new WeakMap<object, Met<Kept>>();

  /** Before anything is awaited: the dataset is that of the snapshot only until others had their turn. */
  of(surveyId: number, { dataset, catalog, postgresSnapshot }: OpenDataset): DataState<Kept> {
    const known = this.met.get(dataset);
    const { revision } = dataset;
    if (known?.revision === revision && known.catalog === catalog) return known;
    const text = `${surveyId} ${postgresSnapshot}`;
    const version = createHash('sha256').update(text).digest('base64url').slice(0, 16);
    const state = { revision, catalog, version, kept: new Map<string, Kept>() };
    this.met.set(dataset, state);
    return state;
  }
}

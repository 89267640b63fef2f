import { createHash } from 'node:crypto';
import type { OpenDataset } from '../datasets/datasets.ts';

/** A survey's data between two changes. */
export interface DataVersion<Kept> {
  /** Equal for equal data, in every process; another one as soon as data or definition differ. */
  version: string;
  /** What was made of them, by whatever tells it from the rest; gone with the next change. */
  cached: Map<string, Kept>;
}

interface KnownVersion<Kept> extends DataVersion<Kept> {
  revision: number;
  catalog: object;
}

/**
 * Names the state of a survey's data by what PostgreSQL showed when that state was first met: whoever sees the same snapshot, now or in
 * another process, sees the same data, and as long as nothing changed the name stays.
 */
export class DataVersions<Kept> {
  private readonly known = new WeakMap<object, KnownVersion<Kept>>();

  /** Before anything is awaited: the dataset is that of the snapshot only until others had their turn. */
  resolve(surveyId: number, { dataset, catalog, postgresSnapshot }: OpenDataset): DataVersion<Kept> {
    const known = this.known.get(dataset);
    const { revision } = dataset;
    if (known?.revision === revision && known.catalog === catalog) return known;
    const text = `${surveyId} ${postgresSnapshot}`;
    const version = createHash('sha256').update(text).digest('base64url').slice(0, 16);
    const state = { revision, catalog, version, cached: new Map<string, Kept>() };
    this.known.set(dataset, state);
    return state;
  }
}

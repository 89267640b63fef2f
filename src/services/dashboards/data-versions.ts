import { createHash } from 'node:crypto';
import type { OpenDataset } from '../datasets/datasets.ts';

/** The state of a survey's data between two changes. */
export interface DataVersion<Kept> {
  /** Equal for equal data across processes; changes with the data or the definition. */
  version: string;
  /** Results computed from this state by cache key; discarded with the next change. */
  cached: Map<string, Kept>;
}

interface KnownVersion<Kept> extends DataVersion<Kept> {
  revision: number;
  catalog: object;
}

/**
 * Identifies the state of a survey's data by the PostgreSQL snapshot in which it was first read: the same snapshot in another process means
 * the same data, and the id stays until the data change.
 */
export class DataVersions<Kept> {
  private readonly known = new WeakMap<object, KnownVersion<Kept>>();

  /** Call it before the next `await`: the dataset matches the snapshot only until another request runs. */
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

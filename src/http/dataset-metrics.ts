import { Counter, Gauge, type Registry } from 'prom-client';

/** Memory use of the datasets of a process. */
export interface DatasetFigures {
  datasets: number;
  columns: number;
  bytes: { rows: number; columns: number; texts: number };
  maxBytes: number;
  evictedColumns: number;
  evictedDatasets: number;
}

/** Figures of the datasets in memory. */
export function addDatasetMetrics(registry: Registry, figures: () => DatasetFigures): void {
  const registers = [registry];
  new Gauge({
    name: 'dataset_memory_bytes',
    help: 'Memory of datasets: ids and states of responses, columns, and texts (estimated)',
    labelNames: ['of'],
    registers,
    collect() {
      for (const [of, bytes] of Object.entries(figures().bytes)) this.set({ of }, bytes);
    },
  });
  new Gauge({
    name: 'dataset_memory_limit_bytes',
    help: 'Memory limit of datasets (DATASET_CACHE_MB)',
    registers,
    collect() {
      this.set(figures().maxBytes);
    },
  });
  new Gauge({
    name: 'datasets_in_memory',
    help: 'Surveys with data in memory',
    registers,
    collect() {
      this.set(figures().datasets);
    },
  });
  new Gauge({
    name: 'dataset_columns_in_memory',
    help: 'Columns in memory: questions, metadata and derived columns',
    registers,
    collect() {
      this.set(figures().columns);
    },
  });
  new Counter({
    name: 'dataset_drops_total',
    help: 'Evictions from memory: single columns and whole surveys',
    labelNames: ['what'],
    registers,
    collect() {
      const { evictedColumns, evictedDatasets } = figures();
      this.reset();
      this.inc({ what: 'column' }, evictedColumns);
      this.inc({ what: 'survey' }, evictedDatasets);
    },
  });
}

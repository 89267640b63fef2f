import { parentPort } from 'node:worker_threads';
import { DateColumn, NumericColumn } from '../../domain/columns/columns.ts';
import { computeColumnDistribution } from '../../domain/statistics/distribution.ts';
import { runToCompletion } from '../../lib/concurrency.ts';
import { requireValue } from '../../lib/require-value.ts';
import type { ScanRequest } from './figures.ts';

/** Entry point of the threads of ScanThreads: replies to each request with a distribution. */
const port = requireValue(parentPort, 'parent port');

port.on('message', ({ traits, kind, values, states, options }: ScanRequest) => {
  const column = kind === 'numeric' ? new NumericColumn(traits.spec, 0) : new DateColumn(traits.spec, 0);
  column.values = values;
  column.states = states;
  port.postMessage(runToCompletion(computeColumnDistribution(column, traits, options)));
});

import { describe, test } from 'vitest';
import { allOrNothing } from '../../faults/scenarios/all-or-nothing.ts';
import { boundedResources } from '../../faults/scenarios/bounded-resources.ts';
import { credits } from '../../faults/scenarios/credits.ts';
import { derivedColumnsChange } from '../../faults/scenarios/derived-columns-change.ts';
import { fileDescriptors } from '../../faults/scenarios/file-descriptors.ts';
import { gracefulStop } from '../../faults/scenarios/graceful-stop.ts';
import { lostReply } from '../../faults/scenarios/lost-reply.ts';
import { concurrentStart } from '../../faults/scenarios/concurrent-start.ts';
import { SCENARIO_TIMEOUT_MS, useFaults } from '../support/fault-scenarios.ts';

/** Only the long form kills a backup; test/system checks that backups are complete. */
const plays = useFaults({ ownPostgres: false });

describe('server processes', { timeout: SCENARIO_TIMEOUT_MS }, () => {
  test('return the same reply to a retry if the first reply was lost after the commit', () =>
    plays(lostReply));
  test('change all of many rows or none when killed midway', () => plays(allOrNothing));
  test('keep grids, exports, jobs and figures of others intact while derived columns change and are deleted', () =>
    plays(derivedColumnsChange));
  test('create one installation when two start together on an empty database', () => plays(concurrentStart));
  test('log missing file descriptors once and resume service', () => plays(fileDescriptors));
  test('finish running requests on shutdown', () => plays(gracefulStop));
  test('spend the last credit once, and refund it after a killed process', () => plays(credits));
  test('serve other clients despite slow and silent ones', () => plays(boundedResources));
});

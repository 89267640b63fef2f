import { describe, test } from 'vitest';
import { allOrNothing } from '../../faults/scenarios/all-or-nothing.ts';
import { bounded } from '../../faults/scenarios/bounded.ts';
import { credits } from '../../faults/scenarios/credits.ts';
import { derivedColumnsChange } from '../../faults/scenarios/derived-columns-change.ts';
import { fileDescriptors } from '../../faults/scenarios/file-descriptors.ts';
import { gracefulStop } from '../../faults/scenarios/graceful-stop.ts';
import { lostReply } from '../../faults/scenarios/lost-reply.ts';
import { startTogether } from '../../faults/scenarios/start-together.ts';
import { SCENARIO_TIMEOUT_MS, useFaults } from '../support/fault-scenarios.ts';

/** How a backup is killed is played in the long form alone; that it comes back whole is held by test/api/system. */
const plays = useFaults({ ownPostgres: false });

describe('processes', { timeout: SCENARIO_TIMEOUT_MS }, () => {
  test('a reply that is lost after the commit comes again when the same is sent again', () =>
    plays(lostReply));
  test('a process that is killed in the middle of many rows has changed all of them or none', () =>
    plays(allOrNothing));
  test('derived columns change and are deleted: grids, exports, jobs and figures of others stay whole', () =>
    plays(derivedColumnsChange));
  test('two that start together on an empty database make one installation', () => plays(startTogether));
  test('one that has no file descriptor left logs it once and serves again afterwards', () =>
    plays(fileDescriptors));
  test('one that is asked to stop finishes what it took in', () => plays(gracefulStop));
  test('the last credit is spent once, and comes back from a process that was killed', () => plays(credits));
  test('slow and silent clients keep nobody from answering', () => plays(bounded));
});

import { test } from 'vitest';
import { fullDisk } from '../../faults/scenarios/full-disk.ts';
import { SCENARIO_TIMEOUT_MS, useFaults } from '../support/fault-scenarios.ts';

/** Without the right to mount a file system it does nothing; test/api/system/full-disk.test.ts runs everywhere. */
const plays = useFaults({ ownPostgres: false });

test('a full disk rejects writes and loses nothing acknowledged', { timeout: SCENARIO_TIMEOUT_MS }, () =>
  plays(fullDisk),
);

import { test } from 'vitest';
import { silentDatabase } from '../../faults/scenarios/silent-database.ts';
import { SCENARIO_TIMEOUT_MS, useFaults } from '../support/fault-scenarios.ts';

const plays = useFaults({ ownPostgres: false });

test(
  'a silent database gives 503, service resumes when it replies, and SIGTERM ends the process',
  { timeout: SCENARIO_TIMEOUT_MS },
  () => plays(silentDatabase),
);

import { describe, test } from 'vitest';
import { acknowledged } from '../../faults/scenarios/acknowledged.ts';
import { databaseAway } from '../../faults/scenarios/database-away.ts';
import { idempotencyCrash } from '../../faults/scenarios/idempotency-crash.ts';
import { SCENARIO_TIMEOUT_MS, useFaults } from '../support/fault-scenarios.ts';

const plays = useFaults({ ownPostgres: true });

describe('while people answer', { timeout: SCENARIO_TIMEOUT_MS }, () => {
  test('processes and PostgreSQL are killed: what was acknowledged is there, once', () =>
    plays(acknowledged));
  test('PostgreSQL stands still and is shut down: 503 or success, nobody hangs, and no process ends', () =>
    plays(databaseAway));
  test('processes and PostgreSQL are killed: a request with an Idempotency-Key has happened once when it is sent again', () =>
    plays(idempotencyCrash));
});

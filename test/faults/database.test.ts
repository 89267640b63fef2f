import { describe, test } from 'vitest';
import { acknowledgedResponses } from '../../faults/scenarios/acknowledged-responses.ts';
import { databaseUnavailable } from '../../faults/scenarios/database-unavailable.ts';
import { idempotencyCrash } from '../../faults/scenarios/idempotency-crash.ts';
import { SCENARIO_TIMEOUT_MS, useFaults } from '../support/fault-scenarios.ts';

const plays = useFaults({ ownPostgres: true });

describe('during data collection', { timeout: SCENARIO_TIMEOUT_MS }, () => {
  test('keeps every acknowledgedResponses answer exactly once when processes and PostgreSQL are killed', () =>
    plays(acknowledgedResponses));
  test('returns 503 or success while PostgreSQL hangs and shuts down, without hanging requests or ended processes', () =>
    plays(databaseUnavailable));
  test('runs a request with an Idempotency-Key once when it is retried after processes and PostgreSQL were killed', () =>
    plays(idempotencyCrash));
});

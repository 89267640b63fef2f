import { afterAll, beforeAll, expect, inject } from 'vitest';
import {
  type TemplateServer,
  templateServerOn,
  startTemplateServer,
} from '../../faults/support/template-server.ts';
import { runScenario, type Scenario } from '../../faults/support/scenario.ts';
import { openTestBed } from '../../faults/support/test-bed.ts';
import { START_TIMEOUT_MS } from './server-process.ts';

/** Scenarios start processes again and again, on a machine that is busy with much else. */
export const SCENARIO_TIMEOUT_MS = 5 * START_TIMEOUT_MS;

/**
 * Returns a function that runs the short form of a scenario of `faults/`; call it at the top of a test file. `ownPostgres`: on a separate
 * database server, which may be killed; else on the shared one. `FAULTS_SEED` selects another sequence; a failure names the seed.
 */
export function useFaults({ ownPostgres }: { ownPostgres: boolean }): (scenario: Scenario) => Promise<void> {
  const seed = Number(process.env.FAULTS_SEED ?? 1);
  let server: TemplateServer | null = null;
  beforeAll(async () => {
    server = ownPostgres ? await startTemplateServer(null) : templateServerOn(inject('templateUrl'));
  }, SCENARIO_TIMEOUT_MS);
  afterAll(() => server?.end(), SCENARIO_TIMEOUT_MS);
  return async (scenario) => {
    const testBed = await openTestBed(server!, seed, true);
    try {
      const { breaks } = await runScenario(scenario, testBed);
      expect({ seed, breaks }).toEqual({ seed, breaks: [] });
    } finally {
      await testBed.end();
    }
  };
}

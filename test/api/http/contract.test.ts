import { beforeAll, describe, expect, it } from 'vitest';
import { useApp } from '../../support/app.ts';
import { outcomeOf, listViolations } from '../../support/permission-matrix/contract.ts';
import { allRows } from '../../support/permission-matrix/all-rows.ts';
import { credentialHeaders, operationsOf, withTitle } from '../../support/permission-matrix/operation.ts';
import { UNREACHABLE_STRIPE } from '../../support/permission-matrix/billing-rows.ts';
import { useUnchangedCheck } from '../../support/permission-matrix/unchanged-check.ts';
import { useFixtures } from '../../support/permission-matrix/fixtures.ts';

/** Invalid requests by a permitted caller; test/api/permissions checks the permissions. */
const test = useApp(UNREACHABLE_STRIPE);
const world = useFixtures(test);
beforeAll(async () => {
  const { surveyId, dashboardId, reportId } = world.changeable.shared;
  for (const path of [`surveys/${surveyId}`, `dashboards/${dashboardId}`, `reports/${reportId}`])
    await world.callers.owner.key.delete(`/api/${path}`).expect(204);
});
const stored = useUnchangedCheck(test);
const operations = operationsOf(allRows);

const ENVELOPE = ['code', 'details', 'error', 'message', 'request_id'];

describe('an invalid request is rejected by name without changes', () => {
  it.each(operations.map(withTitle))('%s', async (_name, operation) => {
    const mayDo = credentialHeaders(operation.allowedCaller(world));
    const tries = listViolations(operation, world, world.changeable.shared);
    const replies = await Promise.all(
      tries.map(({ headers = mayDo, ids = world.unchanged.shared, changes }) =>
        operation.send(world.origin, headers, ids, changes),
      ),
    );
    expect(replies.map((reply, index) => `${tries[index]!.wrong}: ${outcomeOf(reply)}`)).toEqual(
      tries.map(({ wrong, expected }) => `${wrong}: ${expected}`),
    );
    for (const { text } of replies) expect(Object.keys(JSON.parse(text) as object).sort()).toEqual(ENVELOPE);
    await stored.expectUnchanged();
  });
});

import { beforeAll, describe, expect, it } from 'vitest';
import { useApp } from '../../support/app.ts';
import { outcomeOf, listViolations } from '../../support/permission-matrix/contract.ts';
import { allRows } from '../../support/permission-matrix/all-rows.ts';
import { credential, operationsOf, titled } from '../../support/permission-matrix/operation.ts';
import { NOBODY_PAID } from '../../support/permission-matrix/billing-rows.ts';
import { useStored } from '../../support/permission-matrix/stored.ts';
import { useFixtures } from '../../support/permission-matrix/fixtures.ts';

/** What no route takes, from somebody who may; who may is in the matrices of test/api/permissions. */
const test = useApp(NOBODY_PAID);
const world = useFixtures(test);
beforeAll(async () => {
  await world.people.owner.key.delete(`/api/surveys/${world.used.shared.surveyId}`).expect(204);
});
const stored = useStored(test);
const operations = operationsOf(allRows);

const ENVELOPE = ['code', 'details', 'error', 'message', 'request_id'];

describe('by each wrong thing that a request may hold, named, and with nothing changed, is refused', () => {
  it.each(operations.map(titled))('%s', async (_name, operation) => {
    const mayDo = credential(operation.whoMay(world));
    const tries = listViolations(operation, world, world.used.shared);
    const replies = await Promise.all(
      tries.map(({ headers = mayDo, ids = world.standing.shared, changes }) =>
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

import { beforeAll, describe, expect, it } from 'vitest';
import { useApp } from '../../support/app.ts';
import { outcomeOf, listViolations } from '../../support/permission-matrix/contract.ts';
import { allRows } from '../../support/permission-matrix/all-rows.ts';
import { credential, operationsOf, titled } from '../../support/permission-matrix/operation.ts';
import { NOBODY_PAID } from '../../support/permission-matrix/billing-rows.ts';
import { useStored } from '../../support/permission-matrix/stored.ts';
import { useFixtures } from '../../support/permission-matrix/fixtures.ts';

/** Invalid requests of authorized callers; test/api/permissions tests who is authorized. */
const test = useApp(NOBODY_PAID);
const fixtures = useFixtures(test);
beforeAll(async () => {
  await fixtures.people.owner.key.delete(`/api/surveys/${fixtures.used.shared.surveyId}`).expect(204);
});
const stored = useStored(test);
const operations = operationsOf(allRows);

const ENVELOPE = ['code', 'details', 'error', 'message', 'request_id'];

describe('every invalid request is refused with a specific error and changes nothing', () => {
  it.each(operations.map(titled))('%s', async (_name, operation) => {
    const authorized = credential(operation.whoMay(fixtures));
    const violations = listViolations(operation, fixtures, fixtures.used.shared);
    const replies = await Promise.all(
      violations.map(({ headers = authorized, ids = fixtures.standing.shared, changes }) =>
        operation.send(fixtures.origin, headers, ids, changes),
      ),
    );
    expect(replies.map((reply, index) => `${violations[index]!.wrong}: ${outcomeOf(reply)}`)).toEqual(
      violations.map(({ wrong, expected }) => `${wrong}: ${expected}`),
    );
    for (const { text } of replies) expect(Object.keys(JSON.parse(text) as object).sort()).toEqual(ENVELOPE);
    await stored.expectUnchanged();
  });
});

import supertest from 'supertest';
import { expect, it } from 'vitest';
import { useOrganization } from '../../support/actors.ts';
import { appOn, useApp } from '../../support/app.ts';
import { startResponse } from '../../support/start-response.ts';
import { publishedSurvey } from '../../support/surveys.ts';

const test = useApp();
const organization = useOrganization(test);

it('a newly started process accepts more concurrent respondents than it has connections', async () => {
  const survey = await publishedSurvey(organization.admin);
  const startedResponses = await Promise.all(
    Array.from({ length: 40 }, () => startResponse(organization.admin, survey.linkToken)),
  );
  const { app } = appOn(test.database);
  const replies = await Promise.all(
    startedResponses.map(({ token }, index) => {
      const address = `/api/public/s/${survey.linkToken}/responses/${token}`;
      return index % 2 === 0
        ? supertest(app).patch(address).send({ answers: {} })
        : supertest(app).post(`${address}/complete`).send({ answers: {} });
    }),
  );
  expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200]));
});

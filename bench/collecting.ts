import { bigFiveResponses, bigFiveSurvey } from '../seeds/demo/big-five.ts';
import type { Child } from './support/child.ts';
import type { Figure } from './support/figure.ts';
import { runLoad } from './support/load.ts';
import { requestsFigure } from './support/requests-figure.ts';
import { interleaved } from './support/rounds.ts';
import type { TestBed } from './support/test-bed.ts';
import { publishSurvey } from '../test/support/served-surveys.ts';

const ROUNDS = 5;
const SECONDS = 4;
/** Until V8 has optimized the servers; on a busy machine one round is too short. */
const WARM_UP_SECONDS = 10;
const FEW_CONNECTIONS = 8;

/** Complete Big Five responses over HTTP, each validated and on disk before it is acknowledged. */
export async function collecting(testBed: TestBed): Promise<Figure[]> {
  const { db } = testBed;
  const api = await testBed.api();
  const single = await testBed.api({ ONE_INSERT_PER_REQUEST: 'true' });
  const express = await testBed.bareExpress();
  const collector = await testBed.minimalCollector({ hasOurServer: false });
  const collectorOnOurServer = await testBed.minimalCollector({ hasOurServer: true });
  const { surveyId, linkToken } = await publishSurvey(testBed, api, bigFiveSurvey());
  const { answers } = bigFiveResponses().find((response) => !Object.values(response.answers).includes(null))!;
  const body = JSON.stringify({ submission_id: '[<id>]', answers });
  const post = (server: Child, path: string) => () =>
    runLoad({ server, path, method: 'POST', body, seconds: SECONDS });
  const collect = (server: Child, path: string, connections?: number) => () =>
    runLoad({
      server,
      path,
      method: 'POST',
      body,
      seconds: SECONDS,
      db,
      ...(connections === undefined ? {} : { connections }),
    });

  const path = `/api/public/s/${linkToken}/responses`;
  for (const [server, to] of [
    [api, path],
    [collector, '/responses'],
    [collectorOnOurServer, '/responses'],
  ] as const)
    await runLoad({ server, path: to, method: 'POST', body, seconds: WARM_UP_SECONDS });
  const { ours, minimal, minimalOnOurServer, bare, oneInsert, parsed } = await interleaved(ROUNDS, {
    ours: collect(api, path),
    minimal: collect(collector, '/responses'),
    minimalOnOurServer: collect(collectorOnOurServer, '/responses'),
    bare: post(express, '/plain'),
    oneInsert: collect(single, path),
    parsed: post(express, '/parsed'),
  });
  const few = await interleaved(ROUNDS, {
    ours: collect(api, path, FEW_CONNECTIONS),
    minimal: collect(collector, '/responses', FEW_CONNECTIONS),
    minimalOnOurServer: collect(collectorOnOurServer, '/responses', FEW_CONNECTIONS),
  });
  const stored = await db.raw<{ rows: { count: number }[] }>(
    `SELECT count(*) FROM responses WHERE survey_id = ? AND response_status = 'complete'`,
    [surveyId],
  );
  console.log(`    (${stored.rows[0]!.count} responses were stored)`);
  const onOurServer = 'the same, with the HTTP server of Canvass';
  return [
    {
      ...requestsFigure(
        'Accepted responses',
        ours,
        'a bare Express res.json with the same request bodies',
        bare,
        { atLeast: 0.6 },
      ),
      inList: 'responses per second with 28 answers each, validated and on disk when acknowledged',
    },
    requestsFigure('The same', ours, 'Express with express.json()', parsed, null),
    requestsFigure('The same', ours, 'a minimal durable collector without validation', minimal, {
      atLeast: 0.75,
    }),
    requestsFigure('The same', ours, onOurServer, minimalOnOurServer, null),
    requestsFigure(
      `Accepted responses with ${FEW_CONNECTIONS} connections`,
      few.ours,
      'a minimal durable collector without validation',
      few.minimal,
      { atLeast: 0.6 },
    ),
    requestsFigure('The same', few.ours, onOurServer, few.minimalOnOurServer, null),
    requestsFigure(
      'Accepted responses',
      ours,
      'one INSERT per request instead of group commit',
      oneInsert,
      null,
    ),
  ];
}

import { type Ledger, submit } from './load-generator.ts';
import { formatEvidence } from './scenario.ts';
import type { TestBed } from './test-bed.ts';

interface Stored {
  submission_id: string;
  response_id: number;
  answer: string | null;
}

const RETRIES_AT_ONCE = 16;
const ROUNDS = 5;

/** Compares the replies that clients received with the stored responses: everything acknowledged is stored once, with its own answers. */
export async function verifyStoredResponses(
  testBed: TestBed,
  surveyId: number,
  ledger: Ledger,
): Promise<string[]> {
  const stored = await readStored(testBed, surveyId);
  const byId = new Map(stored.map((row) => [row.submission_id, row]));
  const missing = [...ledger.acknowledged].filter(([id, response]) => byId.get(id)?.response_id !== response);
  const never = stored.filter(
    ({ submission_id: id }) => !ledger.acknowledged.has(id) && !ledger.unknown.has(id),
  );
  return [
    ...ledger.breaks,
    ...formatEvidence('acknowledged, but not stored as such', missing),
    ...formatEvidence('stored twice', findDuplicates(stored)),
    ...formatEvidence(
      'stored with the answers of another',
      stored.filter((row) => row.answer !== row.submission_id),
    ),
    ...formatEvidence('stored, but never sent', never),
    ...(await verifyCounts(testBed, surveyId, stored.length)),
  ];
}

/** Sends every submission with an unknown outcome again until it is acknowledged: one row each. */
export async function retryUnacknowledged(
  testBed: TestBed,
  surveyId: number,
  { linkToken, apis, ledger }: { linkToken: string; apis: readonly { url: string }[]; ledger: Ledger },
): Promise<{ count: number; breaks: string[] }> {
  const count = ledger.unknown.size;
  for (let round = 0; round < ROUNDS && ledger.unknown.size > 0; round += 1) {
    const remaining = [...ledger.unknown];
    for (let start = 0; start < remaining.length; start += RETRIES_AT_ONCE) {
      const part = remaining.slice(start, start + RETRIES_AT_ONCE);
      await Promise.all(part.map((id, index) => submit(apis[index % apis.length]!, linkToken, id, ledger)));
    }
  }
  return {
    count,
    breaks: [
      ...formatEvidence('not acknowledged however often it was sent', [...ledger.unknown]),
      ...(await verifyStoredResponses(testBed, surveyId, ledger)),
    ],
  };
}

async function readStored({ db }: TestBed, surveyId: number): Promise<Stored[]> {
  const { rows } = await db.raw<{ rows: Stored[] }>(
    `SELECT submission_id, response_id, answers ->> 'Q1' AS answer FROM responses WHERE survey_id = ?`,
    [surveyId],
  );
  return rows;
}

function findDuplicates(stored: readonly Stored[]): string[] {
  const seenTokens = new Set<string>();
  return stored.map((row) => row.submission_id).filter((id) => seenTokens.size === seenTokens.add(id).size);
}

/** Compares the counters of a survey with its rows. */
async function verifyCounts({ db }: TestBed, surveyId: number, rows: number): Promise<string[]> {
  const { rows: found } = await db.raw<{ rows: { counted: number }[] }>(
    `SELECT coalesce(sum(response_count), 0)::int AS counted FROM response_counts WHERE survey_id = ?`,
    [surveyId],
  );
  const { counted } = found[0]!;
  return counted === rows ? [] : [`${counted} responses are counted, ${rows} are stored`];
}

import pg from 'pg';
import { type Download, downloadResponses } from './support/download.ts';
import { FIFTY_COLUMNS, fiftyColumns } from './support/fifty-columns.ts';
import { amount, short, type Figure, withinLimit } from './support/figure.ts';
import { interleaved, median, medianRatio, medianTime, measureMs } from './support/rounds.ts';
import type { TestBed } from './support/test-bed.ts';

const ROUNDS = 5;
const MEGABYTE = 1_000_000;

/** 50 columns of 100,000 responses as a CSV file over HTTP, against PostgreSQL's own COPY of the same cells over its protocol. */
export async function csvExport(testBed: TestBed): Promise<Figure[]> {
  const api = await testBed.api();
  const surveyId = await fiftyColumns(testBed, api);
  const downloads: Download[] = [];
  const { ours, copy } = await interleaved(ROUNDS, {
    ours: async () => {
      const one = await downloadResponses(testBed, api, surveyId, { columns: FIFTY_COLUMNS });
      downloads.push(one);
      return one.milliseconds;
    },
    copy: () => measureMs(() => copyOut(testBed.databaseUrl, surveyId)),
  });
  console.log(`    (the file has ${short(downloads[0]!.bytes / MEGABYTE)} MB)`);
  const strains = downloads.map(({ strain }) => strain);
  const counted = strains.slice(1);
  const worst = (of: (strain: Download['strain']) => number) => Math.max(...counted.map(of));
  const growth = worst((strain) => strain.memoryGrowthBytes) / MEGABYTE;
  const first = strains[0]!.memoryGrowthBytes / MEGABYTE;
  const delayP99 = median(counted.map((strain) => strain.delayP99Ms));
  return [
    {
      what: 'CSV export of 100,000 x 50',
      ours: medianTime(ours),
      yardstick: medianTime(copy),
      against: 'COPY (SELECT …) TO STDOUT read over the protocol',
      ratio: medianRatio(ours, copy),
      target: { atMost: 4 },
    },
    withinLimit(
      "Growth of the server's memory during the run",
      amount(Math.max(growth, first), 'MB', `after the first export ${short(growth)} MB`),
      100,
    ),
    withinLimit(
      "Delay of the server's event loop during the run (p99)",
      amount(delayP99, 'ms', `longest ${short(worst((strain) => strain.delayMaxMs))} ms`),
      50,
    ),
  ];
}

/** pg has no COPY; its connection emits each message of the protocol, which this only counts. */
async function copyOut(databaseUrl: string, surveyId: number): Promise<number> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  let bytes = 0;
  const { connection } = client as unknown as { connection: NodeJS.EventEmitter };
  connection.on('copyData', (message: { chunk: Buffer }) => (bytes += message.chunk.length));
  const cells = FIFTY_COLUMNS.map((code) => `answers ->> '${code}'`).join(', ');
  try {
    await client.query(
      `COPY (SELECT ${cells} FROM responses WHERE survey_id = ${surveyId} AND response_status = 'complete'
             AND deleted_at IS NULL ORDER BY response_id) TO STDOUT (FORMAT csv)`,
    );
  } finally {
    await client.end();
  }
  if (bytes === 0) throw new Error('COPY brought nothing');
  return bytes;
}

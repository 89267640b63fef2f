import pg from 'pg';
import type { Strain } from './server.ts';
import { short, type Figure } from './support/figure.ts';
import { interleaved, median, medianRatio, timed } from './support/rounds.ts';
import type { Stage } from './support/stage.ts';
import { fillSurvey, publishSurvey } from './support/surveys.ts';

const RESPONSES = 100_000;
const ROUNDS = 5;
const MEGABYTE = 1_000_000;

const scales = Array.from({ length: 30 }, (_, index) => `S${index + 1}`);
const choices = Array.from({ length: 10 }, (_, index) => `C${index + 1}`);
const numbers = Array.from({ length: 5 }, (_, index) => `N${index + 1}`);
const texts = Array.from({ length: 5 }, (_, index) => `T${index + 1}`);
const columns = [...scales, ...choices, ...numbers, ...texts];

/** 50 columns of 100,000 responses as a CSV file over HTTP, against PostgreSQL's own COPY of the same cells over its protocol. */
export async function csvExport(stage: Stage): Promise<Figure[]> {
  const api = await stage.api();
  const { surveyId } = await publishSurvey(stage, api, fiftyQuestions());
  const answers = [
    ...scales.map((code, index) => `'${code}', 1 + (n * ${2 * index + 3}) % 5`),
    ...choices.map((code, index) => `'${code}', (1 + (n * ${2 * index + 3}) % 4)::text`),
    ...numbers.map((code, index) => `'${code}', (n * ${2 * index + 3}) % 1000`),
    ...texts.map((code) => `'${code}', 'It was good, I would say ' || n`),
  ];
  await fillSurvey(stage, surveyId, RESPONSES, `jsonb_build_object(${answers.join(', ')})`);

  const body = JSON.stringify({ columns });
  const ourBytes: number[] = [];
  const strains: Strain[] = [];
  const { ours, copy } = await interleaved(ROUNDS, {
    ours: async () => {
      await api.ask('watch');
      const milliseconds = await timed(async () => {
        const reply = await fetch(`${api.url}/api/responses/${surveyId}/export`, {
          method: 'POST',
          headers: { 'X-API-Key': stage.apiKey, 'Content-Type': 'application/json' },
          body,
        });
        if (!reply.ok) throw new Error(await reply.text());
        let bytes = 0;
        for await (const chunk of reply.body!) bytes += (chunk as Uint8Array).length;
        ourBytes.push(bytes);
      });
      strains.push(await api.ask<Strain>('report'));
      return milliseconds;
    },
    copy: () => timed(() => copyOut(stage.databaseUrl, surveyId)),
  });
  console.log(`    (the file has ${short(ourBytes[0]! / MEGABYTE)} MB)`);
  const counted = strains.slice(1);
  const worst = (of: (strain: Strain) => number) => Math.max(...counted.map(of));
  const growth = worst((strain) => strain.memoryGrowthBytes) / MEGABYTE;
  const first = strains[0]!.memoryGrowthBytes / MEGABYTE;
  const delayP99 = median(counted.map((strain) => strain.delayP99Ms));
  return [
    {
      what: 'CSV export of 100,000 x 50, against COPY (SELECT …) TO STDOUT read over the protocol',
      ours: `${short(median(ours))} ms`,
      yardstick: `${short(median(copy))} ms`,
      ratio: medianRatio(ours, copy),
      target: { atMost: 4 },
    },
    {
      what: "Growth of the server's memory meanwhile, against 100 MB",
      ours: `${short(growth)} MB (in the first export ${short(first)} MB)`,
      yardstick: '100 MB',
      ratio: Math.max(growth, first) / 100,
      target: { atMost: 1 },
    },
    {
      what: "Delay of the server's event loop meanwhile (p99), against 50 ms",
      ours: `${short(delayP99)} ms (longest ${short(worst((strain) => strain.delayMaxMs))} ms)`,
      yardstick: '50 ms',
      ratio: delayP99 / 50,
      target: { atMost: 1 },
    },
  ];
}

/** pg has no COPY of its own; its connection hands out each message of the protocol, and here they are only counted. */
async function copyOut(databaseUrl: string, surveyId: number): Promise<number> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  let bytes = 0;
  const { connection } = client as unknown as { connection: NodeJS.EventEmitter };
  connection.on('copyData', (message: { chunk: Buffer }) => (bytes += message.chunk.length));
  const cells = columns.map((code) => `answers ->> '${code}'`).join(', ');
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

function fiftyQuestions(): object {
  const options = [1, 2, 3, 4].map((value) => ({
    option_label: `Option ${value}`,
    option_value: String(value),
  }));
  const question =
    (type: string, extras: object = {}) =>
    (code: string) => ({
      question_type: type,
      question_code: code,
      question_text: `Question ${code}`,
      ...extras,
    });
  const questions = [
    ...scales.map(question('scale')),
    ...choices.map(question('single_choice', { options })),
    ...numbers.map(question('number')),
    ...texts.map(question('text')),
  ];
  return {
    format: 'canvass.survey',
    version: 1,
    survey: { survey_name: 'Fifty questions', pages: [{ page_title: 'All', questions }] },
  };
}

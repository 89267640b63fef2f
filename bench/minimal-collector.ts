/**
 * The least that a durable collector does: Express and express.json(), no validation, and group commit of one prepared INSERT with four
 * columns into a table that only it uses. With `CANVASS_HTTP_SERVER` it is started with the HTTP server of Canvass, which creates request
 * objects differently.
 */
import express, { type Response } from 'express';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import pg from 'pg';
import { createExpressServer } from '../src/http/http-server.ts';

/** The same as in services/collection/response-writer.ts. */
const MAX_BATCH = 500;
const MAX_RUNNING = 2;

interface Submission {
  body: { submission_id: string; answers: unknown };
  receivedAt: Date;
  response: Response;
}

const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL!, max: MAX_RUNNING });
await pool.query(`
  CREATE TABLE IF NOT EXISTS minimal_responses (
    response_id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    survey_id integer NOT NULL,
    submission_id text NOT NULL,
    received_at timestamptz NOT NULL,
    answers jsonb NOT NULL
  )`);

const waiting: Submission[] = [];
let running = 0;
let isScheduled = false;

function schedule(): void {
  if (isScheduled || running >= MAX_RUNNING || waiting.length === 0) return;
  isScheduled = true;
  setImmediate(() => {
    isScheduled = false;
    void writeBatch(waiting.splice(0, MAX_BATCH));
    schedule();
  });
}

async function writeBatch(batch: readonly Submission[]): Promise<void> {
  running += 1;
  try {
    const { rows } = await pool.query<{ response_id: string }>({
      name: 'insert-responses',
      text: `INSERT INTO minimal_responses (survey_id, submission_id, received_at, answers)
        SELECT * FROM unnest($1::integer[], $2::text[], $3::timestamptz[], $4::jsonb[])
        RETURNING response_id`,
      values: [
        batch.map(() => 1),
        batch.map(({ body }) => body.submission_id),
        batch.map(({ receivedAt }) => receivedAt),
        batch.map(({ body }) => JSON.stringify(body.answers)),
      ],
    });
    for (const [index, { response }] of batch.entries())
      response.status(201).json({ response_id: Number(rows[index]!.response_id) });
  } catch (error) {
    console.error(error);
    for (const { response } of batch) response.status(500).json({ error: 1 });
  } finally {
    running -= 1;
    schedule();
  }
}

const app = express();
app.post('/responses', express.json(), (request, response) => {
  waiting.push({ body: request.body as Submission['body'], receivedAt: new Date(), response });
  schedule();
});

const server = process.env.CANVASS_HTTP_SERVER === 'true' ? createExpressServer(app) : createServer(app);
server.listen(0, '127.0.0.1', () => {
  process.send?.({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` });
});
// The only message of the process channel asks for the processor time.
process.on('message', () => process.send?.(process.cpuUsage()));
process.once('SIGTERM', () => process.exit(0));

import { setTimeout as sleep } from 'node:timers/promises';
import { randomNumbers } from '../../src/lib/seeded-random.ts';
import { randomInteger } from './scenario.ts';
import type { TestBed } from './test-bed.ts';

/** Longer than any allowed wait: a request that takes this long hangs. */
export const HANGS_AFTER_MS = 45_000;
const AFTER_FAILURE_MS = 30;

/** The state that clients derive from their replies. */
export class Ledger {
  /** response_id by submission_id. */
  readonly acknowledged = new Map<string, number>();
  /** Sent without a reply, so the outcome is unknown. */
  readonly unknown = new Set<string>();
  /** Violations of the promise. */
  readonly breaks: string[] = [];
  /** Number of 503 replies, which are allowed. */
  unavailable = 0;
  /** Number of connections that broke before the reply. */
  lost = 0;
  slowestMs = 0;

  acknowledge(submissionId: string, responseId: number): void {
    const known = this.acknowledged.get(submissionId);
    if (known !== undefined && known !== responseId)
      this.breaks.push(`${submissionId} was acknowledged as response ${known}, then as ${responseId}`);
    this.acknowledged.set(submissionId, responseId);
    this.unknown.delete(submissionId);
  }
}

export interface LoadSettings {
  clients: number;
  apis: readonly { url: string }[];
  linkToken: string;
  /** Longest pause between two responses of a client. */
  pauseMs?: number;
}

export interface LoadGenerator {
  readonly ledger: Ledger;
  /** Starts no further responses. Resolves when all running requests have ended. */
  end: () => Promise<void>;
}

/** Starts clients that submit responses to any of the processes until they are stopped. */
export function startLoadGenerator(testBed: TestBed, settings: LoadSettings): LoadGenerator {
  const { clients, apis, linkToken, pauseMs = 40 } = settings;
  const seed = randomInteger(testBed.random, 1, 1e6);
  const ledger = new Ledger();
  let over = false;
  const client = async (index: number): Promise<void> => {
    const chance = randomNumbers(seed * 1_000 + index);
    for (let count = 0; !over; count += 1) {
      const submissionId = `s${seed}-${index}-${count}`;
      const api = () => apis[Math.floor(chance() * apis.length)]!;
      await submit(api(), linkToken, submissionId, ledger);
      // A client without a reply often retries at once, perhaps at another process.
      if (ledger.unknown.has(submissionId) && chance() < 0.5) {
        await sleep(AFTER_FAILURE_MS);
        await submit(api(), linkToken, submissionId, ledger);
      }
      await sleep(chance() * pauseMs + (ledger.unknown.has(submissionId) ? AFTER_FAILURE_MS : 0));
    }
  };
  const all = Promise.all(Array.from({ length: clients }, (_, index) => client(index)));
  const end = async () => {
    over = true;
    await all;
  };
  testBed.atEnd(end);
  return { ledger, end };
}

/** The answers identify their submission. */
export const SURVEY = {
  format: 'canvass.survey',
  version: 1,
  survey: {
    survey_name: 'Faults',
    pages: [{ questions: [{ question_type: 'text', question_code: 'Q1', question_text: 'Which?' }] }],
  },
};

export async function submit(
  api: { url: string },
  linkToken: string,
  submissionId: string,
  ledger: Ledger,
): Promise<void> {
  const began = performance.now();
  ledger.unknown.add(submissionId);
  try {
    const reply = await fetch(`${api.url}/api/public/s/${linkToken}/responses`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ submission_id: submissionId, answers: { Q1: submissionId } }),
      signal: AbortSignal.timeout(HANGS_AFTER_MS),
    });
    const text = await reply.text();
    if (reply.status === 201 || reply.status === 200) {
      const { data } = JSON.parse(text) as { data: { response_id: number } };
      ledger.acknowledge(submissionId, data.response_id);
    } else if (reply.status === 503 && reply.headers.has('retry-after')) {
      ledger.unavailable += 1;
    } else {
      ledger.breaks.push(`${submissionId} was answered ${reply.status}: ${text.slice(0, 300)}`);
    }
  } catch (error) {
    if (error instanceof Error && error.name === 'TimeoutError')
      ledger.breaks.push(`${submissionId} had no reply after ${HANGS_AFTER_MS / 1_000} s`);
    else ledger.lost += 1;
  } finally {
    ledger.slowestMs = Math.max(ledger.slowestMs, performance.now() - began);
  }
}

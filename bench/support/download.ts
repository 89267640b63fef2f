import type { Strain } from '../server.ts';
import type { Child } from './child.ts';
import { measureMs } from './rounds.ts';
import type { TestBed } from './test-bed.ts';

/** A file that was read to its end, and its cost on the server. */
export interface Download {
  milliseconds: number;
  bytes: number;
  strain: Strain;
}

/** Exports a survey's responses over HTTP. */
export function downloadResponses(
  testBed: TestBed,
  api: Child,
  surveyId: number,
  body: object,
): Promise<Download> {
  return downloadFile(testBed, api, `/api/responses/${surveyId}/export`, body);
}

/** Downloads a file that a POST returns, however long it takes. */
export async function downloadFile(
  testBed: TestBed,
  api: Child,
  path: string,
  body: object,
): Promise<Download> {
  await api.ask('watch');
  let bytes = 0;
  const milliseconds = await measureMs(async () => {
    const reply = await fetch(`${api.url}${path}`, {
      method: 'POST',
      headers: { 'X-API-Key': testBed.apiKey, 'Content-Type': 'application/json', Prefer: 'wait' },
      body: JSON.stringify(body),
    });
    if (!reply.ok) throw new Error(await reply.text());
    for await (const chunk of reply.body!) bytes += (chunk as Uint8Array).length;
  });
  return { milliseconds, bytes, strain: await api.ask<Strain>('report') };
}

import { request } from 'node:http';
import { amount, type Figure } from './support/figure.ts';
import type { Child } from './support/child.ts';
import { publishSurvey } from '../test/support/served-surveys.ts';
import type { TestBed } from './support/test-bed.ts';
import { publishWideSurvey, wideSurvey } from './support/wide-survey.ts';

const RESPONSES = 1_000;

/** What the largest replies of a survey of 300 questions take on the network, compressed with Brotli and plain. */
export async function compression(testBed: TestBed): Promise<Figure[]> {
  const api = await testBed.api();
  const { surveyId, linkToken } = await publishSurvey(testBed, api, wideSurvey());
  const filled = await publishWideSurvey(testBed, api, RESPONSES);
  const replies = [
    ['The page of a respondent, 300 questions', `/s/${linkToken}`, 0.3],
    ['The survey that the editor loads, 300 questions', `/api/surveys/${surveyId}`, 0.1],
    ['A page of the grid, 100 responses x 700', `/api/responses/${filled}/grid?limit=100`, 0.3],
  ] as const;
  const figures: Figure[] = [];
  for (const [what, path, atMost] of replies) {
    const compressed = await countBytes(testBed, api, path, 'br');
    const plain = await countBytes(testBed, api, path, 'identity');
    figures.push({
      what,
      ours: amount(compressed / 1_000, 'kB'),
      yardstick: amount(plain / 1_000, 'kB'),
      against: 'not compressed',
      ratio: compressed / plain,
      target: { atMost },
    });
  }
  return figures;
}

/** The bytes of the body as they are sent; `fetch` would decompress them. */
function countBytes(
  { apiKey }: Pick<TestBed, 'apiKey'>,
  api: Pick<Child, 'url'>,
  path: string,
  encoding: string,
): Promise<number> {
  return new Promise((resolve, reject) => {
    const headers = { 'X-API-Key': apiKey, 'Accept-Encoding': encoding };
    const sent = request(`${api.url}${path}`, { headers }, (reply) => {
      if (reply.statusCode !== 200) reject(new Error(`GET ${path}: ${reply.statusCode}`));
      let bytes = 0;
      reply.on('data', (chunk: Buffer) => (bytes += chunk.length));
      reply.on('end', () => resolve(bytes));
      reply.on('error', reject);
    });
    sent.on('error', reject);
    sent.end();
  });
}

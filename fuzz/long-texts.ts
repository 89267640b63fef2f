import { createNewFixtures, fuzzerOn } from './campaign.ts';
import { cloneDraft, type Draft, type WireRequest, serializeDraft } from './requests/draft.ts';
import { seededRandom } from './requests/random.ts';
import { type FuzzedRoute, FixturesExhaustedError } from './requests/valid-request.ts';
import { listValueRefs } from './requests/value-paths.ts';
import { send, type WireReply } from './support/send.ts';
import type { FuzzTarget } from './support/target.ts';

/** Longest acceptable block of the event loop. */
export const LONGEST_BLOCK_MS = 100;
/** A block counts only if it occurs in each of so many attempts: the machine has other things to do, too. */
const ATTEMPTS = 10;
/** Requests from which the fields of a route are collected, since most fields are optional. */
const SAMPLES = 12;
/** Tried in this order, until a reply names the limit of the field or accepts the text. */
const LENGTHS = [300_000, 20_000, 1_000];
/** Routes whose requests consume objects of the fixtures, between new ones. */
const ROUTES_PER_FIXTURES = 40;
/** The worst cases of common expressions and loops: long runs that almost match. */
const UNITS = [
  ' ',
  '\t',
  '\n',
  '-',
  '_',
  '.',
  ',',
  '#',
  '!',
  '*',
  '(',
  '[',
  '<',
  '"',
  '\\',
  '/',
  '0',
  'a',
  'É',
  '\u0301',
  '👍',
  '$',
  'A ',
  '1 ',
  '0.',
  '1,',
  '1_',
  '[a',
  '[a](',
  '[a]',
  '<a',
  '{{',
  '{{a',
  '${',
  '- ',
  '**a',
  'http:',
  'www.',
  'a@',
  '@a.',
  'A OR ',
  '(Q1 = 1 AND ',
  'Q1 + ',
  'NOT ',
];

/** A text field of a route that blocked the event loop. */
interface Block {
  operationId: string;
  field: string;
  text: string;
  milliseconds: number;
}

export interface LongTextResult {
  fields: number;
  accepted: number;
  requests: number;
  blocks: Block[];
}

/** Sends a long text in every text field of the requests of these routes. `perField`: how many different texts. */
export async function sendLongTexts(
  target: FuzzTarget,
  { routes, seed, perField }: { routes: readonly FuzzedRoute[]; seed: number; perField: number },
): Promise<LongTextResult> {
  const fuzzer = await fuzzerOn(target, seed);
  let fixtures = await createNewFixtures(fuzzer, target);
  const result: LongTextResult = { fields: 0, accepted: 0, requests: 0, blocks: [] };
  let unit = seed;
  for (const [index, route] of routes.entries()) {
    if (index % ROUTES_PER_FIXTURES === ROUTES_PER_FIXTURES - 1)
      fixtures = await createNewFixtures(fuzzer, target);
    const random = seededRandom(`long texts ${seed} ${route.route.operationId}`);
    const drafts: Draft[] = [];
    for (let sample = 0; sample < SAMPLES; sample += 1)
      try {
        drafts.push(await route.valid(fixtures, random, { asIs: sample === 0, isCore: true }));
      } catch (error) {
        if (!(error instanceof FixturesExhaustedError)) throw error;
        fixtures = await createNewFixtures(fuzzer, target);
      }
    for (const [field, fill] of textFields(drafts)) {
      result.fields += 1;
      let wasAccepted = false;
      for (let count = 0; count < perField; count += 1) {
        const found = await tryField(target, fill, UNITS[(unit += 1) % UNITS.length]!);
        result.requests += found.requests;
        wasAccepted ||= found.accepted;
        if (found.block !== null)
          result.blocks.push({ operationId: route.route.operationId, field, ...found.block });
      }
      if (wasAccepted) result.accepted += 1;
    }
  }
  return result;
}

type Fill = (text: string) => WireRequest;

/** The text fields of all drafts by path, without the positions in lists, each with a request that has it. */
function textFields(drafts: readonly Draft[]): Map<string, Fill> {
  const fields = new Map<string, Fill>();
  const add = (field: string, fill: Fill) => {
    if (!fields.has(field)) fields.set(field, fill);
  };
  for (const draft of drafts) {
    for (const pair of draft.query) {
      const [name] = pair.split('=');
      add(`?${name}`, (text) =>
        serializeDraft({
          ...draft,
          query: draft.query.map((each) => (each === pair ? `${name}=${encodeURIComponent(text)}` : each)),
        }),
      );
    }
    const { body } = draft;
    if (body.kind === 'form')
      for (const [position, [name]] of body.fields.entries())
        add(`form ${name}`, (text) =>
          serializeDraft({
            ...draft,
            body: {
              ...body,
              fields: body.fields.map(([each, value], at) => [each, at === position ? text : value]),
            },
          }),
        );
    if (body.kind !== 'json') continue;
    for (const { path, value } of listValueRefs(body.value))
      if (typeof value === 'string')
        add(path.replace(/\[\d+\]/g, '[]'), (text) => {
          const filled = cloneDraft(draft);
          if (filled.body.kind === 'json')
            listValueRefs(filled.body.value)
              .find((ref) => ref.path === path)
              ?.replace(text);
          return serializeDraft(filled);
        });
  }
  return fields;
}

/** The longest block of the event loop while something is done, in milliseconds: the least of several attempts if it is long. */
export async function leastBlockMs(target: FuzzTarget, attempt: () => Promise<void>): Promise<number> {
  let least = Infinity;
  for (let count = 0; count < ATTEMPTS && least > LONGEST_BLOCK_MS; count += 1) {
    await target.strain.stalledMs();
    await attempt();
    least = Math.min(least, await target.strain.stalledMs());
  }
  return least;
}

const runOf = (unit: string, length: number): string => {
  const run = unit.repeat(Math.ceil(length / unit.length)).slice(0, Math.max(1, length - 1));
  return `${run}\u0001`.toWellFormed();
};

async function tryField(
  target: FuzzTarget,
  fill: Fill,
  unit: string,
): Promise<{ requests: number; accepted: boolean; block: Pick<Block, 'text' | 'milliseconds'> | null }> {
  let requests = 0;
  let worst: Pick<Block, 'text' | 'milliseconds'> | null = null;
  const measure = async (length: number) => {
    const request = fill(runOf(unit, length));
    let reply: WireReply | null = null;
    const least = await leastBlockMs(target, async () => {
      reply = await send(target.origin, request).catch(() => null);
      requests += 1;
    });
    if (least > LONGEST_BLOCK_MS && least > (worst?.milliseconds ?? 0))
      worst = { text: `${length} characters of ${JSON.stringify(unit)}`, milliseconds: Math.round(least) };
    return reply as WireReply | null;
  };
  for (const length of LENGTHS) {
    const reply = await measure(length);
    if (reply !== null && reply.status < 400) return { requests, accepted: true, block: worst };
    const limit = /at most ([\d,]+) characters/.exec(reply?.body.toString() ?? '')?.[1]?.replaceAll(',', '');
    if (limit !== undefined && Number(limit) < length) {
      const atLimit = await measure(Number(limit));
      return { requests, accepted: atLimit !== null && atLimit.status < 400, block: worst };
    }
  }
  return { requests, accepted: false, block: worst };
}

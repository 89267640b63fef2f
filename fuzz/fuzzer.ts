import { setTimeout as sleep } from 'node:timers/promises';
import { type Fixtures } from '../test/support/permission-matrix/fixtures.ts';
import { WatchedChanges, findForbiddenChanges } from './checks/changes.ts';
import { findSecret, MARKERS, listSecrets } from './checks/planted.ts';
import { findReplyProblems } from './checks/reply.ts';
import { makeAlmostValid } from './requests/almost-valid.ts';
import { formatCurl, type Draft, type Family, type Sender, serializeDraft } from './requests/draft.ts';
import { makeHostile } from './requests/hostile.ts';
import { pageRequest } from './requests/pages.ts';
import { type Random, seededRandom } from './requests/random.ts';
import type { FuzzedRoute } from './requests/valid-request.ts';
import { type Finding, Findings } from './findings.ts';
import { simpler } from './shrink.ts';
import type { FuzzTarget } from './support/target.ts';
import { send, type WireReply } from './support/send.ts';

/** Log lines about bugs. */
const OURS = /"msg":"(request error|job failed)"|unhandled ?rejection|uncaught ?exception/i;
/** Only who waited so long can have been stalled. */
const SUSPECT_MS = 60;
const SETTLES_MS = 100;

/** A request and its reply. */
export interface Tried {
  family: Family;
  /** What of the API it is about, and how. */
  of: string;
  request: string;
  /** null: no reply came. */
  status: number | null;
  stallMs: number;
  findings: number;
}

/** Sends requests one at a time and checks the reply, the log and the database after each. */
export class Fuzzer {
  readonly findings = new Findings();
  private readonly ground: FuzzTarget;
  private readonly seed: number;
  /** A longer stall is a finding, when it comes again: the machine has other things to do, too. */
  private readonly longestStallMs: number;
  private readonly changes: WatchedChanges;
  private count = 0;
  private world: Fixtures | null = null;
  private secrets: string[] = [];

  constructor(target: FuzzTarget, seed: number, longestStallMs: number) {
    this.ground = target;
    this.seed = seed;
    this.longestStallMs = longestStallMs;
    this.changes = new WatchedChanges(target.test.database.db);
  }

  begin(): Promise<void> {
    return this.changes.begin();
  }

  enter(fixtures: Fixtures): void {
    this.world = fixtures;
    // Of worlds before too: nothing secret ever becomes public.
    this.secrets = [...new Set([...this.secrets, ...listSecrets(fixtures)])];
  }

  get allSecrets(): readonly string[] {
    return this.secrets;
  }

  async try(route: FuzzedRoute, family: Family, asIs = false): Promise<Tried> {
    this.count += 1;
    const random = seededRandom(`${this.seed} ${this.count}`);
    const draft = await this.draftOf(route, family, asIs, random);
    return this.look(draft);
  }

  /** Sends an undeclared request: it must cause no server error, disclose nothing and change nothing. */
  async tryPage(): Promise<Tried> {
    this.count += 1;
    const visit = pageRequest(this.world!, seededRandom(`${this.seed} ${this.count}`));
    await this.changes.since();
    const reply = await send(this.ground.origin, visit).catch(() => null);
    const changed = findForbiddenChanges(await this.changes.since());
    const wrong = [
      ...(reply === null
        ? ['no reply']
        : this.checkReply(visit.sender, visit.path.includes('/d/') || visit.path.startsWith('/s/'), reply)),
      ...(reply !== null && reply.status >= 500 ? [`a page makes ${reply.status}`] : []),
      ...changed.map((change) => `a page changed: ${change}`),
      ...this.logged(),
    ];
    const request = `${visit.method} ${visit.path}`;
    for (const what of wrong)
      this.findings.addOfPage(
        what,
        `${request}, by ${visit.sender.name}`,
        formatCurl(visit, this.ground.origin),
      );
    const stallMs = await this.strainOf(reply);
    return {
      family: 'hostile',
      of: 'pages',
      request,
      status: reply?.status ?? null,
      stallMs,
      findings: wrong.length,
    };
  }

  private async strainOf(reply: WireReply | null): Promise<number> {
    return reply === null || reply.ms < SUSPECT_MS ? 0 : this.ground.strain.stalledMs();
  }

  private async draftOf(route: FuzzedRoute, family: Family, asIs: boolean, random: Random): Promise<Draft> {
    const fixtures = this.world!;
    const isValid = family === 'valid';
    const valid = await route.valid(fixtures, random, {
      asIs: asIs || (!isValid && random.chance(0.5)),
      isCore: !isValid,
    });
    if (isValid) return valid;
    return family === 'hostile'
      ? makeHostile(valid, random, fixtures)
      : makeAlmostValid(valid, random, fixtures);
  }

  private async look(draft: Draft): Promise<Tried> {
    await this.changes.since();
    const { reply, wrong } = await this.ask(draft);
    const stallMs = await this.stallOf(draft, reply);
    if (stallMs > this.longestStallMs) wrong.push(`the event loop stood still for ${Math.round(stallMs)} ms`);
    for (const what of wrong) await this.note(draft, what);
    const { family, route, what } = draft;
    return {
      family,
      of: route.path.split('/')[2] ?? '',
      request: `${route.operationId}, ${what}`,
      status: reply?.status ?? null,
      stallMs,
      findings: wrong.length,
    };
  }

  /** Sends the request and returns the problems. */
  private async ask(draft: Draft): Promise<{ reply: WireReply | null; wrong: string[] }> {
    let reply: WireReply;
    try {
      reply = await send(this.ground.origin, serializeDraft(draft));
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      return {
        reply: null,
        wrong: [`no reply: ${why}${this.ground.isAlive() ? '' : '; the process is dead'}`],
      };
    }
    // Waits for the end of the request's work before checking.
    if (reply.wasLeft) await sleep(SETTLES_MS);
    const wrong = findReplyProblems(draft, reply);
    if (reply.status >= 400) {
      const changed = findForbiddenChanges(await this.changes.since());
      if (changed.length > 0) wrong.push(`refused with ${reply.status}, but changed: ${changed.join('; ')}`);
    }
    wrong.push(
      ...this.checkReply(draft.sender, draft.route.access.credential === 'none', reply),
      ...this.logged(),
    );
    return { reply, wrong };
  }

  /** Returns secrets and other organizations' data in a reply. */
  private checkReply(sender: Sender, isPublic: boolean, { body, headers }: WireReply): string[] {
    const text = `${JSON.stringify(headers)}\n${body.toString('latin1')}`;
    const secret = findSecret(text, this.secrets);
    const marker = sender.mustNotRead === null ? null : MARKERS[sender.mustNotRead];
    return [
      ...(secret === null ? [] : [`a secret in the reply: ${secret}`]),
      ...(marker === null || isPublic || !text.includes(marker)
        ? []
        : ['words of another organization in the reply']),
    ];
  }

  private logged(): string[] {
    const lines = this.ground.logged();
    const secret = findSecret(lines, this.secrets);
    const ours = lines.split('\n').filter((line) => OURS.test(line) && !line.includes('"AppError"'));
    return [
      ...(secret === null ? [] : [`a secret in the log: ${secret}`]),
      ...ours.map((line) => `in the log: ${line.replace(/^.*?"err(or)?":/, '').slice(0, 500)}`),
    ];
  }

  /** The longest block of the event loop in milliseconds. Measures a long block up to three times and returns the shortest. */
  private async stallOf(draft: Draft, reply: WireReply | null): Promise<number> {
    let least = await this.strainOf(reply);
    for (let attempt = 0; attempt < 2 && least > this.longestStallMs; attempt += 1) {
      await send(this.ground.origin, serializeDraft(draft)).catch(() => null);
      least = Math.min(least, await this.ground.strain.stalledMs());
    }
    return least;
  }

  private async note(draft: Draft, what: string): Promise<void> {
    const finding = this.findings.add(draft, what);
    if (finding === null) return;
    const smaller = await simpler(draft, async (tried) => {
      const { wrong } = await this.askAgain(tried);
      return wrong.some((each) => Findings.keyOf(tried, each) === finding.key);
    });
    finding.curl = formatCurl(serializeDraft(smaller), this.ground.origin);
  }

  private async askAgain(draft: Draft): Promise<{ wrong: string[] }> {
    await this.changes.since();
    return this.ask(draft);
  }

  /** Returns the findings, including those from the log. */
  get found(): readonly Finding[] {
    return this.findings.all;
  }
}

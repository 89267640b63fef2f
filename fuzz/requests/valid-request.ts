import fc from 'fast-check';
import { z } from 'zod';
import { Multipart, MultipartOrJson } from '../../src/http/multipart.ts';
import { type Route, SignedBody } from '../../src/http/define-route.ts';
import { routes } from '../../src/routes/index.ts';
import type { Services } from '../../src/services/services.ts';
import { allRows } from '../../test/support/permission-matrix/all-rows.ts';
import { dependsOnVisibility } from '../../test/support/permission-matrix/callers.ts';
import { type Cell, Operation } from '../../test/support/permission-matrix/operation.ts';
import type { Ids, Fixtures } from '../../test/support/permission-matrix/fixtures.ts';
import { arbitraryOf } from './arbitrary-of.ts';
import type { Draft, DraftBody, Sender } from './draft.ts';
import { knownValues } from './known-values.ts';
import type { Random } from './random.ts';
import { senderOf } from './senders.ts';

const SAMPLES = 12;

/** Earlier requests changed the fixtures so much that the objects for a request cannot be created. */
export class FixturesExhaustedError extends Error {}

/** One declared route, and requests to it that should succeed. */
export class FuzzedRoute {
  readonly route: Route<Services>;
  readonly operation: Operation;
  /** Of the request that is being samples. */
  private ids: Ids | null = null;
  private readonly queries: fc.Arbitrary<unknown>;
  private readonly bodies: fc.Arbitrary<unknown> | null;

  constructor(route: Route<Services>) {
    this.route = route;
    this.operation = new Operation(route, allRows[route.operationId] ?? {});
    const isOfDashboard = /dashboard|\/d\//.test(route.path);
    const known = knownValues(() => this.ids!, isOfDashboard);
    this.queries = arbitraryOf(route.query, known);
    const schema = jsonSchemaOf(route);
    this.bodies = schema === null ? null : arbitraryOf(schema, known);
  }

  /** Why no request to it can be samples; null: they can. */
  get unknown(): string | null {
    const { operationId } = this.route;
    if (allRows[operationId] === undefined)
      return `${operationId} has no row in test/support/permission-matrix`;
    try {
      this.operation.cells();
      return null;
    } catch (error) {
      return error instanceof Error ? error.message : String(error);
    }
  }

  /**
   * A request by a permitted caller about the caller's own objects. `asIs`: exactly the row of the matrix. `isCore`: the base of a request
   * that must be refused, so its objects remain.
   */
  async valid(
    fixtures: Fixtures,
    random: Random,
    { asIs, isCore }: { asIs: boolean; isCore: boolean },
  ): Promise<Draft> {
    const usesUp = this.operation.row.fresh !== undefined;
    const isFresh = usesUp && (!isCore || !dependsOnVisibility(this.route) || random.chance(0.3));
    // Objects that are not created again are consumed where no other request uses them.
    const places = usesUp && !isFresh ? ['private'] : ['shared', 'team'];
    const may = this.operation.cells().filter(({ expected }) => expected === 'allowed');
    const near = may.filter(({ visibility }) => places.includes(visibility));
    const cell = random.pick(near.length > 0 ? near : may);
    const ids = (isCore ? fixtures.unchanged : fixtures.changeable)[cell.visibility];
    const { as, ...samples } = isFresh ? await this.fresh(fixtures, ids, cell) : {};
    const sender = senderOf(fixtures, cell.kind, cell.credential);
    if (as !== undefined) sender.headers = headersOf(as);
    return this.about({ ...ids, ...samples }, sender, random, asIs);
  }

  private async fresh(
    fixtures: Fixtures,
    ids: Ids,
    cell: Cell,
  ): Promise<Partial<Ids> & { as?: Fixtures['callers']['admin']['key'] }> {
    try {
      return (await this.operation.fresh(fixtures, ids, cell)) ?? {};
    } catch (error) {
      throw new FixturesExhaustedError(
        `${this.route.operationId}: ${error instanceof Error ? error.message : String(error)}`,
      );
    }
  }

  /** The same request with another sender or target. */
  private async about(ids: Ids, sender: Sender, random: Random, asIs: boolean): Promise<Draft> {
    this.ids = ids;
    const { path, access } = this.route;
    const query = asIs ? new Map<string, string>() : this.queryOf(random);
    for (const [name, value] of Object.entries(this.operation.row.query ?? {})) query.set(name, value);
    if (access.resource?.startsWith('workspace:') && !path.includes(':'))
      query.set('workspace_id', String(ids.workspaceId));
    return {
      route: this.route,
      family: 'valid',
      what: 'as it should be',
      sender,
      params: Object.fromEntries(
        [...this.operation.params(ids)].map(([name, value]) => [name, encodeURIComponent(value)]),
      ),
      query: [...query].map(([name, value]) => `${name}=${encodeURIComponent(value)}`),
      body: await this.bodyOf(ids, random, asIs),
      headers: { ...asJob(this.route, random) },
    };
  }

  private queryOf(random: Random): Map<string, string> {
    const sampled = this.sample(this.queries, this.route.query, random) as Record<string, unknown> | null;
    const query = new Map<string, string>();
    for (const [name, value] of Object.entries(sampled ?? {}))
      // An invented cursor is invalid.
      if (name !== 'cursor' && name !== 'workspace_id') query.set(name, String(value).toWellFormed());
    return query;
  }

  private async bodyOf(ids: Ids, random: Random, asIs: boolean): Promise<DraftBody> {
    const { method, body } = this.route;
    if (method === 'get' || method === 'delete') return { kind: 'none' };
    if (body instanceof SignedBody)
      return {
        kind: 'bytes',
        bytes: Buffer.from('{"id":"evt_1","object":"event"}'),
        contentType: 'application/json',
      };
    const core = this.operation.body(ids);
    if (core instanceof FormData) return formOf(core);
    const schema = jsonSchemaOf(this.route);
    if (this.bodies === null || schema === null) return { kind: 'json', value: core ?? {} };
    if (asIs) return { kind: 'json', value: core ?? {} };
    const value = this.sample(this.bodies, schema, random);
    const more = { ...(value as object | null), ...core };
    const choices = [core ?? {}, value ?? core ?? {}, schema.safeParse(more).success ? more : (core ?? {})];
    return { kind: 'json', value: random.pick(choices) };
  }

  /** The first of some that the schema takes; null: none. */
  private sample(values: fc.Arbitrary<unknown>, schema: z.ZodType, random: Random): unknown {
    const samples = fc.sample(values, { seed: random.seed(), numRuns: SAMPLES });
    return samples.map(overTheWire).find((value) => schema.safeParse(value).success) ?? null;
  }

  /** Whether the schema alone is sufficient to generate a valid body or query. */
  canBeSampled(random: Random, ids: Ids): boolean {
    this.ids = ids;
    const tries = Array.from({ length: 10 }, () => random);
    const schema = jsonSchemaOf(this.route);
    const has = (values: fc.Arbitrary<unknown>, of: z.ZodType) =>
      tries.some((each) => this.sample(values, of, each) !== null);
    return (
      has(this.queries, this.route.query) &&
      (this.bodies === null || schema === null || has(this.bodies, schema))
    );
  }
}

export const fuzzedRoutes = (): FuzzedRoute[] => routes.map((route) => new FuzzedRoute(route));

/** The schema of a JSON body; null for other bodies. */
function jsonSchemaOf({ method, body }: Route<Services>): z.ZodType | null {
  if (method === 'get' || method === 'delete' || body instanceof SignedBody) return null;
  if (body instanceof Multipart) return null;
  return body instanceof MultipartOrJson ? body.json : body;
}

const overTheWire = (value: unknown): unknown => JSON.parse(JSON.stringify(value ?? null));

/** What may become a job does, now and then. */
const asJob = (route: Route<Services>, random: Random): Record<string, string> =>
  route.background !== undefined && random.chance(0.3) ? { Prefer: 'respond-async' } : {};

function headersOf(actor: { apiKey: string | null; token?: string }): Record<string, string> {
  if (actor.token !== undefined) return { Authorization: `Bearer ${actor.token}` };
  return actor.apiKey === null ? {} : { 'X-API-Key': actor.apiKey };
}

async function formOf(form: FormData): Promise<DraftBody> {
  const body: DraftBody = { kind: 'form', fields: [], files: [] };
  for (const [field, value] of form.entries()) {
    if (typeof value === 'string') body.fields.push([field, value]);
    else body.files.push({ field, name: value.name, content: Buffer.from(await value.arrayBuffer()) });
  }
  return body;
}

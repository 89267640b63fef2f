import type { Actor } from '../actors.ts';
import type { Kind } from './callers.ts';
import type { Ids, CredentialKind, Fixtures } from './fixtures.ts';

/** How a request of one operation is made so that it would succeed. */
export interface Row {
  /** The meaning of path parameters whose names do not define it. */
  path?: (ids: Ids) => Record<string, string | number>;
  query?: Record<string, string>;
  /** `n` differs each time, for unique values. */
  body?: (ids: Ids, n: number) => object | FormData;
  /** Headers derived from the body, such as a signature. Not used with other bodies. */
  headers?: (body: string) => Record<string, string>;
  fresh?: CreateTarget;
  /** All that a call changes was made for it by `fresh`: no other gets in its way. */
  isIndependent?: true;
  exception?: ContractException;
}

/** Exceptions of one route from the contract of all routes (test/api/http/contract.test.ts). */
interface ContractException {
  because: string;
  /** Where the body's own fields are, as replies name it: `survey.`. */
  fieldsUnder?: string;
  /** The body's `workspace_id` does not select the workspace of the request. */
  workspaceInBodyIsIgnored?: true;
}

/** Creates a new target for calls that consume it. `as`: another caller of the same kind, for calls that revoke credentials. */
export type CreateTarget = (
  fixtures: Fixtures,
  ids: Ids,
  caller: { kind: Kind; credential: CredentialKind },
) => Promise<Partial<Ids> & { as?: Actor }>;

/** By operation. */
export type Rows = Readonly<Record<string, Row>>;

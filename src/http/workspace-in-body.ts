import { z } from 'zod';
import { invalid } from '../lib/errors.ts';
import { idNumber } from './paging.ts';
import type { Route } from './route.ts';

interface Sent {
  query: unknown;
  body: unknown;
}

/**
 * A route that narrows by `workspace_id` in its query takes it in its JSON body as well, and then finds it in the query. A body
 * with a field of that name keeps it.
 */
export function withWorkspaceOfBody(route: Pick<Route, 'query' | 'body'>, { query, body }: Sent): Sent {
  const narrows = 'workspace_id' in route.query.shape;
  const hasOwn = !(route.body instanceof z.ZodObject) || 'workspace_id' in route.body.shape;
  if (!narrows || hasOwn || !isObject(body) || !Object.hasOwn(body, 'workspace_id')) return { query, body };
  const { workspace_id: said, ...rest } = body;
  const id = idNumber.safeParse(said);
  if (!id.success) throw invalid('workspace_id', 'must be a positive whole number');
  const asked = (query as { workspace_id?: number }).workspace_id;
  if (asked !== undefined && asked !== id.data)
    throw invalid('workspace_id', `is ${id.data} in the body, but ${asked} in the query`);
  return { query: { ...(query as object), workspace_id: id.data }, body: rest };
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

import type { RequestHandler } from 'express';
import { z } from 'zod';
import type { Route } from '../http/define-route.ts';
import { idNumber } from '../http/paging.ts';
import { contradictingWorkspaceIds } from '../lib/error-messages.ts';
import { invalid } from '../lib/errors.ts';
import { handlerContext } from './request-context.ts';

/** Loads the object of the route (a survey, a workspace, …), or refuses the request: 404 if the caller may not see it, else 403. */
export function workspaceContext<Services>(
  access: Route<Services>['access'],
  services: Services,
): RequestHandler {
  return async (_request, response, next) => {
    response.locals.scope = await access.authorize(handlerContext(services, response.locals));
    next();
  };
}

/** Lets a route with `workspace_id` in its query take it in its JSON body too: it is moved to the query before the body is validated. */
export function workspaceIdFromBody(route: Pick<Route, 'query' | 'body'>): RequestHandler {
  return (_request, response, next) => {
    Object.assign(response.locals, moveWorkspaceId(route, response.locals));
    next();
  };
}

interface Input {
  query: unknown;
  body: unknown;
}

/** A body that has a field `workspace_id` in its schema keeps it. */
export function moveWorkspaceId(route: Pick<Route, 'query' | 'body'>, { query, body }: Input): Input {
  if (!takesWorkspaceIdInBody(route) || !isObject(body) || !Object.hasOwn(body, 'workspace_id'))
    return { query, body };
  const { workspace_id: sent, ...rest } = body;
  const id = idNumber.safeParse(sent);
  if (!id.success) throw invalid('workspace_id', 'must be a positive whole number');
  const inQuery = (query as { workspace_id?: number }).workspace_id;
  if (inQuery !== undefined && inQuery !== id.data) throw contradictingWorkspaceIds(id.data, inQuery);
  return { query: { ...(query as object), workspace_id: id.data }, body: rest };
}

export function takesWorkspaceIdInBody({ query, body }: Pick<Route, 'query' | 'body'>): boolean {
  const isInBodySchema = !(body instanceof z.ZodObject) || 'workspace_id' in body.shape;
  return 'workspace_id' in query.shape && !isInBodySchema;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

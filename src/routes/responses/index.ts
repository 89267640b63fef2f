import type { Router } from 'express';
import { buildRouter, type RouterDependencies } from '../../http/build-router.ts';
import type { Route } from '../../http/define-route.ts';
import { Multipart } from '../../http/multipart.ts';
import { AppError } from '../../lib/errors.ts';
import type { Services } from '../../services/services.ts';
import { bulkRoute, editRowRoutes, eraseRowRoute, findReplaceRoute, restoreOriginalsRoute } from './edits.ts';
import { changeRoutes } from './changes.ts';
import { commentRoutes, addRowsRoute, seedRoutes } from './rows.ts';
import { derivedColumnRoutes, transformRoutes } from './derived-columns.ts';
import { weightingRoutes } from './weighting.ts';
import { exportRoute, fileRoutes } from './export.ts';
import { crosstabRoute } from './crosstab.ts';
import { figureRoutes } from './distributions.ts';
import { gridRoute } from './grid.ts';
import { importRoute } from './import.ts';
import { qualityRoutes } from './quality.ts';
import { relationRoutes } from './relations.ts';

/** Aliases of request fields; services use only the first name. */
const ALIASES = [
  ['filter', 'filters'],
  ['weight', 'weight_column'],
] as const;

/** A route whose errors name the alias that the request used. */
function withSentFieldNames<S>(route: Route<S>): Route<S> {
  const { background, body, handler } = route;
  const shape = body instanceof Multipart || !('shape' in body) ? {} : (body.shape as object);
  const pairs = ALIASES.filter((names) => names.every((name) => name in route.query.shape || name in shape));
  if (pairs.length === 0) return route;
  const withRenamedErrors =
    <C extends { query: unknown; body: unknown }, T>(work: (context: C) => T) =>
    async (context: C): Promise<Awaited<T>> => {
      try {
        return await work(context);
      } catch (error) {
        throw error instanceof AppError ? renamed(error, renamesOf(pairs, context)) : error;
      }
    };
  return {
    ...route,
    handler: withRenamedErrors(handler),
    background: background && {
      isLong: withRenamedErrors((context) => background.isLong(context)),
      start: withRenamedErrors((context) => background.start(context)),
    },
  };
}

type Rename = readonly [from: string, to: string];

/** Renames from the unused alias to the used one; none if the request has both. */
function renamesOf(pairs: readonly Rename[], { query, body }: { query: unknown; body: unknown }): Rename[] {
  const sent = { ...(body as object), ...(query as object) } as Readonly<Record<string, unknown>>;
  return pairs.flatMap(([one, other]): Rename[] => {
    if ((sent[one] === undefined) === (sent[other] === undefined)) return [];
    return [sent[one] === undefined ? [one, other] : [other, one]];
  });
}

function renamed(error: AppError, renames: readonly Rename[]): AppError {
  const as = (text: string) => {
    const found = renames.find(([from]) => new RegExp(`^${from}(?![a-z_])`).test(text));
    return found === undefined ? text : found[1] + text.slice(found[0].length);
  };
  if (error.details.every(({ field }) => as(field) === field)) return error;
  const details = error.details.map((detail) => ({ ...detail, field: as(detail.field) }));
  const [first] = error.details;
  const message = first && error.message.startsWith(`${first.field}:`) ? as(error.message) : error.message;
  return new AppError(error.kind, error.code, message, details, error.headers);
}

/** The responses themselves: read, change, check, import and export them. */
export const responseDataRoutes = [
  gridRoute,
  addRowsRoute,
  ...editRowRoutes,
  eraseRowRoute,
  bulkRoute,
  findReplaceRoute,
  restoreOriginalsRoute,
  ...changeRoutes,
  ...qualityRoutes,
  ...commentRoutes,
  ...fileRoutes,
  exportRoute,
  importRoute,
  ...seedRoutes,
].map((route) => withSentFieldNames(route));

/** Statistics of responses, derived columns and weights. */
export const tableRoutes = [
  ...figureRoutes,
  crosstabRoute,
  ...relationRoutes,
  ...transformRoutes,
  ...derivedColumnRoutes,
  ...weightingRoutes,
].map((route) => withSentFieldNames(route));

export const responseRoutes = [...tableRoutes, ...responseDataRoutes];

export const responsesRouter = (dependencies: RouterDependencies<Services>): Router =>
  buildRouter('/api/responses', responseRoutes, dependencies);

import { fetchReply, type Reply, sendChange } from '../../../shared/client/api.ts';
import type { components, paths } from './api-types.d.ts';

/** A schema of the OpenAPI document, such as `Schema<'Survey'>`. */
export type Schema<Name extends keyof components['schemas']> = components['schemas'][Name];

type Method = 'get' | 'post' | 'put' | 'patch' | 'delete';

/** The paths of the API that have an operation with this method. */
export type PathsWith<M extends Method> = {
  [P in keyof paths]: paths[P] extends Record<M, { responses: unknown }> ? P : never;
}[keyof paths];

type Operation<P extends keyof paths, M extends Method> = paths[P] extends Record<M, infer O> ? O : never;

type JsonReply<O> = O extends { responses: infer R }
  ? {
      [Status in keyof R]: R[Status] extends { content: { 'application/json': infer J } } ? J : never;
    }[keyof R]
  : never;

/** `data` of the reply. */
export type ReplyData<P extends keyof paths, M extends Method> =
  JsonReply<Operation<P, M>> extends { data: infer D } ? D : undefined;

/** An omitted parameter can also be given as undefined. */
type OrUndefined<Q> = { [Name in keyof Q]: Q[Name] | undefined };

/** `never` is what the generated types give to an operation without path or query. */
type ParametersOf<O> = O extends { parameters: infer Given }
  ? (Given extends { path: infer Path extends object } ? { path: Path } : { path?: undefined }) & {
      query?: Given extends { query?: infer Query }
        ? [Query] extends [never]
          ? undefined
          : OrUndefined<Query>
        : undefined;
    }
  : { path?: undefined; query?: undefined };

type BodyOf<O> = O extends { requestBody?: infer B }
  ? NonNullable<B> extends { content: { 'application/json': infer J } }
    ? { body?: J }
    : { body?: undefined }
  : { body?: undefined };

export type Parameters<P extends keyof paths, M extends Method> = ParametersOf<Operation<P, M>>;

/** The values of an address, of any operation. */
export interface AddressParameters {
  path?: object | undefined;
  query?: object | undefined;
}

/** Returns the address of an operation: `/api/surveys/{id}` with `{path: {id: 1}}` is `/api/surveys/1`. */
export function apiAddress(path: string, { path: values = {}, query = {} }: AddressParameters = {}): string {
  const valueByName = new Map(Object.entries(values as Record<string, string | number>));
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(String(valueByName.get(name))),
  );
  const search = new URLSearchParams(
    Object.entries(query as Record<string, string | number | boolean | null | undefined>).flatMap(
      ([name, value]): [string, string][] =>
        value === undefined || value === null ? [] : [[name, String(value)]],
    ),
  ).toString();
  return search === '' ? filled : `${filled}?${search}`;
}

/** Reads `data` and `meta` once, outside the cache. Throws ApiError. */
export const readApi = <P extends PathsWith<'get'>>(
  path: P,
  parameters: Parameters<P, 'get'>,
): Promise<Reply<ReplyData<P, 'get'>>> => fetchReply(apiAddress(path, parameters as AddressParameters));

const METHODS = { post: 'POST', put: 'PUT', patch: 'PATCH', delete: 'DELETE' } as const;

/** Sends a change and returns `data` of the reply. Throws ApiError. The caller then reloads what the change concerns. */
export function changeApi<M extends keyof typeof METHODS, P extends PathsWith<M>>(
  method: M,
  path: P,
  {
    body,
    ifMatch,
    ...parameters
  }: Parameters<P, M> & BodyOf<Operation<P, M>> & { ifMatch?: string | undefined },
): Promise<ReplyData<P, M>> {
  return sendChange(
    METHODS[method],
    apiAddress(path, parameters as AddressParameters),
    body as object | undefined,
    ifMatch,
  );
}

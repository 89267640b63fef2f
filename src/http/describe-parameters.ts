/** The part of an operation of an OpenAPI document that this file changes. */
interface Operation {
  parameters?: unknown[];
}

interface Parameter {
  name?: string;
  in?: string;
  description?: string;
}

/** Descriptions of path parameters that are not plain ids. */
const BY_NAME: Readonly<Record<string, string>> = {
  columnCode: 'Code of the column, such as Q1 or Q3_2',
  token: 'Token of the link: the last segment of its URL',
  responseToken: '`response_token` of the response, returned when it was started',
  orgSlug: 'Slug of the organization',
  dashboardSlug: 'Slug of the dashboard',
  uuid: '`session_id` of the chat session',
  apiKeyId: 'Id of the API key',
};

/** Adds a description to each path parameter of an OpenAPI document that has none. Changes the document. */
export function describePathParameters(paths: Readonly<Record<string, object>>): void {
  for (const [path, operations] of Object.entries(paths)) {
    for (const { parameters } of Object.values(operations) as Operation[]) {
      for (const parameter of (parameters ?? []) as Parameter[]) {
        if (parameter.in !== 'path' || parameter.name === undefined) continue;
        parameter.description ??= BY_NAME[parameter.name] ?? `Id of the ${objectOf(parameter.name, path)}`;
      }
    }
  }
}

/** `surveyId` is the id of a survey; `id` of the object that the path segment before it names. */
function objectOf(name: string, path: string): string {
  if (name !== 'id') return name.replace(/Id$/, '').replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  const segments = path.slice(0, path.indexOf('/{id}')).split('/');
  const segment = segments.filter((part) => part !== 'current').at(-1)!;
  return segment.replace(/s$/, '').replace('-', ' ').replace('api key', 'API key');
}

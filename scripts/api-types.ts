import openapiTS, { astToString, type OpenAPI3 } from 'openapi-typescript';
import { openApiDocument } from '../src/http/openapi.ts';
import { tags } from '../src/routes/index.ts';

const HEADER = '// Written by `npm run generate` from the OpenAPI document.\n\n';
/** Documentation, which would be most of the file; editors show it in the declarations of the routes. */
const DOCUMENTATION = new Set(['description', 'summary', 'example', 'examples', 'title', 'headers', 'tags']);

type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };

/** Removes documentation and the replies that are not successful. Names of properties are kept, whatever they are. */
function reduceDocument(value: Json, parent = ''): Json {
  if (Array.isArray(value)) return (value as readonly Json[]).map((item) => reduceDocument(item));
  if (typeof value !== 'object' || value === null) return value;
  const isNames = parent === 'properties' || parent === 'schemas';
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key]) => isNames || !DOCUMENTATION.has(key))
      .filter(([key]) => parent !== 'responses' || key.startsWith('2'))
      .map(([key, child]) => [key, reduceDocument(child, isNames ? '' : key)]),
  );
}

/** Returns the source text of the types of the API that the studio’s client uses, from the OpenAPI document. */
export async function generateApiTypes(): Promise<string> {
  const document = JSON.parse(JSON.stringify(openApiDocument(tags, ''))) as { [key: string]: Json };
  const reduced = reduceDocument(document) as { [key: string]: Json };
  const components = reduced.components as { schemas: Json };
  const ast = await openapiTS(
    {
      ...reduced,
      info: { title: 'Canvass', version: '0' },
      components: { schemas: components.schemas },
    } as unknown as OpenAPI3,
    { emptyObjectsUnknown: true },
  );
  return HEADER + astToString(ast);
}

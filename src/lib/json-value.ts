import { z } from 'zod';

/**
 * Any JSON value, in a schema. The values come from parsed JSON, so they are not checked again; the API document has one name for it,
 * which generators of clients read as `unknown` (a recursive definition makes them fail).
 */
export const jsonValue = (z.unknown() as unknown as z.ZodType<z.core.util.JSONType>).meta({
  id: 'JsonValue',
  description: 'Any JSON value',
});

export const jsonObject = z.record(z.string(), jsonValue);

import { z } from 'zod';

/**
 * Schema of any JSON value. The values come from parsed JSON, so they are not checked again. The API document has one name for it, which
 * client generators read as `unknown`; they fail on a recursive definition.
 */
export const jsonValue = (z.unknown() as unknown as z.ZodType<z.core.util.JSONType>).meta({
  id: 'JsonValue',
  description: 'Any JSON value',
});

export const jsonObject = z.record(z.string(), jsonValue);

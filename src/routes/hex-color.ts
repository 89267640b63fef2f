import { z } from 'zod';

/** #rgb or #rrggbb; normalized to lower-case #rrggbb. */
export const hexColor = z
  .string()
  .regex(/^#([0-9a-f]{3}|[0-9a-f]{6})$/i, 'must be a hex color such as #6366f1')
  .transform((value) => {
    const digits = value.slice(1).toLowerCase();
    return `#${digits.length === 3 ? digits.replace(/./g, '$&$&') : digits}`;
  })
  .meta({ override: { type: 'string', pattern: '^#([0-9a-fA-F]{3}|[0-9a-fA-F]{6})$' } });

import type { z } from 'zod';
import { quote } from './quote.ts';

const TYPE_NAMES: ReadonlyMap<string, string> = new Map([
  ['string', 'a text'],
  ['number', 'a number'],
  ['int', 'a whole number'],
  ['bigint', 'a whole number'],
  ['boolean', 'true or false'],
  ['array', 'a list'],
  ['tuple', 'a list'],
  ['set', 'a list'],
  ['object', 'an object'],
  ['record', 'an object'],
  ['map', 'an object'],
  ['date', 'a date'],
  ['file', 'a file'],
  ['null', 'null'],
  ['nan', 'NaN'],
]);

const FORMAT_NAMES: ReadonlyMap<string, string> = new Map([
  ['email', 'an email address such as ada@example.org'],
  ['url', 'a web address such as https://www.example.org'],
  ['httpurl', 'a web address such as https://www.example.org'],
  ['uuid', 'a UUID such as 123e4567-e89b-42d3-a456-426614174000'],
  ['guid', 'a UUID such as 123e4567-e89b-42d3-a456-426614174000'],
  ['datetime', 'an ISO 8601 time such as 2026-03-01T09:30:00Z'],
  ['date', 'a date such as 2026-03-01'],
  ['time', 'a time of day such as 09:30:00'],
  ['duration', 'an ISO 8601 duration such as P1DT12H'],
  ['ipv4', 'an IPv4 address such as 192.0.2.1'],
  ['ipv6', 'an IPv6 address such as 2001:db8::1'],
  ['cidrv4', 'a range of IPv4 addresses such as 192.0.2.0/24'],
  ['cidrv6', 'a range of IPv6 addresses such as 2001:db8::/32'],
  ['base64', 'a Base64 string'],
  ['base64url', 'a URL-safe Base64 string (RFC 4648, section 5)'],
  ['e164', 'a telephone number such as +49301234567'],
  ['json_string', 'JSON'],
  ['jwt', 'a JSON Web Token'],
  ['hostname', 'a host name such as www.example.org'],
  ['hex', 'hexadecimal digits'],
  ['emoji', 'an emoji'],
  ['lowercase', 'in lower case'],
  ['uppercase', 'in upper case'],
]);

/** The name of a type in messages, such as `a text` or `a whole number`; defaults to zod's name. */
export function typeName(type: string): string {
  return TYPE_NAMES.get(type) ?? type;
}

/** The name of a format with an example; undefined for formats whose description needs parameters. */
export function formatName(format: string): string | undefined {
  return FORMAT_NAMES.get(format) ?? (/^uuidv\d$/.test(format) ? FORMAT_NAMES.get('uuid') : undefined);
}

/** Whether a number schema allows only whole numbers. */
export function takesWholeNumbers(schema: unknown): boolean {
  const def = (schema as z.core.$ZodNumber | undefined)?._zod.def;
  const formats = [def, ...(def?.checks ?? []).map((check) => check._zod.def)].map((part) =>
    part !== undefined && 'format' in part ? part.format : null,
  );
  return formats.some((format) => typeof format === 'string' && format.includes('int'));
}

/** The distinct names of the alternatives of a schema: `a text`, `a list`, `"missing"`. */
export function formNames(schema: unknown): string[] {
  return [...new Set(namesOf(schema as z.core.$ZodTypes | undefined))];
}

function namesOf(schema: z.core.$ZodTypes | undefined): string[] {
  if (schema === undefined) return [];
  const { def } = schema._zod;
  switch (def.type) {
    case 'union':
      return def.options.flatMap((option) => namesOf(option as z.core.$ZodTypes));
    case 'literal':
      return def.values.map((value) => quote(value));
    case 'enum':
      return Object.values(def.entries).map((value) => quote(value));
    case 'boolean':
      return ['true', 'false'];
    case 'number':
      return [typeName(takesWholeNumbers(schema) ? 'int' : 'number')];
    case 'string': {
      const format = 'format' in def && typeof def.format === 'string' ? def.format : '';
      return [formatName(format) ?? typeName('string')];
    }
    case 'nullable':
      return [...namesOf(def.innerType as z.core.$ZodTypes), 'null'];
    case 'optional':
    case 'default':
    case 'prefault':
    case 'catch':
    case 'readonly':
    case 'nonoptional':
      return namesOf(def.innerType as z.core.$ZodTypes);
    case 'pipe':
      return namesOf(def.in as z.core.$ZodTypes);
    // A lazy schema can be recursive.
    case 'lazy':
    case 'any':
    case 'unknown':
    case 'never':
    case 'custom':
    case 'transform':
      return [];
    default:
      return [typeName(def.type)];
  }
}

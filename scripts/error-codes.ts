/** `npm run error-codes`: writes the reference of error codes; test/architecture/error-codes.test.ts compares it with the sources. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { errorCodeTable } from '../src/http/reference-tables.ts';

const folder = new URL('../docs/reference/', import.meta.url);
mkdirSync(folder, { recursive: true });
writeFileSync(new URL('error-codes.md', folder), errorCodeTable());

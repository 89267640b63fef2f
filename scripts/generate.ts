/** `npm run generate`: writes the files that are made from sources; tests in test/architecture compare them with these. */
import { readFileSync, writeFileSync } from 'node:fs';
import { errorCodeTable, permissionTable } from '../src/http/reference-tables.ts';
import { routes } from '../src/routes/index.ts';
import { generateApiTypes } from './api-types.ts';
import { licenseList, lockedPackages } from './locked-packages.mjs';
import { settingsReference } from './settings-reference.ts';

const at = (file: string) => new URL(`../${file}`, import.meta.url);

const FILES = {
  'docs/reference/error-codes.md': errorCodeTable(),
  'docs/reference/licenses.md': licenseList(lockedPackages()),
  'docs/reference/permissions.md': permissionTable(routes),
  'docs/reference/settings.md': await settingsReference(readFileSync(at('.env.example'), 'utf8')),
  'src/web/studio/client/data/api-types.d.ts': await generateApiTypes(),
};

for (const [file, text] of Object.entries(FILES)) writeFileSync(at(file), text);

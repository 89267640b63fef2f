import { writeFileSync } from 'node:fs';
import { licenseList, lockedPackages } from './locked-packages.mjs';

writeFileSync(new URL('../docs/reference/licenses.md', import.meta.url), licenseList(lockedPackages()));

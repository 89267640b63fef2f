import { writeFileSync } from 'node:fs';
import { licenceList, lockedPackages } from './locked-packages.ts';

writeFileSync(new URL('../docs/reference/licences.md', import.meta.url), licenceList(lockedPackages()));

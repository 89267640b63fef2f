import { writeFileSync } from 'node:fs';
import { permissionTable } from '../src/http/reference-tables.ts';
import { routes } from '../src/routes/index.ts';

writeFileSync(new URL('../docs/reference/permissions.md', import.meta.url), permissionTable(routes));

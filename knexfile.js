// Knex's command line finds this file before knexfile.ts: Node 20 imports TypeScript only with tsx, which has to be registered first.
import { register } from 'tsx/esm/api';

register();
export default (await import('./knexfile.ts')).default;

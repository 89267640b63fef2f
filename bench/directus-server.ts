/**
 * Directus, an open API server over PostgreSQL, in a separate database on the server of the bench, with a collection that anyone may
 * create items in. `DIRECTUS_FOLDER` is where it is installed. Over the process channel it tells `cpu`.
 */
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import pg from 'pg';

const folder = process.env.DIRECTUS_FOLDER!;
const moduleUrl = (name: string) => pathToFileURL(path.join(folder, 'node_modules', name)).href;

/** Creates the tables of Directus and the administrator with the token. */
await promisify(execFile)(
  process.execPath,
  [path.join(folder, 'node_modules/directus/cli.js'), 'bootstrap'],
  {
    cwd: folder,
  },
);
const client = new pg.Client({
  host: process.env.DB_HOST!,
  port: Number(process.env.DB_PORT),
  user: process.env.DB_USER!,
  password: process.env.DB_PASSWORD,
  database: process.env.DB_DATABASE!,
});
await client.connect();
// The collection, and the permission of the public role to create items in it, as the administration pages would store them.
await client.query(`
  CREATE TABLE responses (
    response_id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    submission_id text NOT NULL,
    answers json NOT NULL
  );
  INSERT INTO directus_collections (collection) VALUES ('responses');
  INSERT INTO directus_fields (collection, field, special) VALUES ('responses', 'answers', 'cast-json');
  INSERT INTO directus_permissions (collection, action, fields, policy)
    SELECT 'responses', 'create', '*', policy FROM directus_access WHERE role IS NULL AND "user" IS NULL;`);
await client.end();

const { createServer } = (await import(moduleUrl('@directus/api/dist/server.js'))) as {
  createServer: () => Promise<Server>;
};
const server = await createServer();
server.listen(0, '127.0.0.1');
await once(server, 'listening');
process.on('message', () => process.send?.(process.cpuUsage()));
process.send?.({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` });

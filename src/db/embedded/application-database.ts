import { escapeIdentifier, escapeLiteral } from 'pg';
import type { Client } from 'pg';

/** Owns the database and may create others, but is no superuser: what it can do, it can do on any server. */
const applicationRole = 'canvass';

export function applicationUrl(port: number, password: string, database: string): string {
  return `postgres://${applicationRole}:${password}@127.0.0.1:${port}/${encodeURIComponent(database)}`;
}

/** On every start, since a process may have been killed between the two statements. */
export async function ensureApplicationDatabase(
  client: Client,
  database: string,
  password: string,
): Promise<void> {
  const role = escapeIdentifier(applicationRole);
  const roles = await client.query('select from pg_roles where rolname = $1', [applicationRole]);
  if (roles.rowCount === 0) {
    await client.query(`create role ${role} login createdb password ${escapeLiteral(password)}`);
  }
  const databases = await client.query('select from pg_database where datname = $1', [database]);
  if (databases.rowCount === 0) {
    await client.query(`create database ${escapeIdentifier(database)} owner ${role}`);
  }
}

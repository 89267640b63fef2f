import { escapeIdentifier, escapeLiteral } from 'pg';
import type { Client } from 'pg';

/** The role of the application owns the database and may create others, but is not a superuser, so the same code runs on any server. */
const applicationRole = 'canvass';

export function applicationUrl(port: number, password: string, database: string): string {
  return `postgres://${applicationRole}:${password}@127.0.0.1:${port}/${encodeURIComponent(database)}`;
}

/** Runs on every start, because an earlier process may have been killed between the two statements. */
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

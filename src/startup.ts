import type { FirstAdministrator } from './services/system/setup.ts';
import type { Config } from './config.ts';
import { isDatabaseUnavailable } from './db/errors.ts';
import { StartError, diskFullStartError, isDatabaseFull, isStorageFull } from './lib/errors.ts';

/** Returns the start-up message. Generated credentials are printed only once; supplied ones are never printed. */
export function startupMessage(facts: {
  baseUrl: string;
  notes: readonly string[];
  firstAdministrator: FirstAdministrator | null;
  demoLinkToken: string | null;
  demoDashboardPath: string | null;
}): string {
  const { baseUrl, firstAdministrator } = facts;
  const lines = ['', `  Canvass listens on  ${baseUrl}`, `  API documentation   ${baseUrl}/api/docs`];
  if (facts.demoLinkToken !== null) {
    lines.push(`  Demo survey         ${baseUrl}/s/${facts.demoLinkToken}`);
  }
  if (facts.demoDashboardPath !== null) {
    lines.push(`  Demo dashboard      ${baseUrl}${facts.demoDashboardPath}`);
  }
  if (firstAdministrator !== null) {
    const { email, generatedPassword, generatedApiKey, signInToken } = firstAdministrator;
    const isSecret = generatedPassword !== null || generatedApiKey !== null;
    lines.push('', `  First administrator${isSecret ? ' (shown only once)' : ''}:`, `    Email     ${email}`);
    lines.push(`    Password  ${generatedPassword ?? 'as set in ADMIN_PASSWORD'}`);
    if (generatedApiKey !== null) lines.push(`    API key   ${generatedApiKey}`);
    if (signInToken !== null)
      lines.push(
        '',
        `  Sign in without typing, once within a day:`,
        `    ${baseUrl}/#sign-in=${signInToken}`,
      );
  }
  for (const note of facts.notes) lines.push('', `  Note: ${note}`);
  return `${lines.join('\n')}\n\n`;
}

/** Returns a StartError with instructions for a problem that an operator can fix; returns any other error unchanged. */
export function toStartError(
  error: unknown,
  { databaseUrl, dataDir }: Pick<Config, 'databaseUrl' | 'dataDir'>,
): unknown {
  if (error instanceof StartError) return error;
  const server = databaseUrl === null ? `the embedded database in ${dataDir}` : hostOf(databaseUrl);
  if (isStorageFull(error))
    return diskFullStartError(
      isDatabaseFull(error) ? server : ((error as { path?: string }).path ?? dataDir),
    );
  if (isDatabaseUnavailable(error))
    return new StartError(
      `The database does not reply: ${server}. Check DATABASE_URL, and that the database is running and reachable.`,
    );
  const refusal = REFUSALS[String((error as { code?: unknown }).code)];
  return refusal === undefined || databaseUrl === null
    ? error
    : new StartError(`The database cannot be opened: ${server} ${refusal} of DATABASE_URL.`);
}

/** Why a database server refuses to open the database, by its error codes. */
const REFUSALS: Partial<Record<string, string>> = {
  '28P01': 'refuses the user or the password',
  '28000': 'refuses the user',
  '3D000': 'does not have the database',
  '42501': 'refuses the rights to create tables to the user',
};

/** Leaves out the password. */
function hostOf(databaseUrl: string): string {
  const { host, pathname } = new URL(databaseUrl);
  return `the database server ${host}${pathname}`;
}

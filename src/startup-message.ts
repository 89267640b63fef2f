import type { FirstAdministrator } from './services/system/setup.ts';

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
    const { email, generatedPassword, generatedApiKey } = firstAdministrator;
    const isSecret = generatedPassword !== null || generatedApiKey !== null;
    lines.push('', `  First administrator${isSecret ? ' (shown only once)' : ''}:`, `    Email     ${email}`);
    lines.push(`    Password  ${generatedPassword ?? 'as set in ADMIN_PASSWORD'}`);
    if (generatedApiKey !== null) lines.push(`    API key   ${generatedApiKey}`);
  }
  for (const note of facts.notes) lines.push('', `  Note: ${note}`);
  return `${lines.join('\n')}\n\n`;
}

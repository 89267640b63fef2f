import type { FirstAdministrator } from './services/system/setup.ts';

/** What the person at the terminal reads when the server is up; the administrator's secrets only this once. */
export function welcome(facts: {
  baseUrl: string;
  notes: readonly string[];
  firstAdministrator: FirstAdministrator | null;
  demoLinkToken: string | null;
  demoDashboardPath: string | null;
}): string {
  const { baseUrl, firstAdministrator } = facts;
  const lines = ['', `  Canvass listens on  ${baseUrl}`, `  API and its docs    ${baseUrl}/api/docs`];
  if (facts.demoLinkToken !== null) {
    lines.push(`  Demo survey         ${baseUrl}/s/${facts.demoLinkToken}`);
  }
  if (facts.demoDashboardPath !== null) {
    lines.push(`  Demo dashboard      ${baseUrl}${facts.demoDashboardPath}`);
  }
  if (firstAdministrator !== null) {
    lines.push(
      '',
      '  The first administrator (shown only now):',
      `    E-mail    ${firstAdministrator.email}`,
      `    Password  ${firstAdministrator.password}`,
      `    API key   ${firstAdministrator.apiKey}`,
    );
  }
  for (const note of facts.notes) lines.push('', `  Note: ${note}`);
  return `${lines.join('\n')}\n\n`;
}

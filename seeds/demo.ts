import type { Knex } from 'knex';
import { readConfig } from '../src/config.ts';
import { createCommandContainer } from '../src/container.ts';
import { StartError } from '../src/lib/errors.ts';

/**
 * Loads the demo that SEED_DEMO loads at the first start: the surveys with their responses, the dashboard and the report. Creates an
 * organization and its administrator if the installation has none; otherwise uses the oldest workspace. Does nothing if the demo survey
 * exists.
 */
export async function seed(db: Knex): Promise<void> {
  const config = readConfig(process.env);
  const { demo, services } = createCommandContainer(config, db);
  if ((await demo.linkToken()) !== null) {
    console.log('The demo is already loaded. Nothing was changed.');
    return;
  }
  const administrator = await services.setup.firstStart(config.admin);
  if (administrator !== null) {
    const { email, generatedPassword, generatedApiKey } = administrator;
    console.log(`The first administrator is ${email}.`);
    if (generatedPassword !== null) console.log(`Password (shown only once): ${generatedPassword}`);
    if (generatedApiKey !== null) console.log(`API key (shown only once): ${generatedApiKey}`);
  }
  await demo.load({ ...(administrator ?? (await oldestWorkspace(db))), role: 'owner' });
  console.log('The demo is loaded.');
}

async function oldestWorkspace(
  db: Knex,
): Promise<{ organizationId: number; workspaceId: number; userId: number }> {
  const workspace = await db('workspaces')
    .whereNull('deleted_at')
    .orderBy('workspace_id')
    .first('organization_id', 'workspace_id', 'owner_id');
  if (workspace === undefined)
    throw new StartError('The installation has no workspace for the demo: create a workspace first');
  const { organization_id: organizationId, workspace_id: workspaceId, owner_id: userId } = workspace;
  return { organizationId, workspaceId, userId };
}

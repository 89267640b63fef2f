import type { authServices } from '../auth/services.ts';
import type { SharedServices } from '../shared-services.ts';
import { BackupService, ScheduledBackups } from './backups.ts';
import { RestoreService } from './restore.ts';
import { HealthService } from './health.ts';
import { IdempotencySweep } from './sweeps.ts';
import { SetupService } from './setup.ts';

export function systemServices(
  { store, heartbeat, storageState, storage, clock, config, ids }: SharedServices,
  { passwords, apiKeys }: ReturnType<typeof authServices>,
) {
  const backups = new BackupService(store, storage, clock);
  return {
    backups,
    health: new HealthService(store, heartbeat, storageState),
    idempotencySweep: new IdempotencySweep(store),
    restoring: new RestoreService(storage),
    scheduledBackups: new ScheduledBackups(backups, clock, config.backups),
    setup: new SetupService(store, passwords, apiKeys, ids),
  };
}

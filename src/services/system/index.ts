import type { authServices } from '../auth/index.ts';
import type { SharedServices } from '../shared-services.ts';
import { BackupService, ScheduledBackups } from './backups.ts';
import { ConsistencyService } from './consistency.ts';
import { HealthService } from './health.ts';
import { RestoreService } from './restore.ts';
import { SetupService } from './setup.ts';
import { IdempotencySweep } from './sweeps.ts';

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
    consistency: new ConsistencyService(store),
    scheduledBackups: new ScheduledBackups(backups, clock, config.backups),
    setup: new SetupService(store, passwords, apiKeys, ids),
  };
}

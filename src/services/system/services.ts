import type { authServices } from '../auth/services.ts';
import type { Foundations } from '../foundations.ts';
import { HealthService } from './health.ts';
import { SetupService } from './setup.ts';

export function systemServices(
  { store, ids }: Foundations,
  { passwords, apiKeys }: ReturnType<typeof authServices>,
) {
  return { health: new HealthService(store), setup: new SetupService(store, passwords, apiKeys, ids) };
}

import type { Foundations } from '../foundations.ts';
import { ApiKeyService } from './api-keys.ts';
import { AuthService } from './auth.ts';
import { Passwords } from './passwords.ts';

export function authServices({ config, store, jwtSecret, clock, ids }: Foundations) {
  const passwords = new Passwords(config.bcryptCost);
  return {
    apiKeys: new ApiKeyService(store, ids),
    auth: new AuthService(store, passwords, jwtSecret, clock, ids),
    passwords,
  };
}

import type { Foundations } from '../foundations.ts';
import { ApiKeyService } from './api-keys.ts';
import { OwnSessionService } from './own-sessions.ts';
import { AuthService } from './auth.ts';
import { PasswordResetService } from './password-reset.ts';
import { Passwords } from './passwords.ts';
import { RegistrationService } from './registration.ts';
import { SessionTokens } from './session-tokens.ts';

export function authServices({ config, store, mail, jwtSecret, clock, ids }: Foundations) {
  const passwords = new Passwords(config.bcryptCost);
  const sessionTokens = new SessionTokens(jwtSecret, clock);
  return {
    apiKeys: new ApiKeyService(store, ids),
    auth: new AuthService(store, passwords, sessionTokens, clock, ids),
    passwordReset: new PasswordResetService(store, passwords, mail, config.mailedUrl, ids),
    passwords,
    ownSessions: new OwnSessionService(store, passwords, sessionTokens, clock, ids),
    registration: new RegistrationService(store, passwords, clock),
    sessionTokens,
  };
}

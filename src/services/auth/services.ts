import type { SharedServices } from '../shared-services.ts';
import { ApiKeyNetworks, ApiKeyService } from './api-keys.ts';
import { AuthService, FailedLogins, KnownDevices } from './auth.ts';
import { GuessLimits } from './guess-limits.ts';
import { OwnSessionService, SessionTokens } from './sessions.ts';
import { PasswordConfirmation, PasswordHasher } from './passwords.ts';
import { PasswordResetService } from './password-reset.ts';
import { RegistrationService } from './registration.ts';

export function authServices(shared: SharedServices) {
  const { config, store, mail, jwtSecret, clock, ids, counters, reportFailure } = shared;
  const passwords = new PasswordHasher(config.bcryptCost);
  const sessionTokens = new SessionTokens(jwtSecret, clock);
  const guessLimits = new GuessLimits(counters, config.rateLimits.auth);
  const failedLogins = new FailedLogins(store, reportFailure);
  const passwordConfirmation = new PasswordConfirmation(store, passwords, guessLimits);
  return {
    apiKeys: new ApiKeyService(store, passwordConfirmation, clock, ids),
    auth: new AuthService({
      store,
      passwords,
      tokens: sessionTokens,
      devices: new KnownDevices(jwtSecret, clock, ids),
      guessLimits,
      failedLogins,
      keyNetworks: new ApiKeyNetworks(store),
      clock,
      ids,
    }),
    failedLogins,
    guessLimits,
    passwordConfirmation,
    passwordReset: new PasswordResetService(store, passwords, mail, config.mailLinkUrl, ids),
    passwords,
    ownSessions: new OwnSessionService({
      store,
      passwords,
      confirmation: passwordConfirmation,
      tokens: sessionTokens,
      clock,
      ids,
    }),
    registration: new RegistrationService(store, passwords, clock),
    sessionTokens,
  };
}

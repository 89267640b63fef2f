import type { SharedServices } from '../shared-services.ts';
import { AccountMails } from './account-mails.ts';
import { ApiKeyNetworks, ApiKeyService } from './api-keys.ts';
import { AuthService, FailedLogins, KnownDevices } from './auth.ts';
import { EmailConfirmationService } from './email-confirmation.ts';
import { GuessLimits } from './guess-limits.ts';
import { PasswordResetService } from './password-reset.ts';
import { PasswordConfirmation, PasswordHasher } from './passwords.ts';
import { RegistrationService } from './registration.ts';
import { OwnSessionService, SessionTokens } from './sessions.ts';

export function authServices(shared: SharedServices) {
  const { config, store, mail, jwtSecret, clock, ids, counters, reportFailure } = shared;
  const passwords = new PasswordHasher(config.bcryptCost);
  const sessionTokens = new SessionTokens(jwtSecret, clock);
  const guessLimits = new GuessLimits(counters, config.rateLimits.auth);
  const failedLogins = new FailedLogins(store, reportFailure);
  const passwordConfirmation = new PasswordConfirmation(store, passwords, guessLimits);
  const accountMails = new AccountMails(store, mail, config.mailLinkUrl, ids);
  return {
    accountMails,
    apiKeys: new ApiKeyService(store, passwordConfirmation, accountMails, clock, ids),
    auth: new AuthService({
      store,
      passwords,
      tokens: sessionTokens,
      devices: new KnownDevices(jwtSecret, clock, ids),
      guessLimits,
      failedLogins,
      keyNetworks: new ApiKeyNetworks(store),
      accountMails,
      clock,
      ids,
    }),
    emailConfirmation: new EmailConfirmationService(store, accountMails),
    failedLogins,
    guessLimits,
    passwordConfirmation,
    passwordReset: new PasswordResetService({
      store,
      passwords,
      confirmation: passwordConfirmation,
      mail,
      accountMails,
      baseUrl: config.mailLinkUrl,
      clock,
      ids,
    }),
    passwords,
    ownSessions: new OwnSessionService({
      store,
      passwords,
      confirmation: passwordConfirmation,
      tokens: sessionTokens,
      accountMails,
      strictPasswords: config.strictPasswords,
      clock,
      ids,
    }),
    registration: new RegistrationService(store, passwords, clock),
    sessionTokens,
  };
}

import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { readConfig, withPort } from '../../src/config.ts';
import { StartError } from '../../src/lib/errors.ts';

const DATABASE_URL = 'postgres://canvass:secret@db:5432/canvass';

function complaints(environment: Record<string, string>): string {
  try {
    readConfig(environment);
  } catch (error) {
    expect(error).toBeInstanceOf(StartError);
    return (error as Error).message;
  }
  return '';
}

it.each([
  [{ PORT: '70000' }, 'PORT must be at most 65535'],
  [{ PORT: '3000.5' }, 'PORT must be a whole number from 0 to 65535'],
  [
    { LOG_LEVEL: 'abc' },
    'LOG_LEVEL must be one of fatal, error, warn, info, debug, trace, silent, not "abc"',
  ],
  [{ NODE_ENV: 'staging' }, 'NODE_ENV must be one of development, production, test'],
])('says in our words what is wrong with %o', (environment, complaint) => {
  expect(complaints(environment)).toContain(complaint);
});

it('quotes no secret that is too short', () => {
  const environment = { ADMIN_PASSWORD: 'pa55wrd', JWT_SECRET: 'k3y-k3y', ADMIN_API_KEY: 'adm1n-key' };
  const text = complaints(environment);
  expect(text).toMatch(/ADMIN_PASSWORD[^]*ADMIN_API_KEY|ADMIN_API_KEY[^]*ADMIN_PASSWORD/);
  for (const secret of Object.values(environment)) expect(text).not.toContain(secret);
});

describe('readConfig without settings', () => {
  const config = readConfig({});

  it('starts with the embedded database and the demo, on localhost only', () => {
    expect(config).toMatchObject({
      environment: 'development',
      port: 3000,
      host: '127.0.0.1',
      databaseUrl: null,
      dataDir: path.resolve('./.data'),
      seedDemo: true,
      jwtSecret: null,
      publicUrl: null,
      allowedOrigins: [],
      trustProxyHops: 0,
      rateLimits: { general: 1_000, auth: 20 },
      metricsToken: null,
      openAi: null,
    });
    expect(config.rateLimits.public).toBeGreaterThan(1_000);
    expect(config.bcryptCost).toBeGreaterThanOrEqual(10);
  });

  it('treats an empty setting as unset', () => {
    expect(readConfig({ PORT: '', DATABASE_URL: '', JWT_SECRET: '', METRICS_TOKEN: '', OTHER: 'x' })).toEqual(
      config,
    );
  });
});

it('does not seed an external database with the demo by default', () => {
  expect(readConfig({ DATABASE_URL }).seedDemo).toBe(false);
  expect(readConfig({ DATABASE_URL, SEED_DEMO: 'true' }).seedDemo).toBe(true);
  expect(readConfig({ SEED_DEMO: 'no' }).seedDemo).toBe(false);
});

it('reads database replicas as a list of URLs and requires DATABASE_URL', () => {
  const replicas = ' postgres://a@replica-1/canvass, postgresql://a:b%2Cc@replica-2:5433/canvass,';
  expect(readConfig({ DATABASE_URL, DATABASE_REPLICA_URLS: replicas }).databaseReplicaUrls).toEqual([
    'postgres://a@replica-1/canvass',
    'postgresql://a:b%2Cc@replica-2:5433/canvass',
  ]);
  expect(readConfig({ DATABASE_URL }).databaseReplicaUrls).toEqual([]);
  expect(complaints({ DATABASE_REPLICA_URLS: 'postgres://a@b/c' })).toContain(
    'DATABASE_REPLICA_URLS needs DATABASE_URL',
  );
  const wrong = complaints({ DATABASE_URL, DATABASE_REPLICA_URLS: 'postgres://a@b/c,http://a:secret@b' });
  expect(wrong).toContain('DATABASE_REPLICA_URLS.1 must look like postgres://');
  expect(wrong).not.toContain('secret@');
});

it('disables the payment sandbox by default and rejects it with Stripe or in production', () => {
  expect(readConfig({}).paymentSandbox).toBe(false);
  expect(readConfig({ PAYMENT_SANDBOX: 'true' }).paymentSandbox).toBe(true);
  expect(
    complaints({
      PAYMENT_SANDBOX: 'true',
      STRIPE_SECRET_KEY: 'sk_test_1',
      STRIPE_WEBHOOK_SECRET: 'whsec_1',
    }),
  ).toContain('PAYMENT_SANDBOX must not be true together with STRIPE_SECRET_KEY');
  expect(complaints({ PAYMENT_SANDBOX: 'true', NODE_ENV: 'production' })).toContain(
    'PAYMENT_SANDBOX must not be true with NODE_ENV=production',
  );
});

it('strips the trailing slash of URLs and reads origins as a list', () => {
  const config = readConfig({
    PUBLIC_URL: 'https://canvass.example/',
    ALLOWED_ORIGINS: ' https://a.example, http://localhost:5173/ ,',
  });
  expect(config.publicUrl).toBe('https://canvass.example');
  expect(config.allowedOrigins).toEqual(['https://a.example', 'http://localhost:5173']);
});

it.each([
  ['PORT', 'http'],
  ['PORT', '65536'],
  ['PORT', '-1'],
  ['PORT', '3000.5'],
  ['PORT', '0x50'],
  ['NODE_ENV', 'staging'],
  ['DATABASE_URL', 'mysql://localhost/canvass'],
  ['DATABASE_POOL_SIZE', '1'],
  ['JWT_SECRET', 'short'],
  ['JWT_SECRET', 'changeme-changeme-changeme-changeme'],
  ['JWT_SECRET', 'your-secret-your-secret-your-secret-1'],
  ['JWT_SECRET', 'secretsecretsecretsecretsecretsecret'],
  ['JWT_SECRET', '0'.repeat(64)],
  ['BCRYPT_COST', '3'],
  ['BCRYPT_COST', '31'],
  ['PUBLIC_URL', 'canvass.example'],
  ['PUBLIC_URL', 'javascript:alert(1)'],
  ['ALLOWED_ORIGINS', '*'],
  ['ALLOWED_ORIGINS', 'https://a.example,evil'],
  ['TRUST_PROXY', 'true'],
  ['RATE_LIMIT_GENERAL', '0'],
  ['RATE_LIMIT_AUTH', 'many'],
  ['METRICS_TOKEN', 'short'],
  ['OPENAI_API_KEY', 'two words'],
  ['OPENAI_BASE_URL', 'localhost:11434'],
  ['OPENAI_CONCURRENCY', '0'],
  ['OPENAI_TIMEOUT_SECONDS', '0'],
  ['SEED_DEMO', 'perhaps'],
  ['ADMIN_EMAIL', 'admin'],
  ['ADMIN_PASSWORD', '1234567'],
  ['ADMIN_API_KEY', `sk_${'a'.repeat(48)}`],
  ['LOG_LEVEL', 'loud'],
  ['STRIPE_SECRET_KEY', 'pk_live_1'],
  ['STRIPE_SECRET_KEY', 'sk_live_1'],
  ['STRIPE_WEBHOOK_SECRET', 'sk_live_1'],
  ['STRIPE_WEBHOOK_SECRET', 'whsec_1'],
  ['STRIPE_API_BASE', 'http://127.0.0.1:1'],
  ['STRIPE_API_BASE', 'http://127.0.0.1:1/v1'],
])('rejects %s=%s', (name, value) => {
  const message = complaints({ [name]: value });
  expect(message).toMatch(new RegExp(`^  ${name}`, 'm'));
});

it('reports every problem at once without repeating a secret', () => {
  const message = complaints({
    PORT: 'x',
    JWT_SECRET: 'hunter2',
    ADMIN_PASSWORD: 'hunter3',
    TRUST_PROXY: 'y',
  });
  for (const name of ['PORT', 'JWT_SECRET', 'ADMIN_PASSWORD', 'TRUST_PROXY']) expect(message).toContain(name);
  expect(message).not.toMatch(/hunter/);
});

it('configures a language model from an API key, or from a base URL without a key', () => {
  const key = 'sk-this-is-only-a-test';
  expect(readConfig({ OPENAI_API_KEY: key }).openAi).toEqual({
    baseUrl: 'https://api.openai.com/v1',
    apiKey: key,
    model: 'gpt-4.1-mini',
    concurrency: 4,
    timeoutSeconds: 120,
  });
  const local = {
    OPENAI_BASE_URL: 'http://localhost:11434/v1/',
    OPENAI_MODEL: 'qwen3:8b',
    OPENAI_CONCURRENCY: '1',
    OPENAI_TIMEOUT_SECONDS: '60',
  };
  expect(readConfig(local).openAi).toEqual({
    baseUrl: 'http://localhost:11434/v1',
    apiKey: null,
    model: 'qwen3:8b',
    concurrency: 1,
    timeoutSeconds: 60,
  });
  expect(readConfig({ OPENAI_MODEL: 'qwen3:8b' }).openAi).toBeNull();
});

it('configures Stripe when both secrets are set, with an optional API base URL', () => {
  const both = { STRIPE_SECRET_KEY: 'sk_test_1', STRIPE_WEBHOOK_SECRET: 'whsec_2' };
  const known = { secretKey: 'sk_test_1', webhookSecret: 'whsec_2' };
  expect(readConfig({}).stripe).toBeNull();
  expect(readConfig(both).stripe).toEqual({ ...known, apiBase: null });
  const elsewhere = { ...both, STRIPE_API_BASE: 'http://127.0.0.1:9/' };
  expect(readConfig(elsewhere).stripe).toEqual({ ...known, apiBase: 'http://127.0.0.1:9' });
});

it.each(['f3b1c9d07a5e4c2b8d6f1a0e9c7b5d3f', '03b1c9d07a5e4c2b8d6f1a0e9c7b5d3f'])(
  'accepts a strong secret unchanged: %s',
  (jwtSecret) => {
    expect(readConfig({ JWT_SECRET: jwtSecret }).jwtSecret).toBe(jwtSecret);
  },
);

it('puts the port that the server listens on into links, unless they have a public address', () => {
  expect(withPort(readConfig({ PORT: '0' }), 3210)).toMatchObject({
    port: 3210,
    mailLinkUrl: 'http://127.0.0.1:3210',
  });
  const { mailLinkUrl } = withPort(readConfig({ PORT: '0', PUBLIC_URL: 'https://research.example' }), 3210);
  expect(mailLinkUrl).toBe('https://research.example');
});

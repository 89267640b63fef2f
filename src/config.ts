import path from 'node:path';
import { z } from 'zod';
import { StartError } from './lib/errors.ts';
import { REQUESTER_MODES, type RequesterMode } from './lib/requester-labels.ts';
import { trimCharactersEnd } from './lib/trim-characters.ts';
import { schemaWording } from './lib/schema-problems.ts';

const flag = z
  .enum(['true', 'false', '1', '0', 'yes', 'no'], { error: 'must be true or false' })
  .transform((value) => value === 'true' || value === '1' || value === 'yes');

const wholeNumber = (min: number, max: number) =>
  z
    .string()
    .regex(/^\d+$/, `must be a whole number from ${min} to ${max}`)
    .transform(Number)
    .pipe(z.int().min(min).max(max));

const httpUrl = z
  .url({ protocol: /^https?$/, error: 'must be an http:// or https:// address' })
  .transform((value) => trimCharactersEnd(value, /\//));

const splitList = (value: string): string[] =>
  value
    .split(',')
    .map((one) => one.trim())
    .filter(Boolean);

const MEGABYTE = 1024 * 1024;

const POSTGRES_URL = /^postgres(ql)?:\/\//;

const PLACEHOLDER =
  /change.?me|placeholder|your.?(jwt.?)?secret|^(secret|password|jwt.?secret|1234567890)|^0+$/i;

const schema = z.object({
  NODE_ENV: z.enum(['development', 'production', 'test']).default('development'),
  PORT: wholeNumber(0, 65_535).default(3000),
  HOST: z.string().default('127.0.0.1'),
  DATABASE_URL: z
    .string()
    .regex(POSTGRES_URL, 'must look like postgres://user:password@host:5432/database')
    .optional(),
  DATABASE_POOL_SIZE: wholeNumber(2, 500).default(10),
  DATABASE_REPLICA_URLS: z
    .string()
    .transform(splitList)
    .pipe(
      z.array(
        z
          .string()
          .refine(
            (url) => POSTGRES_URL.test(url) && URL.canParse(url),
            'must look like postgres://user:password@host:5432/database',
          ),
      ),
    )
    .optional(),
  DATA_DIR: z.string().default('./.data'),
  ADMIN_EMAIL: z.email().default('admin@canvass.local'),
  ADMIN_PASSWORD: z.string().min(8).max(1_024).optional(),
  ADMIN_API_KEY: z
    .string()
    .regex(/^cvs_[A-Za-z0-9]{48}$/, 'must be cvs_ followed by 48 letters or digits')
    .optional(),
  SEED_DEMO: flag.optional(),
  JWT_SECRET: z
    .string()
    .refine((value) => Buffer.byteLength(value) >= 32, 'must be at least 32 bytes')
    .refine(
      (value) => !PLACEHOLDER.test(value),
      'is a placeholder; generate a secret with: openssl rand -hex 32',
    )
    .optional(),
  BCRYPT_COST: wholeNumber(4, 15).default(12),
  STRICT_PASSWORDS: flag.default(false),
  ADMINS_PUBLISH_DASHBOARDS: flag.default(false),
  PUBLIC_URL: httpUrl.optional(),
  ALLOWED_ORIGINS: z.string().default('').transform(splitList).pipe(z.array(httpUrl)),
  TRUST_PROXY: wholeNumber(0, 10).default(0),
  RATE_LIMIT_GENERAL: wholeNumber(1, 1e9).default(1_000),
  RATE_LIMIT_AUTH: wholeNumber(1, 1e9).default(20),
  RATE_LIMIT_PUBLIC: wholeNumber(1, 1e9).default(20_000),
  KEEP_ALIVE_SECONDS: wholeNumber(1, 3_600).default(65),
  STREAM_TIMEOUT_SECONDS: wholeNumber(1, 86_400).default(3_600),
  RATE_LIMIT_UPLOAD: wholeNumber(1, 1e9).default(1_000),
  UPLOAD_SURVEY_DAILY_MB: wholeNumber(0, 1e9).default(5_000),
  UPLOAD_ORGANIZATION_MB: wholeNumber(0, 1e9).default(50_000),
  HSTS_DAYS: wholeNumber(0, 3_650).default(365),
  DISK_FREE_FLOOR_MB: wholeNumber(0, 1e9).default(500),
  REDIS_URL: z
    .string()
    .regex(/^rediss?:\/\//, 'must look like redis://user:password@host:6379')
    .optional(),
  JOB_CONCURRENCY: wholeNumber(0, 64).default(2),
  EXPORT_JOB_ROWS: wholeNumber(1, 1e9).default(500_000),
  DATASET_CACHE_MB: wholeNumber(16, 1_000_000).default(512),
  S3_BUCKET: z
    .string()
    .regex(/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/, 'must be a bucket name')
    .optional(),
  S3_ENDPOINT: httpUrl.optional(),
  S3_REGION: z.string().default('us-east-1'),
  S3_ACCESS_KEY_ID: z.string().optional(),
  S3_SECRET_ACCESS_KEY: z.string().optional(),
  S3_FORCE_PATH_STYLE: flag.optional(),
  SMTP_URL: z
    .string()
    .regex(/^smtps?:\/\//, 'must look like smtp://user:password@mail.example.org:587')
    .optional(),
  MAIL_FROM: z
    .string()
    .max(300)
    .regex(/^[^\r\n@]*@[^\r\n]*$/, 'must contain an email address')
    .optional(),
  MAIL_PER_SECOND: wholeNumber(1, 1_000).default(20),
  MAIL_DAILY_CAP: wholeNumber(1, 1e9).default(50_000),
  MAIL_CONNECTIONS: wholeNumber(1, 50).default(4),
  AI_STARTING_CREDITS: wholeNumber(0, 1e9).default(1_000),
  STRIPE_SECRET_KEY: z
    .string()
    .regex(/^(sk|rk)_\w+$/, 'must be a Stripe secret key (sk_…) or restricted key (rk_…)')
    .optional(),
  STRIPE_WEBHOOK_SECRET: z
    .string()
    .regex(/^whsec_\S+$/, 'must be a Stripe webhook signing secret (whsec_…)')
    .optional(),
  STRIPE_API_BASE: httpUrl
    .refine((value) => new URL(value).pathname === '/', 'must be an address without a path')
    .optional(),
  PAYMENT_SANDBOX: flag.default(false),
  OPENAI_API_KEY: z
    .string()
    .regex(/^[\x21-\x7e]{1,1000}$/, 'must be printable ASCII characters')
    .optional(),
  OPENAI_BASE_URL: httpUrl.optional(),
  OPENAI_MODEL: z.string().max(100).default('gpt-4.1-mini'),
  OPENAI_CONCURRENCY: wholeNumber(1, 64).default(4),
  OPENAI_TIMEOUT_SECONDS: wholeNumber(1, 290).default(120),
  DELETED_RETENTION_DAYS: wholeNumber(1, 3_650).default(30),
  BACKUP_DIR: z.string().optional(),
  BACKUP_EVERY_HOURS: wholeNumber(1, 8_760).default(24),
  BACKUP_KEEP: wholeNumber(1, 10_000).default(7),
  METRICS_TOKEN: z.string().min(16, 'must be at least 16 characters').optional(),
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
  LOG_REQUESTER: z.enum(REQUESTER_MODES).default('hashed'),
});

/** The environment variables that are read. */
export const SETTING_NAMES = Object.keys(schema.shape);

/** Checks settings that depend on each other. */
const checkedSchema = schema.superRefine((values, context) => {
  const needs = (name: keyof typeof values, other: keyof typeof values) => {
    if (values[name] !== undefined && values[other] === undefined)
      context.addIssue({ code: 'custom', path: [name], message: `needs ${other}` });
  };
  needs('DATABASE_REPLICA_URLS', 'DATABASE_URL');
  needs('SMTP_URL', 'MAIL_FROM');
  needs('S3_ENDPOINT', 'S3_BUCKET');
  needs('S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY');
  needs('S3_SECRET_ACCESS_KEY', 'S3_ACCESS_KEY_ID');
  needs('STRIPE_SECRET_KEY', 'STRIPE_WEBHOOK_SECRET');
  needs('STRIPE_WEBHOOK_SECRET', 'STRIPE_SECRET_KEY');
  needs('STRIPE_API_BASE', 'STRIPE_SECRET_KEY');
  // The sandbox gives away credits, so it must not run with real payments or in production.
  if (values.PAYMENT_SANDBOX && values.STRIPE_SECRET_KEY !== undefined)
    context.addIssue({
      code: 'custom',
      path: ['PAYMENT_SANDBOX'],
      message: 'must not be true together with STRIPE_SECRET_KEY',
    });
  if (values.PAYMENT_SANDBOX && values.NODE_ENV === 'production')
    context.addIssue({
      code: 'custom',
      path: ['PAYMENT_SANDBOX'],
      message: 'must not be true with NODE_ENV=production',
    });
});

/** The validated settings; docs/reference/settings.md explains each. */
export interface Config {
  environment: 'development' | 'production' | 'test';
  port: number;
  host: string;
  /** null: use the embedded server. */
  databaseUrl: string | null;
  databasePoolSize: number;
  /** Standby servers of the database; long reads go to them. */
  databaseReplicaUrls: string[];
  /** Absolute path. */
  dataDir: string;
  admin: { email: string; password: string | null; apiKey: string | null };
  seedDemo: boolean;
  /** null: generated in the data folder at the first start. */
  jwtSecret: string | null;
  bcryptCost: number;
  /** Whether the API refuses common passwords also where it only requires 8 characters. */
  strictPasswords: boolean;
  /** Whether only admins open a dashboard to people who are not signed in. */
  adminsPublishDashboards: boolean;
  /** Without a trailing slash; null: use the listening address. */
  publicUrl: string | null;
  /** Base address of links in mails: publicUrl, otherwise the listening address. Never the Host header of a request. */
  mailLinkUrl: string;
  allowedOrigins: string[];
  trustProxyHops: number;
  /** How long an idle connection stays open between two requests. */
  keepAliveSeconds: number;
  /** How long a client may take to read a streamed grid or file. */
  streamTimeoutSeconds: number;
  /** Requests per 15-minute window. */
  rateLimits: { general: number; auth: number; public: number; upload: number };
  /** Limits on files of respondents: uploaded to a survey per day (UTC), and stored for an organization. 0: no limit. */
  uploadLimits: { surveyDailyBytes: number; organizationBytes: number };
  /** Free disk space below which files are refused; 0: not checked. */
  diskFreeFloorBytes: number;
  /** null: each process counts rate limits separately. */
  redisUrl: string | null;
  /** Number of jobs that this process runs at the same time; 0: none. */
  jobConcurrency: number;
  /** An export with more rows than this runs as a job. */
  exportJobRows: number;
  datasetCacheBytes: number;
  /** null: files are stored in the data folder. */
  s3: S3Config | null;
  /** null: no mail is sent. `from`: an address, or a name followed by the address in angle brackets. */
  smtp: { url: string; from: string } | null;
  /** Limits on invitation mails: per second for the installation, per day (UTC) for an organization; SMTP connections per process. */
  mailLimits: { perSecond: number; perDay: number; connections: number };
  /** AI credits of a new organization. */
  aiStartingCredits: number;
  /** null: no payment provider. */
  stripe: StripeConfig | null;
  /** Credits can be ordered on a page of this server without payment; never together with Stripe or in production. */
  paymentSandbox: boolean;
  /** null: the built-in text analysis is used. */
  openAi: OpenAiConfig | null;
  /** How long deleted objects can be restored; then they are erased. */
  deletedRetentionDays: number;
  /** null: no automatic backups. `folder` is absolute; the newest `keep` backups are kept. */
  backups: { folder: string; everyHours: number; keep: number } | null;
  /** null: the metrics endpoint is disabled. */
  metricsToken: string | null;
  logLevel: string;
  /** How the request log names who sent a request. */
  logRequester: RequesterMode;
  /** How long browsers use https only, in days; 0: no such header. */
  hstsDays: number;
}

/** A language model behind OpenAI's API or a compatible one. */
interface OpenAiConfig {
  baseUrl: string;
  /** null: the server requires no key. */
  apiKey: string | null;
  model: string;
  /** Number of parallel calls of this process. */
  concurrency: number;
  /** Limit for the first byte of a reply, and for each pause in it. */
  timeoutSeconds: number;
}

/** The Stripe account that receives payments for credits. */
interface StripeConfig {
  secretKey: string;
  /** Verifies the signatures of Stripe's webhook events. */
  webhookSecret: string;
  /** scheme://host[:port]; null: Stripe's public API. */
  apiBase: string | null;
}

/** A bucket of an S3-compatible object store. */
interface S3Config {
  bucket: string;
  /** null: the AWS endpoint of the region. */
  endpoint: string | null;
  region: string;
  /** null: the SDK uses its default credential chain. */
  credentials: { accessKeyId: string; secretAccessKey: string } | null;
  forcePathStyle: boolean;
}

/** Reads the environment variables; an empty one counts as unset. Throws a StartError that lists every invalid value. */
export function readConfig(environment: Record<string, string | undefined>): Config {
  const given = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ''));
  const parsed = checkedSchema.safeParse(given, { error: schemaWording });
  if (!parsed.success) {
    const lines = parsed.error.issues.map((issue) => `  ${issue.path.join('.')} ${issue.message}`);
    throw new StartError(`The configuration is not valid:\n${lines.join('\n')}`);
  }
  const values = parsed.data;
  return {
    environment: values.NODE_ENV,
    port: values.PORT,
    host: values.HOST,
    databaseUrl: values.DATABASE_URL ?? null,
    databasePoolSize: values.DATABASE_POOL_SIZE,
    databaseReplicaUrls: values.DATABASE_REPLICA_URLS ?? [],
    dataDir: path.resolve(values.DATA_DIR),
    admin: {
      email: values.ADMIN_EMAIL,
      password: values.ADMIN_PASSWORD ?? null,
      apiKey: values.ADMIN_API_KEY ?? null,
    },
    seedDemo: values.SEED_DEMO ?? values.DATABASE_URL === undefined,
    jwtSecret: values.JWT_SECRET ?? null,
    bcryptCost: values.BCRYPT_COST,
    strictPasswords: values.STRICT_PASSWORDS,
    adminsPublishDashboards: values.ADMINS_PUBLISH_DASHBOARDS,
    publicUrl: values.PUBLIC_URL ?? null,
    mailLinkUrl: values.PUBLIC_URL ?? listeningUrl(values.HOST, values.PORT),
    allowedOrigins: values.ALLOWED_ORIGINS,
    trustProxyHops: values.TRUST_PROXY,
    rateLimits: {
      general: values.RATE_LIMIT_GENERAL,
      auth: values.RATE_LIMIT_AUTH,
      public: values.RATE_LIMIT_PUBLIC,
      upload: values.RATE_LIMIT_UPLOAD,
    },
    keepAliveSeconds: values.KEEP_ALIVE_SECONDS,
    streamTimeoutSeconds: values.STREAM_TIMEOUT_SECONDS,
    uploadLimits: {
      surveyDailyBytes: values.UPLOAD_SURVEY_DAILY_MB * MEGABYTE,
      organizationBytes: values.UPLOAD_ORGANIZATION_MB * MEGABYTE,
    },
    diskFreeFloorBytes: values.DISK_FREE_FLOOR_MB * MEGABYTE,
    redisUrl: values.REDIS_URL ?? null,
    jobConcurrency: values.JOB_CONCURRENCY,
    exportJobRows: values.EXPORT_JOB_ROWS,
    datasetCacheBytes: values.DATASET_CACHE_MB * MEGABYTE,
    s3: s3Config(values),
    smtp:
      values.SMTP_URL === undefined || values.MAIL_FROM === undefined
        ? null
        : { url: values.SMTP_URL, from: values.MAIL_FROM },
    mailLimits: {
      perSecond: values.MAIL_PER_SECOND,
      perDay: values.MAIL_DAILY_CAP,
      connections: values.MAIL_CONNECTIONS,
    },
    deletedRetentionDays: values.DELETED_RETENTION_DAYS,
    aiStartingCredits: values.AI_STARTING_CREDITS,
    stripe:
      values.STRIPE_SECRET_KEY === undefined || values.STRIPE_WEBHOOK_SECRET === undefined
        ? null
        : {
            secretKey: values.STRIPE_SECRET_KEY,
            webhookSecret: values.STRIPE_WEBHOOK_SECRET,
            apiBase: values.STRIPE_API_BASE ?? null,
          },
    paymentSandbox: values.PAYMENT_SANDBOX,
    openAi: openAiConfig(values),
    backups:
      values.BACKUP_DIR === undefined
        ? null
        : {
            folder: path.resolve(values.BACKUP_DIR),
            everyHours: values.BACKUP_EVERY_HOURS,
            keep: values.BACKUP_KEEP,
          },
    metricsToken: values.METRICS_TOKEN ?? null,
    logLevel: values.LOG_LEVEL,
    logRequester: values.LOG_REQUESTER,
    hstsDays: values.HSTS_DAYS,
  };
}

/** Returns the configuration of a server that listens on this port: links that are sent before it listens contain the port. */
export const withPort = (config: Config, port: number): Config => ({
  ...config,
  port,
  mailLinkUrl: config.publicUrl ?? listeningUrl(config.host, port),
});

const listeningUrl = (host: string, port: number): string => `http://${reachableHost(host)}:${port}`;

/** Returns a host that a link can use: localhost instead of a wildcard address, brackets around an IPv6 address. */
function reachableHost(host: string): string {
  if (host === '0.0.0.0' || host === '::') return 'localhost';
  return host.includes(':') ? `[${host}]` : host;
}

function openAiConfig(values: z.output<typeof schema>): OpenAiConfig | null {
  const { OPENAI_API_KEY: apiKey, OPENAI_BASE_URL: baseUrl } = values;
  if (apiKey === undefined && baseUrl === undefined) return null;
  return {
    baseUrl: baseUrl ?? 'https://api.openai.com/v1',
    apiKey: apiKey ?? null,
    model: values.OPENAI_MODEL,
    concurrency: values.OPENAI_CONCURRENCY,
    timeoutSeconds: values.OPENAI_TIMEOUT_SECONDS,
  };
}

function s3Config(values: z.output<typeof schema>): S3Config | null {
  const { S3_BUCKET: bucket, S3_ACCESS_KEY_ID: id, S3_SECRET_ACCESS_KEY: secret } = values;
  if (bucket === undefined) return null;
  return {
    bucket,
    endpoint: values.S3_ENDPOINT ?? null,
    region: values.S3_REGION,
    credentials:
      id === undefined || secret === undefined ? null : { accessKeyId: id, secretAccessKey: secret },
    forcePathStyle: values.S3_FORCE_PATH_STYLE ?? values.S3_ENDPOINT !== undefined,
  };
}

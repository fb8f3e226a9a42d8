import { join } from 'node:path'
import type { TermsVersion } from '@prosa/contracts/values/terms'
import type { S3Address } from '@prosa/kernel/files/s3-requests'
import type { Reach } from '@prosa/kernel/http/outbound/outbound'
import type { TracingSettings } from '@prosa/kernel/observability/tracing'
import { ConfigError } from '@prosa/kernel/process/config-error'
import { z } from 'zod'
import { type Budgets, defaultBudgets } from '../budgets.ts'
import { defaultPlanRules, type PlanRules, planRulesOf } from '../entitlements/plan-rules.ts'
import { listOf, orEmpty } from './environment-text.ts'
import { type KafkaCluster, kafkaEnvironment, kafkaOf } from './kafka-config.ts'
import { type PrivacyContact, type Seller, sellerEnvironment, sellerOf } from './seller-config.ts'

const secretText = /^[0-9a-f]{64,}$/i

/** As in the `Origin` header; undefined if invalid. */
const originOf = (address: string): string | undefined => {
  if (!URL.canParse(address)) return undefined
  const { protocol, origin } = new URL(address)
  return /^https?:$/.test(protocol) ? origin : undefined
}

const origins = z.string().transform((text, { addIssue }) =>
  listOf(text).flatMap((address) => {
    const origin = originOf(address)
    if (!origin) addIssue(`'${address}' is no address such as https://atendimento.example.com`)
    return origin ?? []
  }),
)

const budget = (name: keyof Budgets, max = Number.MAX_SAFE_INTEGER) =>
  orEmpty(z.coerce.number().int().min(1).max(max)).transform((set) => set ?? defaultBudgets[name])

const planRules = orEmpty(z.string()).transform((text, { addIssue }) => {
  const rules = text === undefined ? defaultPlanRules : planRulesOf(text)
  if (!rules) addIssue(`'${text}' is neither none nor plans such as free=100/1,pro=5000/3 (- for no limit)`)
  return rules ?? defaultPlanRules
})

/** `sessions=http://sessions:3000, …`; a name that is there twice has several instances. */
const processAddresses = z.string().transform((text, { addIssue }) =>
  listOf(text).flatMap((entry) => {
    const [name = '', url = ''] = entry.split('=')
    if (name && URL.canParse(url)) return { name, url }
    addIssue(`'${entry}' is no process such as sessions=http://sessions:3000`)
    return []
  }),
)

const environment = z.object({
  /** The development entry refuses 'production'; the other ignores it. */
  NODE_ENV: z.enum(['production', 'development', 'test']).default('development'),
  PROSA_HOST: z.string().default('127.0.0.1'),
  PROSA_PORT: z.coerce.number().int().min(0).max(65_535).default(3000),
  /** Holds the embedded database, the simulator's state and the generated secret. */
  PROSA_DATA_DIR: z.string().default('.prosa'),
  /** Files of messages, or the spool for S3; default: `files` in the data folder. */
  PROSA_FILES_DIR: orEmpty(z.string()),
  /** Journal of erasures; default: `.erasures.jsonl` in PROSA_FILES_DIR, else `erasures.jsonl` in the data folder. */
  PROSA_ERASURES_FILE: orEmpty(z.string()),
  /** Heads of the log's hash chain; default: beside the journal of erasures. Better on other storage. */
  PROSA_LOG_HEADS_FILE: orEmpty(z.string()),
  /** Without the bucket. Needs the next four. */
  PROSA_S3_ENDPOINT: orEmpty(z.url({ protocol: /^https?$/ })),
  PROSA_S3_REGION: orEmpty(z.string()),
  PROSA_S3_BUCKET: orEmpty(z.string().regex(/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/, 'is no name of a bucket')),
  PROSA_S3_ACCESS_KEY_ID: orEmpty(z.string()),
  PROSA_S3_SECRET_ACCESS_KEY: orEmpty(z.string()),
  /** Default: an embedded PostgreSQL. */
  DATABASE_URL: z.url().optional(),
  /** EventStoreDB for the log only. Must be chosen before the first event. */
  EVENTSTORE_URL: orEmpty(
    z
      .string()
      .regex(
        /^esdb(\+discover)?:\/\/\S+$/,
        'is an address such as esdb://user:password@host:2113, or esdb+discover://… for a cluster',
      )
      .refine(
        (url) => /tls=false/i.test(url) || /^[^/?]*\/\/[^/?:]+:[^/?]+@/.test(url),
        'names no user; or ends with ?tls=false',
      ),
  ),
  ...kafkaEnvironment,
  /** For limits, presence and ended sessions over many processes. */
  PROSA_REDIS_URL: orEmpty(
    z.url({ protocol: /^rediss?$/, error: 'is an address such as redis://:password@host:6379, or rediss://…' }),
  ),
  /** Default: generated into the data folder. */
  PROSA_SECRET: z.string().regex(secretText).optional(),
  /** Earlier secrets, comma-separated, until a log line reports that they can be removed. */
  PROSA_OLD_SECRETS: orEmpty(
    z.string().refine((text) => text.split(',').every((each) => secretText.test(each.trim())), {
      error: 'is one secret or several with commas, each of 64 or more hexadecimal digits',
    }),
  ),
  /** Allowed origins, comma-separated, e.g. `https://atendimento.example.com`. */
  PROSA_PUBLIC_URL: origins.default([]),
  /** Behind one proxy: the last entry of X-Forwarded-For is the visitor. */
  /** Identity's address within the network: other services then take its tokens instead of cookies. */
  PROSA_IDENTITY_URL: orEmpty(z.url({ protocol: /^https?$/ })),
  PROSA_TRUST_PROXY: z.stringbool().default(false),
  /** Loopback only, and not in production. */
  WA_WEBSOCKET_URL: z.string().optional(),
  /** `smtp://user:password@mail.example.com:587` or `smtps://…`; needs PROSA_MAIL_FROM. */
  PROSA_SMTP_URL: orEmpty(z.url({ protocol: /^smtps?$/ })),
  /** e.g. `Prosa <nao-responda@example.com>` */
  PROSA_MAIL_FROM: orEmpty(z.string()),
  PROSA_SUPPORT_EMAIL: orEmpty(z.email()),
  /** e.g. `(11) 4002-8922` */
  PROSA_SUPPORT_PHONE: orEmpty(
    z
      .string()
      .trim()
      .regex(/^[\d\s()+-]{8,30}$/, 'is no phone number such as (11) 4002-8922'),
  ),
  /** e.g. `https://wa.me/551140028922` */
  PROSA_SUPPORT_CHAT_URL: orEmpty(z.url({ protocol: /^https$/ })),
  /** E-mail addresses or account ids, comma-separated (docs/decisions/0011-roles.md). */
  PROSA_ADMIN_EMAILS: z.string().default(''),
  PROSA_ANALYST_EMAILS: z.string().default(''),
  /** Webhook /kiwify/payment/approved; two, comma-separated, during a change. */
  PROSA_KIWIFY_APPROVED_TOKENS: z.string().default(''),
  /** Webhook /kiwify/payment/refunded. Without tokens reports are refused. */
  PROSA_KIWIFY_REFUNDED_TOKENS: z.string().default(''),
  /** For the raw bodies of Kiwify's reports; their effects stay. */
  PROSA_DELIVERY_KEPT_DAYS: z.coerce.number().int().min(1).max(3650).default(180),
  /** Default: the plans on offer. */
  PROSA_UPGRADE_URL: orEmpty(z.url({ protocol: /^https$/ })),
  ...sellerEnvironment,
  /** `none`: payments are not required and nothing ends. */
  PROSA_PLAN_LIMITS: planRules,
  /** Default: true in production with mail. */
  PROSA_SENDING_NEEDS_CONFIRMED_EMAIL: orEmpty(z.stringbool()),
  /** Of each process, for the page that shows their health. */
  PROSA_PROCESSES: processAddresses.default([]),
  /** Permits /metrics from other machines. */
  PROSA_METRICS_TOKEN: orEmpty(z.string().regex(/^[\x21-\x7e]{16,}$/, 'at least 16 characters, no spaces')),
  /** Then the process ends anyway. */
  PROSA_DRAIN_SECONDS: z.coerce.number().int().min(1).max(600).default(25),
  // See `Budgets`.
  PROSA_MAX_CONNECTIONS: budget('connectionsPerTenant'),
  PROSA_MAX_LINKING: budget('linkingPerTenant'),
  PROSA_MAX_LINKING_PER_PROCESS: budget('linkingPerProcess'),
  PROSA_MAX_UPLOADED_BYTES_PER_DAY: budget('uploadedBytesPerDay'),
  PROSA_MAX_UPLOADED_FILES_PER_DAY: budget('uploadedFilesPerDay'),
  PROSA_MAX_KEPT_BYTES: budget('keptBytesPerTenant'),
  PROSA_MAX_FETCHES: budget('fetchesPerTenant'),
  PROSA_MAX_SOCKETS_PER_SESSION: budget('socketsPerSession'),
  PROSA_MAX_SOCKETS_PER_ADDRESS: budget('socketsPerAddress'),
  PROSA_MAX_SOCKET_EVENTS_PER_SECOND: budget('socketEventsPerSecond'),
  PROSA_MAX_LOOK_UPS_PER_LINE_HOUR: budget('lookUpsPerLineHour'),
  // Each contact's state contains the counted starts and messages.
  PROSA_MAX_FLOW_STARTS_PER_CONTACT: budget('flowStartsPerContact', 1000),
  PROSA_MAX_FLOW_MESSAGES_PER_CONTACT: budget('flowMessagesPerContact', 1000),
  PROSA_MAX_FLOW_REQUESTS_PER_DAY: budget('flowRequestsPerDay'),
  PROSA_MAX_CHANGES_PER_DAY: budget('changesPerDay'),
  PROSA_MAX_CHANGED_BYTES_PER_DAY: budget('changedBytesPerDay'),
  PROSA_MAX_DRAFT_BYTES_PER_DAY: budget('draftBytesPerDay'),
  PROSA_MAX_DRAFT_BYTES: budget('draftBytesPerTenant'),
  PROSA_MAX_PUBLISHED_BYTES_PER_DAY: budget('publishedBytesPerDay'),
  PROSA_MAX_PUBLISHED_BYTES: budget('publishedBytesPerTenant'),
  PROSA_MAX_KEPT_ANSWER_BYTES_PER_DAY: budget('keptAnswerBytesPerDay'),
  /** An OTLP collector, e.g. `http://127.0.0.1:4318`; without it nothing is traced. */
  OTEL_EXPORTER_OTLP_ENDPOINT: orEmpty(z.url({ protocol: /^https?$/ })),
  /** Share of traces that are sent, 0 to 1. */
  OTEL_TRACES_SAMPLER_ARG: orEmpty(z.coerce.number().min(0).max(1)),
  /** Default: `info` in production, else `warn`. */
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).optional(),
})

export interface DataConfig {
  dataDir: string
  databaseUrl: string | undefined
  eventStoreUrl: string | undefined
}

export interface Config extends DataConfig {
  production: boolean
  hostname: string
  port: number
  filesDir: string | undefined
  /** Outlives the database (docs/decisions/0068-backups.md). */
  erasuresFile: string
  headsFile: string
  /** Exists while a restore is not finished. */
  restoringFile: string
  s3: S3Address | undefined
  kafka: KafkaCluster | undefined
  redisUrl: string | undefined
  secret: string | undefined
  oldSecrets: string[]
  /** Links in mails lead to the first. */
  trustedOrigins: string[]
  trustProxy: boolean
  identityUrl: string | undefined
  webSocketUrl: string | undefined
  /** Only with simulated phones. */
  simulatorUrl?: string
  /** Where requests to addresses of users may go. No variable sets it: only hosts of development and tests do. */
  reach?: Reach
  supportEmail: string | undefined
  supportPhone: string | undefined
  supportChatUrl: string | undefined
  smtp: { url: string; from: string } | undefined
  /** Lower-case addresses or account ids. */
  roleList: { admin: string[]; analyst: string[] }
  kiwifyTokens: { approved: string[]; refunded: string[] }
  deliveryRetentionDays: number
  upgradeUrl: string | undefined
  seller: Seller
  privacy: PrivacyContact
  /** Of terms of use and privacy policy. */
  termsVersion: TermsVersion
  planRules: PlanRules
  sendingNeedsConfirmedEmail: boolean
  metricsToken: string | undefined
  processes: { name: string; url: string }[]
  budgets: Budgets
  drainSeconds: number
  tracing: TracingSettings | undefined
  logLevel: string
}

/** All variables are required, or none. */
const s3Of = (env: z.infer<typeof environment>): S3Address | undefined => {
  const {
    PROSA_S3_ENDPOINT: endpoint,
    PROSA_S3_REGION: region,
    PROSA_S3_BUCKET: bucket,
    PROSA_S3_ACCESS_KEY_ID: accessKeyId,
    PROSA_S3_SECRET_ACCESS_KEY: secretAccessKey,
  } = env
  if (endpoint && region && bucket && accessKeyId && secretAccessKey)
    return { endpoint, region, bucket, accessKeyId, secretAccessKey }
  if (endpoint ?? region ?? bucket ?? accessKeyId ?? secretAccessKey)
    throw new ConfigError(
      'For files in S3, set all of PROSA_S3_ENDPOINT, _REGION, _BUCKET, _ACCESS_KEY_ID and _SECRET_ACCESS_KEY.',
    )
  return undefined
}

/** Only development may show links in replies, generate a secret, trust unconfirmed addresses and simulate phones. */
export type Entry = 'production' | 'development'

const loopbackNames = new Set(['localhost', '127.0.0.1', '::1', '[::1]'])
const isLoopback = (hostname: string) => loopbackNames.has(hostname) || /^127(\.\d{1,3}){3}$/.test(hostname)

/** Otherwise anyone on the network could take over every account. */
const refuseOpenDevelopment = ({ NODE_ENV, PROSA_HOST, PROSA_PUBLIC_URL }: z.infer<typeof environment>): void => {
  if (NODE_ENV === 'production')
    throw new ConfigError('This program is for development; in production run all-in-one (npm run build).')
  if (!isLoopback(PROSA_HOST))
    throw new ConfigError(
      `PROSA_HOST: '${PROSA_HOST}' can be reached from other machines, and this program shows links that set passwords. ` +
        'Leave it at 127.0.0.1, or run the production build (npm run build).',
    )
  const open = PROSA_PUBLIC_URL.find((origin) => !isLoopback(new URL(origin).hostname))
  if (open)
    throw new ConfigError(
      `PROSA_PUBLIC_URL: '${open}' leads here from other machines, and this program shows links that set passwords. ` +
        'Run the production build behind it (npm run build).',
    )
}

const budgetsOf = (env: z.infer<typeof environment>): Budgets => ({
  connectionsPerTenant: env.PROSA_MAX_CONNECTIONS,
  linkingPerTenant: env.PROSA_MAX_LINKING,
  linkingPerProcess: env.PROSA_MAX_LINKING_PER_PROCESS,
  uploadedBytesPerDay: env.PROSA_MAX_UPLOADED_BYTES_PER_DAY,
  uploadedFilesPerDay: env.PROSA_MAX_UPLOADED_FILES_PER_DAY,
  keptBytesPerTenant: env.PROSA_MAX_KEPT_BYTES,
  fetchesPerTenant: env.PROSA_MAX_FETCHES,
  socketsPerSession: env.PROSA_MAX_SOCKETS_PER_SESSION,
  socketsPerAddress: env.PROSA_MAX_SOCKETS_PER_ADDRESS,
  socketEventsPerSecond: env.PROSA_MAX_SOCKET_EVENTS_PER_SECOND,
  lookUpsPerLineHour: env.PROSA_MAX_LOOK_UPS_PER_LINE_HOUR,
  flowStartsPerContact: env.PROSA_MAX_FLOW_STARTS_PER_CONTACT,
  flowMessagesPerContact: env.PROSA_MAX_FLOW_MESSAGES_PER_CONTACT,
  flowRequestsPerDay: env.PROSA_MAX_FLOW_REQUESTS_PER_DAY,
  changesPerDay: env.PROSA_MAX_CHANGES_PER_DAY,
  changedBytesPerDay: env.PROSA_MAX_CHANGED_BYTES_PER_DAY,
  draftBytesPerDay: env.PROSA_MAX_DRAFT_BYTES_PER_DAY,
  draftBytesPerTenant: env.PROSA_MAX_DRAFT_BYTES,
  publishedBytesPerDay: env.PROSA_MAX_PUBLISHED_BYTES_PER_DAY,
  publishedBytesPerTenant: env.PROSA_MAX_PUBLISHED_BYTES,
  keptAnswerBytesPerDay: env.PROSA_MAX_KEPT_ANSWER_BYTES_PER_DAY,
})

const parse = <S extends z.ZodType>(schema: S, variables: NodeJS.ProcessEnv): z.infer<S> => {
  const parsed = schema.safeParse(variables)
  if (parsed.success) return parsed.data
  const faults = parsed.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`)
  throw new ConfigError(`The environment does not fit:\n  ${faults.join('\n  ')}`)
}

const dataConfigOf = (
  env: Pick<z.infer<typeof environment>, 'PROSA_DATA_DIR' | 'DATABASE_URL' | 'EVENTSTORE_URL'>,
): DataConfig => ({
  dataDir: env.PROSA_DATA_DIR,
  databaseUrl: env.DATABASE_URL,
  eventStoreUrl: env.EVENTSTORE_URL,
})

/** For tools that ask only where the data are. */
export const readDataConfig = (variables: NodeJS.ProcessEnv = process.env): DataConfig =>
  dataConfigOf(parse(environment.pick({ PROSA_DATA_DIR: true, DATABASE_URL: true, EVENTSTORE_URL: true }), variables))

/** The only reader of the environment. Throws `ConfigError` with one line per invalid variable. */
export const readConfig = (entry: Entry, variables: NodeJS.ProcessEnv = process.env): Config => {
  const env = parse(environment, variables)
  const production = entry === 'production'
  if (!production) refuseOpenDevelopment(env)
  if (production && !env.PROSA_SECRET)
    throw new ConfigError('In production PROSA_SECRET must be set (64 hexadecimal digits).')
  const trustedOrigins = env.PROSA_PUBLIC_URL
  const { PROSA_SMTP_URL: url, PROSA_MAIL_FROM: from } = env
  if (url && !from) throw new ConfigError('With PROSA_SMTP_URL, PROSA_MAIL_FROM must name the sender of mails.')
  if (url && production && !trustedOrigins[0])
    throw new ConfigError('With PROSA_SMTP_URL in production, PROSA_PUBLIC_URL must name where links in mails lead.')
  const sendingNeedsConfirmedEmail = env.PROSA_SENDING_NEEDS_CONFIRMED_EMAIL ?? (production && url !== undefined)
  if (sendingNeedsConfirmedEmail && production && !url)
    throw new ConfigError(
      'With PROSA_SENDING_NEEDS_CONFIRMED_EMAIL, PROSA_SMTP_URL must be set: nobody could confirm an address otherwise.',
    )
  return {
    production,
    hostname: env.PROSA_HOST,
    port: env.PROSA_PORT,
    ...dataConfigOf(env),
    filesDir: env.PROSA_FILES_DIR,
    erasuresFile:
      env.PROSA_ERASURES_FILE ??
      // The folder of files can be written wherever the product runs; its hidden names are no files of messages.
      (env.PROSA_FILES_DIR ? join(env.PROSA_FILES_DIR, '.erasures.jsonl') : join(env.PROSA_DATA_DIR, 'erasures.jsonl')),
    headsFile:
      env.PROSA_LOG_HEADS_FILE ??
      (env.PROSA_FILES_DIR
        ? join(env.PROSA_FILES_DIR, '.log-heads.jsonl')
        : join(env.PROSA_DATA_DIR, 'log-heads.jsonl')),
    restoringFile: env.PROSA_FILES_DIR
      ? join(env.PROSA_FILES_DIR, '.restoring')
      : join(env.PROSA_DATA_DIR, 'restoring'),
    s3: s3Of(env),
    kafka: kafkaOf(env),
    redisUrl: env.PROSA_REDIS_URL,
    secret: env.PROSA_SECRET,
    oldSecrets: listOf(env.PROSA_OLD_SECRETS ?? ''),
    trustedOrigins,
    trustProxy: env.PROSA_TRUST_PROXY,
    identityUrl: env.PROSA_IDENTITY_URL,
    webSocketUrl: env.WA_WEBSOCKET_URL,
    smtp: url && from ? { url, from } : undefined,
    supportEmail: env.PROSA_SUPPORT_EMAIL,
    supportPhone: env.PROSA_SUPPORT_PHONE,
    supportChatUrl: env.PROSA_SUPPORT_CHAT_URL,
    roleList: {
      admin: listOf(env.PROSA_ADMIN_EMAILS.toLowerCase()),
      analyst: listOf(env.PROSA_ANALYST_EMAILS.toLowerCase()),
    },
    kiwifyTokens: {
      approved: listOf(env.PROSA_KIWIFY_APPROVED_TOKENS),
      refunded: listOf(env.PROSA_KIWIFY_REFUNDED_TOKENS),
    },
    deliveryRetentionDays: env.PROSA_DELIVERY_KEPT_DAYS,
    upgradeUrl: env.PROSA_UPGRADE_URL,
    ...sellerOf(env),
    planRules: env.PROSA_PLAN_LIMITS,
    sendingNeedsConfirmedEmail,
    metricsToken: env.PROSA_METRICS_TOKEN,
    budgets: budgetsOf(env),
    processes: env.PROSA_PROCESSES,
    drainSeconds: env.PROSA_DRAIN_SECONDS,
    tracing: env.OTEL_EXPORTER_OTLP_ENDPOINT
      ? { endpoint: env.OTEL_EXPORTER_OTLP_ENDPOINT, ratio: env.OTEL_TRACES_SAMPLER_ARG ?? 1 }
      : undefined,
    logLevel: env.LOG_LEVEL ?? (production ? 'info' : 'warn'),
  }
}

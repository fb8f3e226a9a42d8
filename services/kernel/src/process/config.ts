import { z } from 'zod'
import { type Budgets, defaultBudgets } from '../budgets.ts'
import { defaultPlanRules, type PlanRules, planRulesOf } from '../entitlements/plan-rules.ts'
import type { S3Address } from '../files/s3-requests.ts'

/** Compose files pass on what is not set as an empty text. */
const orEmpty = <S extends z.ZodType>(schema: S) =>
  z
    .literal('')
    .transform(() => undefined)
    .or(schema)
    .optional()

const listOf = (text: string): string[] =>
  text
    .split(',')
    .map((entry) => entry.trim())
    .filter(Boolean)

/** As browsers name it in `Origin`: in lower case, without a default port or anything behind; undefined when it is no address. */
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

/** A budget of `Budgets`: a whole number, at least 1; empty or absent: the default. */
const budget = (name: keyof Budgets, max = Number.MAX_SAFE_INTEGER) =>
  orEmpty(z.coerce.number().int().min(1).max(max)).transform((set) => set ?? defaultBudgets[name])

const planRules = orEmpty(z.string()).transform((text, { addIssue }) => {
  const rules = text === undefined ? defaultPlanRules : planRulesOf(text)
  if (!rules) addIssue(`'${text}' is neither none nor plans such as free=100/1,pro=5000/3 (- for no limit)`)
  return rules ?? defaultPlanRules
})

const environment = z.object({
  /** The development entry refuses to run where this is 'production'; the production entry is production whatever its value. */
  NODE_ENV: z.enum(['production', 'development', 'test']).default('development'),
  PROSA_HOST: z.string().default('127.0.0.1'),
  PROSA_PORT: z.coerce.number().int().min(0).max(65_535).default(3000),
  /** Where the embedded database, the simulator's state and the generated secret live. */
  PROSA_DATA_DIR: z.string().default('.prosa'),
  /** Where files of messages are kept, or on their way to PROSA_S3_ENDPOINT; without it `files` in the data folder. */
  PROSA_FILES_DIR: orEmpty(z.string()),
  /** A storage that speaks S3's protocol keeps the files instead: its address without the bucket. Then the next four are needed. */
  PROSA_S3_ENDPOINT: orEmpty(z.url({ protocol: /^https?$/ })),
  PROSA_S3_REGION: orEmpty(z.string()),
  PROSA_S3_BUCKET: orEmpty(z.string().regex(/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/, 'is no name of a bucket')),
  PROSA_S3_ACCESS_KEY_ID: orEmpty(z.string()),
  PROSA_S3_SECRET_ACCESS_KEY: orEmpty(z.string()),
  /** A PostgreSQL of your own (14 or newer); without it an embedded one is started. */
  DATABASE_URL: z.url().optional(),
  /** An EventStoreDB that keeps the log instead of PostgreSQL, which keeps the rest. To be chosen before the first event. */
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
  /** 64 or more hexadecimal digits: locks credentials and secrets. Without it one is made and kept in the data folder. */
  PROSA_SECRET: z
    .string()
    .regex(/^[0-9a-f]{64,}$/i)
    .optional(),
  /** After a change of PROSA_SECRET: the earlier ones, with commas, until a log line reports that they can be removed. */
  PROSA_OLD_SECRETS: orEmpty(z.string().regex(/^[0-9a-f]{64,}(\s*,\s*[0-9a-f]{64,})*$/i)),
  /** The public address, e.g. `https://atendimento.example.com`; several with commas. Browsers may send commands from there. */
  PROSA_PUBLIC_URL: origins.default([]),
  /** Behind one proxy that sets X-Forwarded-For or adds to it: its entry, the last one, is the visitor's address. */
  PROSA_TRUST_PROXY: z.stringbool().default(false),
  /** Another WhatsApp server, instead of the real one and the simulator; only a loopback address, and not in production. */
  WA_WEBSOCKET_URL: z.string().optional(),
  /** `smtp://user:password@mail.example.com:587` or `smtps://…`: where mails go out; with it, PROSA_MAIL_FROM is needed. */
  PROSA_SMTP_URL: orEmpty(z.url({ protocol: /^smtps?$/ })),
  /** The sender of mails, e.g. `Prosa <nao-responda@example.com>`. */
  PROSA_MAIL_FROM: orEmpty(z.string()),
  /** Where visitors and subscribers write to for help. */
  PROSA_SUPPORT_EMAIL: orEmpty(z.email()),
  /** The number that subscribers call for help, as the help centre shows it, e.g. `(11) 4002-8922`. */
  PROSA_SUPPORT_PHONE: orEmpty(
    z
      .string()
      .trim()
      .regex(/^[\d\s()+-]{8,30}$/, 'is no phone number such as (11) 4002-8922'),
  ),
  /** Where a live chat with the support opens, e.g. `https://wa.me/551140028922`. */
  PROSA_SUPPORT_CHAT_URL: orEmpty(z.url({ protocol: /^https$/ })),
  /** Who administers Prosa: e-mail addresses or ids of accounts, with commas (docs/decisions/0011-roles.md). */
  PROSA_ADMIN_EMAILS: z.string().default(''),
  /** Who may read events for analysis; written as PROSA_ADMIN_EMAILS. */
  PROSA_ANALYST_EMAILS: z.string().default(''),
  /** The token of the Kiwify webhook that leads to /kiwify/payment/approved; a second one, after a comma, while it is replaced. */
  PROSA_KIWIFY_APPROVED_TOKENS: z.string().default(''),
  /** The same of /kiwify/payment/refunded. Without tokens Kiwify's reports are refused; shorter than 10 characters, they are warned of. */
  PROSA_KIWIFY_REFUNDED_TOKENS: z.string().default(''),
  /** For how many days the raw bodies of Kiwify's reports are kept; what they led to stays. */
  PROSA_DELIVERY_KEPT_DAYS: z.coerce.number().int().min(1).max(3650).default(180),
  /** Where the button leads that offers a paid plan; without it, to the plans on offer. */
  PROSA_UPGRADE_URL: orEmpty(z.url({ protocol: /^https$/ })),
  /** Who sells the plans, as receipts name them; what is not set is left out. */
  PROSA_SELLER_NAME: orEmpty(z.string().trim().max(200)),
  /** CNPJ or CPF. */
  PROSA_SELLER_DOCUMENT: orEmpty(z.string().trim().max(40)),
  PROSA_SELLER_ADDRESS: orEmpty(z.string().trim().max(300)),
  PROSA_SELLER_EMAIL: orEmpty(z.email()),
  /**
   * Messages a month and connections of each plan; `none` where nobody has to pay, as in a business that runs Prosa for itself: then
   * nothing ends either.
   */
  PROSA_PLAN_LIMITS: planRules,
  /** Whether nothing is sent from an account whose address is not confirmed; unless given, in production where mails go out. */
  PROSA_SENDING_NEEDS_CONFIRMED_EMAIL: orEmpty(z.stringbool()),
  /** Who sends it as a bearer token may read /metrics from anywhere; without it, only who asks from this machine. */
  PROSA_METRICS_TOKEN: orEmpty(z.string().regex(/^[\x21-\x7e]{16,}$/, 'at least 16 characters, no spaces')),
  /** How long requests, messages and writes in hand may take to end after a signal, before the process ends all the same. */
  PROSA_DRAIN_SECONDS: z.coerce.number().int().min(1).max(600).default(25),
  // What one tenant, browser or address may take: `Budgets` in the kernel describes each one.
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
  // What counts is in the state of each contact: a limit of its size, too.
  PROSA_MAX_FLOW_STARTS_PER_CONTACT: budget('flowStartsPerContact', 1000),
  PROSA_MAX_FLOW_MESSAGES_PER_CONTACT: budget('flowMessagesPerContact', 1000),
  PROSA_MAX_CHANGES_PER_DAY: budget('changesPerDay'),
  PROSA_MAX_CHANGED_BYTES_PER_DAY: budget('changedBytesPerDay'),
  PROSA_MAX_DRAFT_BYTES_PER_DAY: budget('draftBytesPerDay'),
  PROSA_MAX_DRAFT_BYTES: budget('draftBytesPerTenant'),
  PROSA_MAX_PUBLISHED_BYTES_PER_DAY: budget('publishedBytesPerDay'),
  PROSA_MAX_PUBLISHED_BYTES: budget('publishedBytesPerTenant'),
  PROSA_MAX_KEPT_ANSWER_BYTES_PER_DAY: budget('keptAnswerBytesPerDay'),
  /** Without it: `info` in production, `warn` where somebody looks at the terminal. */
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).optional(),
})

/** The environment does not fit; the message names what to change. */
export class ConfigError extends Error {
  override name = 'ConfigError'
}

export interface Config {
  production: boolean
  hostname: string
  port: number
  dataDir: string
  /** Undefined: a folder in the data folder. */
  filesDir: string | undefined
  /** Keeps files instead of the folder; undefined: the folder does. */
  s3: S3Address | undefined
  databaseUrl: string | undefined
  /** Undefined: the log is in PostgreSQL too. */
  eventStoreUrl: string | undefined
  secret: string | undefined
  oldSecrets: string[]
  /** The first one is where links in mails lead. */
  trustedOrigins: string[]
  trustProxy: boolean
  webSocketUrl: string | undefined
  /** Where the simulated phones of this process are, beside the real network; only a host that has some sets it. */
  simulatorUrl?: string
  /** Where visitors and subscribers write to for help; undefined: no address is shown. */
  supportEmail: string | undefined
  /** The number that subscribers call for help; undefined: none is shown. */
  supportPhone: string | undefined
  /** Where a live chat with the support opens; undefined: there is none. */
  supportChatUrl: string | undefined
  /** Where and as whom to send mail; undefined: no mail goes out. */
  smtp: { url: string; from: string } | undefined
  /** By role, addresses in lower case or ids of accounts. */
  roleList: { admin: string[]; analyst: string[] }
  kiwifyTokens: { approved: string[]; refunded: string[] }
  deliveriesKeptDays: number
  upgradeUrl: string | undefined
  /** Who sells the plans, as receipts name them. */
  seller: {
    name: string
    document: string | undefined
    address: string | undefined
    email: string | undefined
  }
  planRules: PlanRules
  /** Nothing is sent from an account whose address is not confirmed. */
  sendingNeedsConfirmedEmail: boolean
  metricsToken: string | undefined
  budgets: Budgets
  drainSeconds: number
  logLevel: string
}

/** The storage of files, all of it or nothing of it. */
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

/**
 * Which program was started. Only the development entry may show links in replies, make its own secret, trust unconfirmed
 * addresses and contain simulated phones; no variable turns the production entry into it.
 */
export type Entry = 'production' | 'development'

const loopbackNames = new Set(['localhost', '127.0.0.1', '::1', '[::1]'])
const isLoopback = (hostname: string) => loopbackNames.has(hostname) || /^127(\.\d{1,3}){3}$/.test(hostname)

/** What development permits would hand every account to whoever reaches it from another machine. */
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

/**
 * The one place where a process reads its environment. Throws `ConfigError` with a line for each variable that does not fit,
 * and where the development entry could be reached from another machine.
 */
export const readConfig = (entry: Entry, variables: NodeJS.ProcessEnv = process.env): Config => {
  const parsed = environment.safeParse(variables)
  if (!parsed.success) {
    const faults = parsed.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`)
    throw new ConfigError(`The environment does not fit:\n  ${faults.join('\n  ')}`)
  }
  const env = parsed.data
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
    dataDir: env.PROSA_DATA_DIR,
    filesDir: env.PROSA_FILES_DIR,
    s3: s3Of(env),
    databaseUrl: env.DATABASE_URL,
    eventStoreUrl: env.EVENTSTORE_URL,
    secret: env.PROSA_SECRET,
    oldSecrets: listOf(env.PROSA_OLD_SECRETS ?? ''),
    trustedOrigins,
    trustProxy: env.PROSA_TRUST_PROXY,
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
    deliveriesKeptDays: env.PROSA_DELIVERY_KEPT_DAYS,
    upgradeUrl: env.PROSA_UPGRADE_URL,
    seller: {
      name: env.PROSA_SELLER_NAME || 'Prosa',
      document: env.PROSA_SELLER_DOCUMENT,
      address: env.PROSA_SELLER_ADDRESS,
      email: env.PROSA_SELLER_EMAIL,
    },
    planRules: env.PROSA_PLAN_LIMITS,
    sendingNeedsConfirmedEmail,
    metricsToken: env.PROSA_METRICS_TOKEN,
    budgets: {
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
      changesPerDay: env.PROSA_MAX_CHANGES_PER_DAY,
      changedBytesPerDay: env.PROSA_MAX_CHANGED_BYTES_PER_DAY,
      draftBytesPerDay: env.PROSA_MAX_DRAFT_BYTES_PER_DAY,
      draftBytesPerTenant: env.PROSA_MAX_DRAFT_BYTES,
      publishedBytesPerDay: env.PROSA_MAX_PUBLISHED_BYTES_PER_DAY,
      publishedBytesPerTenant: env.PROSA_MAX_PUBLISHED_BYTES,
      keptAnswerBytesPerDay: env.PROSA_MAX_KEPT_ANSWER_BYTES_PER_DAY,
    },
    drainSeconds: env.PROSA_DRAIN_SECONDS,
    logLevel: env.LOG_LEVEL ?? (production ? 'info' : 'warn'),
  }
}

import { z } from 'zod'

const environment = z.object({
  /** 'production' switches off the simulator and everything that only development may do. */
  NODE_ENV: z.enum(['production', 'development', 'test']).default('development'),
  PROSA_HOST: z.string().default('127.0.0.1'),
  PROSA_PORT: z.coerce.number().int().min(0).max(65_535).default(3000),
  /** Where the embedded database, the simulator's state and the generated secret live. */
  PROSA_DATA_DIR: z.string().default('.prosa'),
  /** A PostgreSQL of your own (14 or newer); without it an embedded one is started. */
  DATABASE_URL: z.url().optional(),
  /** 64 or more hexadecimal digits: locks credentials and secrets. Without it one is made and kept in the data folder. */
  PROSA_SECRET: z
    .string()
    .regex(/^[0-9a-f]{64,}$/i)
    .optional(),
  /** The public address, e.g. `https://atendimento.example.com`; several with commas. Browsers may send commands from there. */
  PROSA_PUBLIC_URL: z.string().optional(),
  /** Behind a proxy that sets X-Forwarded-For. */
  PROSA_TRUST_PROXY: z.stringbool().default(false),
  /** Another WhatsApp server than the real one; only a loopback address, and not in production. */
  WA_WEBSOCKET_URL: z.string().optional(),
  /** Without it: `info` in production, `warn` where somebody looks at the terminal. */
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).optional(),
})

/** The environment does not fit; the message says what to change. */
export class ConfigError extends Error {
  override name = 'ConfigError'
}

export interface Config {
  production: boolean
  hostname: string
  port: number
  dataDir: string
  databaseUrl: string | undefined
  secret: string | undefined
  trustedOrigins: string[]
  trustProxy: boolean
  webSocketUrl: string | undefined
  logLevel: string
}

/** The one place where a process reads its environment. Throws `ConfigError` with a line for each variable that does not fit. */
export const readConfig = (variables: NodeJS.ProcessEnv = process.env): Config => {
  const parsed = environment.safeParse(variables)
  if (!parsed.success) {
    const faults = parsed.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`)
    throw new ConfigError(`The environment does not fit:\n  ${faults.join('\n  ')}`)
  }
  const env = parsed.data
  const production = env.NODE_ENV === 'production'
  if (production && !env.PROSA_SECRET)
    throw new ConfigError('In production PROSA_SECRET must be set (64 hexadecimal digits).')
  return {
    production,
    hostname: env.PROSA_HOST,
    port: env.PROSA_PORT,
    dataDir: env.PROSA_DATA_DIR,
    databaseUrl: env.DATABASE_URL,
    secret: env.PROSA_SECRET,
    trustedOrigins: (env.PROSA_PUBLIC_URL ?? '')
      .split(',')
      .map((origin) => origin.trim())
      .filter(Boolean),
    trustProxy: env.PROSA_TRUST_PROXY,
    webSocketUrl: env.WA_WEBSOCKET_URL,
    logLevel: env.LOG_LEVEL ?? (production ? 'info' : 'warn'),
  }
}

import { addSecurityHeaders } from '@prosa/kernel/http/security-headers'
import { createLog } from '@prosa/kernel/observability/log'
import { fileErasureJournal } from '@prosa/kernel/privacy/erasure-journal'
import { ConfigError } from '@prosa/kernel/process/config-error'
import { orExplain } from '@prosa/kernel/process/explain'
import { openFiles } from '@prosa/kernel/process/open-files'
import { runUntilStopped } from '@prosa/kernel/process/run-until-stopped'
import type { FastifyInstance } from 'fastify'
import { administration } from '../administration/administration.ts'
import type { Ports, Service } from '../ports.ts'
import { type Config, type Entry, readConfig } from './config.ts'
import { openPorts, type ReadSide } from './open-ports.ts'
import { refuseUnfinishedRestore } from './unfinished-restore.ts'

export interface RunServicesOptions {
  /** 'production' by default. */
  entry?: Entry
  /** Before the services' routes; by default security headers only. */
  prepare?: (app: FastifyInstance, ports: Ports, config: Config) => Promise<void>
}

/** Runs services as their own process over a shared database. */
export const runServices = (
  wire: (config: Config) => readonly Service[],
  readSide: ReadSide,
  { entry = 'production', prepare = addSecurityHeaders }: RunServicesOptions = {},
): Promise<never> =>
  orExplain(async () => {
    const config = readConfig(entry)
    const { databaseUrl, secret } = config
    if (databaseUrl === undefined || secret === undefined)
      throw new ConfigError(
        'One service alone shares database and secret with the others: set DATABASE_URL and PROSA_SECRET.',
      )
    refuseUnfinishedRestore(config.restoringFile)
    const log = createLog(config.logLevel)
    const services = [administration, ...wire(config)]
    // Identity has the table.
    const hasSessions = services.some(({ name }) => name === 'identity')
    const ports = await openPorts({
      databaseUrl,
      masterSecret: Buffer.from(secret, 'hex'),
      log,
      readSide,
      services,
      earlierSecrets: config.oldSecrets,
      eventStoreUrl: config.eventStoreUrl,
      redisUrl: config.redisUrl,
      files: openFiles(config),
      erasures: fileErasureJournal(config.erasuresFile),
      budgets: config.budgets,
      planRules: config.planRules,
      sendingNeedsConfirmedEmail: config.sendingNeedsConfirmedEmail,
      ...(config.identityUrl !== undefined && !hasSessions && { tokensOf: config.identityUrl }),
    })
    await runUntilStopped(
      services,
      ports,
      { ...config, prepare: (app) => prepare(app, ports, config) },
      { ready: ({ url }) => log.info({ url }, 'ready'), stopped: async () => undefined },
    )
  })

import { setTimeout as delay } from 'node:timers/promises'
import { type Host, type HostOptions, host } from '../host.ts'
import type { Logger } from '../observability/log.ts'
import { startTracing, type TracingSettings } from '../observability/tracing.ts'
import { drain } from '../operations/drain.ts'
import type { Ports, Service } from '../ports.ts'
import type { OpenPorts } from './open-ports.ts'

export interface StopSignals {
  /** The reason: a signal, or the launcher's end. */
  asked: Promise<string>
  /** At least a second after the first. */
  insisted: Promise<string>
}

/** Terminal and launcher may both send one Ctrl-C. */
const echoMs = 1000

export const stopSignals = (): StopSignals => {
  let onSignal: (why: string) => void = () => undefined
  const next = () =>
    new Promise<string>((resolve) => {
      onSignal = resolve
    })
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => onSignal(signal))
  const asked = next()
  if (process.channel) process.once('disconnect', () => onSignal('the launcher ended'))
  const insisted = asked.then(async () => {
    await delay(echoMs, undefined, { ref: false })
    return next()
  })
  return { asked, insisted }
}

export interface RunOptions extends HostOptions {
  drainSeconds: number
  /** Undefined: off. */
  tracing?: TracingSettings | undefined
}

/** The message names what remained. */
export class DrainCutShort extends Error {
  override name = 'DrainCutShort'
}

/** A part ended by itself. */
export class PartEnded extends Error {
  override name = 'PartEnded'
}

/** The state is unknown; Node would print the error with what it quotes. */
const endOnUncaught = (log: Logger): void => {
  process.on('uncaughtException', (error) => {
    log.fatal({ err: error }, 'unhandled error, the process ends')
    process.exit(1)
  })
}

/** Share of the drain time. */
const shareForRequests = 0.4

/**
 * Ends on a signal, the launcher's end or a failed part. Throws `DrainCutShort` on a second signal or timeout, `PartEnded` after the drain.
 */
export const runUntilStopped = async <P extends Ports>(
  services: readonly Service<P>[],
  ports: P & Pick<OpenPorts, 'close'>,
  options: RunOptions,
  { ready, stopped }: { ready: (host: Host) => void; stopped: () => Promise<void> },
): Promise<void> => {
  const { log } = ports
  const { drainSeconds } = options
  const requestGraceMs = Math.min(10_000, drainSeconds * 1000 * shareForRequests)
  const signals = stopSignals()
  endOnUncaught(log)
  const { step, unfinished, throwFailure } = drain(log)
  const over = new AbortController()
  let running: Host | undefined
  let begin: (why: string) => void = () => undefined
  const begun = new Promise<string>((resolve) => {
    begin = resolve
  })
  void signals.asked.then(begin)

  const runAndDrain = async () => {
    const tracing = await startTracing(options.tracing, log)
    const started = await host(services, ports, { ...options, requestGraceMs })
    running = started
    ready(started)
    let broken: string | undefined
    void started.broken.then((name) => {
      broken = name
      begin(`${name} ended`)
    })
    log.info({ why: await begun }, 'stopping')
    await step('services', () => started.stop())
    await step('database connections', () => ports.close())
    await step('database', stopped)
    await step('traces', () => tracing.stop())
    if (broken !== undefined)
      throw new PartEnded(`${broken} ended by itself, and the process with it; the log has the cause.`)
    throwFailure()
  }

  const cutShort = async () => {
    await begun
    const timeOver = delay(drainSeconds * 1000, `${drainSeconds} s are over`, { signal: over.signal })
    const why = await Promise.race([timeOver, signals.insisted.then((signal) => `${signal} came again`)])
    const hanging = running ? [...new Set([...running.unfinished(), ...unfinished()])] : ['the start']
    log.fatal({ why, unfinished: hanging }, 'ended before everything had ended')
    throw new DrainCutShort(`Ended by force (${why}); not ended were: ${hanging.join(', ')}.`)
  }

  const whole = runAndDrain()
  const cut = cutShort()
  // The loser must not be an unhandled rejection.
  for (const each of [whole, cut]) each.catch(() => undefined)
  try {
    await Promise.race([whole, cut])
  } finally {
    over.abort()
  }
}

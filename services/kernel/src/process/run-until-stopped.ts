import { setTimeout as delay } from 'node:timers/promises'
import { type Host, type HostOptions, host } from '../host.ts'
import type { Logger } from '../observability/log.ts'
import { drain } from '../operations/drain.ts'
import type { Service } from '../ports.ts'
import type { OpenPorts } from './open-ports.ts'
import { stopSignals } from './stop-signals.ts'

export interface RunOptions extends HostOptions {
  /** How long everything together may take to end. */
  drainSeconds: number
}

/** The process ends although something had not; the message names it. */
export class DrainCutShort extends Error {
  override name = 'DrainCutShort'
}

/** The process ends because a part of it ended that should run for as long as it does. */
export class PartEnded extends Error {
  override name = 'PartEnded'
}

/** Nobody knows what state such an error leaves behind. Left to itself, Node would print it whole, with what it quotes. */
const endOnUncaught = (log: Logger): void => {
  process.on('uncaughtException', (error) => {
    log.fatal({ err: error }, 'nobody caught this, the process ends')
    process.exit(1)
  })
}

/** Requests may take this share of the time; the rest is for what they started. */
const shareForRequests = 0.4

/**
 * Runs the services until a signal comes, the launcher goes away or a part of them breaks, then drains in order: host, ports,
 * database. Resolves when the process may end. Throws `DrainCutShort` when a second signal comes or the time is over first,
 * and `PartEnded` after the drain when that is why it stopped.
 */
export const runUntilStopped = async (
  services: readonly Service[],
  ports: OpenPorts,
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
  // Whichever loses has nobody who listens.
  for (const each of [whole, cut]) each.catch(() => undefined)
  try {
    await Promise.race([whole, cut])
  } finally {
    over.abort()
  }
}

import { setTimeout as delay } from 'node:timers/promises'

export interface StopSignals {
  /** Resolves with the reason: a signal, or the end of the launcher. */
  asked: Promise<string>
  /** Resolves when a signal comes once more, a second or longer after the first. */
  insisted: Promise<string>
}

/** One press of Ctrl-C may arrive twice: from the terminal, and passed on by whoever started us. */
const echoMs = 1000

/** Listens to what asks this process to end. */
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

import { setTimeout as delay } from 'node:timers/promises'

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

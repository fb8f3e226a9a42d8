import { Writable } from 'node:stream'
import { createLog, type Logger } from '../observability/log.ts'

export interface CapturedLog {
  log: Logger
  output(): string
  lines(): Record<string, unknown>[]
}

/** The real log, all levels. */
export const capturedLog = (): CapturedLog => {
  let output = ''
  const destination = new Writable({
    write(chunk, _, done) {
      output += chunk
      done()
    },
  })
  return {
    log: createLog('trace', destination),
    output: () => output,
    lines: () =>
      output
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line)),
  }
}

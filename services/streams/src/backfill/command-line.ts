import { parseArgs } from 'node:util'
import { instant } from '@prosa/contracts/values/instant'
import type { Position } from '@prosa/kernel/event-store/port'
import { ConfigError } from '@prosa/kernel/process/config-error'
import type { Range } from './range.ts'

export const usage = `npm run backfill -- <topic> [options]

Writes published events of the log into a topic of its own, in the Kafka of KAFKA_BROKERS, each once and in order per key. Prosa may run.

  --service contacts    only of this service; may be repeated
  --type <type>         only of this type, as in ce_type; may be repeated
  --after <position>    behind this position, as in ce_position
  --up-to <position>    up to this position
  --since <instant>     recorded then or later: 2026-11-21 or 2026-11-21T14:30:00-03:00
  --until <instant>     recorded before

The end of the log when it began, unless another is named. Interrupted, the same command goes on.
`

const flags = {
  service: { type: 'string', multiple: true },
  type: { type: 'string', multiple: true },
  after: { type: 'string' },
  'up-to': { type: 'string' },
  since: { type: 'string' },
  until: { type: 'string' },
  help: { type: 'boolean', default: false },
} as const

const parse = (args: readonly string[]) => {
  try {
    return parseArgs({ args: [...args], options: flags, allowPositionals: true })
  } catch (error) {
    throw new ConfigError(`${error instanceof Error ? error.message : error}\n\n${usage}`)
  }
}

const instantOf = (flag: string, text: string | undefined): string | undefined => {
  if (text === undefined) return undefined
  const time = new Date(text)
  if (!/^\d{4}-\d\d-\d\d(T.*(Z|[+-]\d\d:\d\d))?$/.test(text) || Number.isNaN(time.getTime()))
    throw new ConfigError(`${flag}: '${text}' is no instant such as 2026-11-21 or 2026-11-21T14:30:00-03:00.`)
  return instant.parse(time.toISOString())
}

const positionOf = (flag: string, text: string | undefined): Position | undefined => {
  if (text !== undefined && !/^[\d:./-]{1,60}$/.test(text))
    throw new ConfigError(`${flag}: '${text}' is no position such as those in ce_position.`)
  return text as Position | undefined
}

/** Undefined: help was asked for. Throws `ConfigError`. */
export const readBackfill = (args: readonly string[]): { topic: string; range: Range } | undefined => {
  const { values, positionals } = parse(args)
  if (values.help) return undefined
  const [topic, ...others] = positionals
  if (topic === undefined || others.length > 0) throw new ConfigError(usage)
  if (!/^[\w.-]{1,249}$/.test(topic)) throw new ConfigError(`'${topic}' is no name of a topic.`)
  return {
    topic,
    range: {
      services: values.service ?? [],
      types: values.type ?? [],
      after: positionOf('--after', values.after),
      upTo: positionOf('--up-to', values['up-to']),
      since: instantOf('--since', values.since),
      until: instantOf('--until', values.until),
    },
  }
}

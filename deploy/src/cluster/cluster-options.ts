import { parseArgs } from 'node:util'
import { ConfigError } from '@prosa/kernel/process/config-error'
import { type ProcessName, processes, processNames } from '../topology/processes.ts'
import type { Counts } from './plan.ts'

export const usage = `npm run cluster -- [--port 3000] [--base-port 4000] [--without-redis] [--without-caddy]
                   ${processNames.map((name) => `[--${name} ${processes[name].instances}]`).join(' ')}
npm run cluster status      what a running cluster does: processes, consumers, lines
`

export interface ClusterOptions {
  /** Of the gateway. */
  port: number | undefined
  /** The processes' ports count from here; by default any free ones. */
  basePort: number | undefined
  counts: Counts
  usesRedis: boolean
  usesCaddy: boolean
}

const numberOf = (name: string, text: string, min: number, max: number): number => {
  const value = Number(text)
  if (!Number.isInteger(value) || value < min || value > max)
    throw new ConfigError(`--${name}: '${text}' is no number from ${min} to ${max}\n${usage}`)
  return value
}

const parse = (args: readonly string[]) => {
  const counts = Object.fromEntries(processNames.map((name) => [name, { type: 'string' as const }]))
  const options = {
    ...counts,
    port: { type: 'string' as const },
    'base-port': { type: 'string' as const },
    'without-redis': { type: 'boolean' as const },
    'without-caddy': { type: 'boolean' as const },
  }
  try {
    return parseArgs({ args: [...args], options }).values as Record<string, string | boolean | undefined>
  } catch (error) {
    throw new ConfigError(`${error instanceof Error ? error.message : error}\n${usage}`)
  }
}

/** Throws `ConfigError` with how it is used. */
export const readClusterOptions = (args: readonly string[]): ClusterOptions => {
  const values = parse(args)
  const given = (name: string, min: number, max: number) => {
    const text = values[name]
    return typeof text === 'string' ? numberOf(name, text, min, max) : undefined
  }
  const counts = processNames.map((name) => [name, given(name, 1, 20) ?? processes[name].instances])
  return {
    port: given('port', 1, 65_535),
    basePort: given('base-port', 1, 65_000),
    counts: Object.fromEntries(counts) as Record<ProcessName, number>,
    usesRedis: values['without-redis'] !== true,
    usesCaddy: values['without-caddy'] !== true,
  }
}

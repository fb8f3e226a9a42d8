import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { Writable } from 'node:stream'
import { silentLog } from '@prosa/kernel/observability/log'
import { ConfigError } from '@prosa/kernel/process/config-error'
import { readKafkaConfig } from '@prosa/product/process/kafka-config'
import { kafkaPublisher } from '../publisher/kafka/kafka-publisher.ts'
import { kafkaSettings } from '../publisher/kafka/kafka-settings.ts'
import { OtherWriterRecords, PublishingFailed } from '../publisher/port.ts'
import { type FormatName, type Options, optionsOf, usage } from './options.ts'
import { csv, type FileFormat, ndjson, parquet } from './outputs/file-format.ts'
import { fileOutput } from './outputs/file-output.ts'
import { kafkaOutput, replayMarks } from './outputs/kafka-output.ts'
import type { Output, Reached } from './outputs/output.ts'
import { ReaderGone, streamOutput } from './outputs/stream-output.ts'
import { showProgress, type Terminal } from './progress.ts'
import { fingerprintOf, type Question } from './question.ts'
import { replay } from './replay.ts'
import { ReplayError, UsageError } from './replay-error.ts'

export interface Surroundings {
  env: NodeJS.ProcessEnv
  /** Relative paths are seen from here. */
  cwd: string
  stdout: Writable
  stderr: Terminal
}

export const exitCodes = { complete: 0, failed: 1, usage: 2, interrupted: 130 } as const

const formatOf = (name: FormatName, { types }: Question): FileFormat =>
  ({ ndjson, csv: csv(types), parquet: parquet(types) })[name]

const keyOf = async ({ keyFile }: Options, { env, cwd }: Surroundings): Promise<string> => {
  const text =
    keyFile === undefined
      ? env.PROSA_KEY
      : await readFile(resolve(cwd, keyFile), 'utf8').catch(() => {
          throw new UsageError(`--key-file: '${keyFile}' não pode ser lido.`)
        })
  const key = text?.trim()
  if (!key) throw new UsageError('Falta a chave: PROSA_KEY ou --key-file. Ela é criada no Prosa, na página Dados.')
  if (!/^[\x21-\x7e]+$/.test(key)) throw new UsageError('A chave tem caracteres que nenhuma chave tem.')
  return key
}

const openOutputOf = (options: Options, { env, cwd, stdout }: Surroundings): (() => Promise<Output>) => {
  const { destination, question, overwrite, brokers } = options
  const fingerprint = fingerprintOf(question)
  if (destination.kind === 'stream') return async () => streamOutput(stdout, formatOf(destination.format, question))
  if (destination.kind === 'file') {
    const { path, format } = destination
    const settings = {
      path: resolve(cwd, path),
      format: formatOf(format, question),
      fingerprint: `${format} ${fingerprint}`,
    }
    return () => fileOutput({ ...settings, overwrite })
  }
  const cluster = readKafkaConfig({ ...env, ...(brokers !== undefined && { KAFKA_BROKERS: brokers }) })
  if (!cluster) throw new UsageError('Diga onde está o Kafka com --brokers ou KAFKA_BROKERS.')
  const publisher = kafkaPublisher(kafkaSettings(cluster), silentLog(), replayMarks)
  return () => kafkaOutput(publisher, destination.topic, fingerprint)
}

const isPlain = (url: string) =>
  url.startsWith('http:') && !/^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(new URL(url).hostname)

const continuationOf = (options: Options, reached: Reached | undefined): string => {
  if (options.destination.kind !== 'stream') return 'O mesmo comando continua daqui.'
  return reached ? `Continue com --from ${reached.after}` : 'Nada foi escrito.'
}

const countOf = (reached: Reached | undefined) => `${(reached?.events ?? 0).toLocaleString('pt-BR')} eventos`

const run = async (options: Options, surroundings: Surroundings, signal: AbortSignal): Promise<number> => {
  const { question, isLive, speed, quiet } = options
  const key = await keyOf(options, surroundings)
  const openOutput = openOutputOf(options, surroundings)
  const { stderr } = surroundings
  const end = isLive ? undefined : Date.parse(question.until ?? new Date().toISOString())
  let reached: Reached | undefined
  const show = showProgress(quiet ? { write: () => true } : stderr, () => ({
    ...{ events: reached?.events ?? 0, time: reached?.time, end, speed },
    first: question.since ?? reached?.first,
  }))
  const report = (sentence: string) => (quiet ? stderr.write(`${sentence}\n`) : show.report(sentence))
  if (isPlain(question.url)) report('Atenção: com http:// a chave e os dados vão sem criptografia.')
  let isFirst = true
  const onReached = (now: Reached | undefined) => {
    if (isFirst && now) report(`Continuando depois de ${countOf(now)}.`)
    isFirst = false
    reached = now
  }
  try {
    const asked = { question, key, isLive, speed, openOutput, onReached, onTrouble: report }
    const replayed = await replay(asked, signal)
    show.end()
    if (replayed.isComplete) {
      stderr.write(`Completo: ${countOf(replayed.reached)}.\n`)
      return exitCodes.complete
    }
    stderr.write(`Interrompido depois de ${countOf(replayed.reached)}. ${continuationOf(options, replayed.reached)}\n`)
    return exitCodes.interrupted
  } catch (error) {
    show.end()
    if (!(error instanceof ReaderGone)) throw error
    stderr.write(`Quem lia a saída parou. ${continuationOf(options, reached)}\n`)
    return exitCodes.interrupted
  }
}

const sentenceOf = (error: unknown): string => {
  if (error instanceof ReplayError) return error.message
  if (error instanceof ConfigError) return `A configuração do Kafka não serve: ${error.message}`
  if (error instanceof OtherWriterRecords)
    return `O tópico tem outros eventos no fim (${error.message}): escolha outro.`
  if (error instanceof PublishingFailed) return `O Kafka não aceitou os eventos: ${error.message}.`
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}

/** The command: prints what happened, and returns the exit code. */
export const runReplay = async (
  args: readonly string[],
  surroundings: Surroundings,
  signal: AbortSignal,
): Promise<number> => {
  const { env, stdout, stderr } = surroundings
  try {
    const options = optionsOf(args, env)
    if (options) return await run(options, surroundings, signal)
    stdout.write(usage)
    return exitCodes.complete
  } catch (error) {
    stderr.write(`${sentenceOf(error)}\n`)
    if (!(error instanceof UsageError)) return exitCodes.failed
    stderr.write('--help diz tudo o que há.\n')
    return exitCodes.usage
  }
}

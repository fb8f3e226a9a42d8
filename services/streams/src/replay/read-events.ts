import { once } from 'node:events'
import { request as httpRequest, type IncomingMessage } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { pipeline, type Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import type { Problem } from '@prosa/contracts/http/problem'
import type { PublishedEvent } from '@prosa/contracts/published/published-of'
import { backoffMs } from '@prosa/kernel/async/backoff'
import { pause } from '@prosa/kernel/async/pause'
import { addressOf, type Question } from './question.ts'
import { ReplayError } from './replay-error.ts'

export interface ReadEvent {
  /** As it came, without the end of line. */
  line: string
  /** `position` is the token to go on from. */
  event: PublishedEvent
}

export interface Reading {
  question: Question
  key: string
  /** Go on behind this position instead of the question's own. */
  after: string | undefined
  /** Never ends by itself. */
  isLive: boolean
  signal: AbortSignal
  /** Before each pause; a sentence. */
  onTrouble: (sentence: string) => void
  pauseMs?: (failures: number) => number
}

/** In a row, without an event between them: some five minutes. */
const maxFailures = 14
/** Where nothing ever came: the address is more likely wrong than away. */
const maxFirstFailures = 3
const usualPause = { firstMs: 500, maxMs: 30_000 }
const connectMs = 30_000
/** Passing over events of other kinds sends nothing; live answers have a blank line every 25 s. */
const idleMs = 15 * 60_000
const liveIdleMs = 90_000
const maxProblemBytes = 100_000

/** Arrays of whole lines, in order, each event once. Throws `ReplayError` for what a repetition does not change. */
export async function* readEvents(reading: Reading): AsyncGenerator<ReadEvent[]> {
  const { isLive, signal, onTrouble, pauseMs = (failures) => backoffMs(failures, usualPause) } = reading
  let { after } = reading
  let max = maxFirstFailures
  for (let failures = 0; !signal.aborted; failures++) {
    try {
      for await (const events of readAnswer({ ...reading, after })) {
        max = maxFailures
        if (events.length === 0) continue
        yield events
        after = events.at(-1)?.event.position
        failures = 0
      }
      // A live answer ends where its process does.
      if (!isLive) return
    } catch (error) {
      if (signal.aborted) return
      if (error instanceof ReplayError || failures >= max) throw explained(error, reading.question.url)
      onTrouble(`${reasonOf(error)}; tentando de novo`)
    }
    await pause(pauseMs(failures), signal)
  }
}

class Busy extends Error {}

const codeOf = (error: unknown) => (error instanceof Error && 'code' in error ? String(error.code) : '')

const reasons: Record<string, string> = {
  ECONNREFUSED: 'ninguém atende neste endereço',
  ENOTFOUND: 'este endereço não existe',
  EAI_AGAIN: 'o nome do endereço não pôde ser procurado',
  ETIMEDOUT: 'o Prosa não respondeu a tempo',
  ECONNRESET: 'a conexão caiu',
  Z_BUF_ERROR: 'a conexão caiu',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'o certificado do endereço não é de confiança',
  CERT_HAS_EXPIRED: 'o certificado do endereço venceu',
}

const reasonOf = (error: unknown): string => {
  if (error instanceof Busy) return error.message
  return reasons[codeOf(error)] ?? (error instanceof Error ? error.message : String(error))
}

const explained = (error: unknown, url: string): ReplayError =>
  error instanceof ReplayError ? error : new ReplayError(`${url}: ${reasonOf(error)}.`, { cause: error })

const ask = async ({ question, key, after, isLive, signal }: Reading): Promise<IncomingMessage> => {
  const address = addressOf(question, after, isLive)
  const request = (address.protocol === 'https:' ? httpsRequest : httpRequest)(address, {
    signal,
    headers: { authorization: `Bearer ${key}`, accept: 'application/x-ndjson', 'accept-encoding': 'gzip' },
  })
  request.setTimeout(connectMs, () => {
    if (!request.socket?.connecting) return
    request.destroy(Object.assign(new Error('no connection'), { code: 'ETIMEDOUT' }))
  })
  request.end()
  const [response] = (await once(request, 'response')) as [IncomingMessage]
  response.setTimeout(isLive ? liveIdleMs : idleMs, () =>
    response.destroy(Object.assign(new Error('nothing came'), { code: 'ETIMEDOUT' })),
  )
  return response
}

const bodyOf = (response: IncomingMessage): Readable => {
  if (response.headers['content-encoding'] !== 'gzip') return response
  // Its errors are those of what is read.
  return pipeline(response, createGunzip(), () => undefined)
}

const titleOf = async (response: IncomingMessage): Promise<string | undefined> => {
  let text = ''
  for await (const chunk of bodyOf(response)) {
    text += String(chunk)
    if (text.length > maxProblemBytes) return undefined
  }
  try {
    const { type, title, errors } = JSON.parse(text) as Partial<Problem>
    if (type === 'key_required') return 'O Prosa não reconhece esta chave.'
    if (typeof title !== 'string') return undefined
    const faults = (errors ?? []).map(({ field, message }) => `${field}: ${message}`)
    return [title, ...faults].join(' ')
  } catch {
    return undefined
  }
}

const refuseOther = async (response: IncomingMessage, { url }: Question): Promise<void> => {
  const { statusCode = 0, headers } = response
  if (statusCode === 200 && headers['content-type']?.startsWith('application/x-ndjson')) return
  const title = await titleOf(response)
  if (statusCode === 429 || statusCode >= 500) throw new Busy(title ?? `o Prosa respondeu ${statusCode}`)
  if (statusCode >= 300 && statusCode < 400)
    throw new ReplayError(`${url} leva a ${headers.location ?? 'outro endereço'}: use esse endereço.`)
  throw new ReplayError(title ?? `${url} respondeu ${statusCode} e não parece ser um Prosa.`)
}

/** What stands behind the last end of line was cut short, and comes again. */
async function* readAnswer(reading: Reading): AsyncGenerator<ReadEvent[]> {
  const response = await ask(reading)
  await refuseOther(response, reading.question)
  let rest = ''
  const decoder = new TextDecoder()
  for await (const chunk of bodyOf(response)) {
    const lines = (rest + decoder.decode(chunk as Buffer, { stream: true })).split('\n')
    rest = lines.pop() ?? ''
    yield lines.filter((line) => line !== '').map((line) => ({ line, event: eventIn(line) }))
  }
  if (rest !== '') throw Object.assign(new Error('cut short'), { code: 'ECONNRESET' })
}

const eventIn = (line: string): PublishedEvent => {
  try {
    const event = JSON.parse(line)
    if (typeof event.position === 'string' && typeof event.time === 'string') return event
  } catch {
    // Its failure is thrown below.
  }
  throw new ReplayError('O endereço respondeu com algo que não é um evento do Prosa.')
}

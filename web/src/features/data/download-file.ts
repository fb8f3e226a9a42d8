import { ApiProblem } from '../../lib/http/http.ts'
import type { Format } from './question.ts'
import { cutShort, isAborted, openStream } from './read-stream.ts'

export interface Progress {
  bytes: number
  /** Of NDJSON only; else null. */
  rows: number | null
  /** `time` of the last event, ISO 8601; null where it is not known. */
  reached: string | null
}

/** Kept in memory where the browser lends no file. */
const maxInMemoryBytes = 200 * 1024 * 1024
const prefix = 'prosa-dados-'
/** A browser may still be copying a younger one to where the user wants it. */
const leftoverMs = 60 * 60 * 1000

interface Target {
  write(piece: Uint8Array<ArrayBuffer>): Promise<void> | void
  /** The file, whole. */
  finish(): Promise<Blob>
  discard(): Promise<void>
}

const inMemory = (): Target => {
  const pieces: Uint8Array<ArrayBuffer>[] = []
  let bytes = 0
  return {
    write(piece) {
      bytes += piece.byteLength
      if (bytes > maxInMemoryBytes) throw tooLarge()
      pieces.push(piece)
    },
    finish: async () => new Blob(pieces),
    discard: async () => void pieces.splice(0),
  }
}

const tooLarge = () =>
  new ApiProblem(
    0,
    'too_large',
    'Este navegador só guarda até 200 MB de cada vez. Escolha menos dias, ou use um dos comandos abaixo.',
  )
/** Of a server of before. */
const otherFormat = () =>
  new ApiProblem(0, 'other_format', 'Este Prosa ainda não escreve neste formato. Baixe como NDJSON.')
const diskFull = () =>
  new ApiProblem(0, 'disk_full', 'Não há espaço no navegador para este arquivo. Escolha menos dias, ou use um comando.')

/** A file of the browser's own disk space: memory does not grow with it. Undefined where the browser has none. */
const onDisk = async (): Promise<Target | undefined> => {
  const directory = await navigator.storage?.getDirectory?.().catch(() => undefined)
  if (!directory) return undefined
  await removeLeftovers(directory)
  const name = `${prefix}${Date.now()}-${Math.random().toString(36).slice(2)}`
  const handle = await directory.getFileHandle(name, { create: true })
  if (!('createWritable' in handle)) {
    await directory.removeEntry(name)
    return undefined
  }
  const file = await handle.createWritable()
  return {
    write: (piece) => file.write(piece),
    async finish() {
      await file.close()
      return handle.getFile()
    },
    async discard() {
      await file.abort().catch(() => undefined)
      await directory.removeEntry(name)
    },
  }
}

const removeLeftovers = async (directory: FileSystemDirectoryHandle) => {
  const entries = directory as unknown as { keys(): AsyncIterable<string> }
  for await (const name of entries.keys()) {
    const begunMs = Number(name.slice(prefix.length).split('-')[0])
    if (name.startsWith(prefix) && Date.now() - begunMs > leftoverMs)
      await directory.removeEntry(name).catch((error: unknown) => console.warn('a download was left over', error))
  }
}

const timeIn = (line: string): string | null => {
  try {
    const { time } = JSON.parse(line) as { time?: unknown }
    return typeof time === 'string' ? time : null
  } catch {
    // A line in two pieces; the next one tells.
    return null
  }
}

const newline = 10

/** Counts rows of NDJSON, and knows when the last one was recorded. */
const counter = (isLines: boolean) => {
  const progress: Progress = { bytes: 0, rows: isLines ? 0 : null, reached: null }
  const decoder = new TextDecoder()
  return (piece: Uint8Array): Progress => {
    progress.bytes += piece.byteLength
    if (!isLines) return { ...progress }
    let rows = 0
    for (const byte of piece) if (byte === newline) rows++
    progress.rows = (progress.rows ?? 0) + rows
    const end = piece.lastIndexOf(newline)
    const start = piece.lastIndexOf(newline, end - 1)
    if (end > 0) progress.reached = timeIn(decoder.decode(piece.subarray(start + 1, end))) ?? progress.reached
    return { ...progress }
  }
}

/** Saves with the browser's own 'Downloads'. */
const hand = (file: Blob, name: string) => {
  const address = URL.createObjectURL(file)
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(address), 60_000)
}

const asProblem = (error: unknown): unknown => {
  if (error instanceof ApiProblem || isAborted(error)) return error
  if (error instanceof DOMException && error.name === 'QuotaExceededError') return diskFull()
  return cutShort()
}

interface Wish {
  path: string
  name: string
  format: Format
  signal: AbortSignal
  onProgress: (progress: Progress) => void
}

/** Throws `ApiProblem` or the abort; nothing is left behind then. */
export const downloadFile = async ({ path, name, format, signal, onProgress }: Wish): Promise<Progress> => {
  const { body, headers } = await openStream(path, signal)
  if (!headers.get('content-type')?.includes(format)) {
    // Not waited for: what is left of the answer does not matter.
    body.cancel().catch((error: unknown) => console.warn('an answer could not be left', error))
    throw otherFormat()
  }
  const count = counter(format === 'ndjson')
  const target = (await onDisk()) ?? inMemory()
  let progress = count(new Uint8Array())
  const reader = (body as ReadableStream<Uint8Array<ArrayBuffer>>).getReader()
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) break
      await target.write(value)
      progress = count(value)
      onProgress(progress)
    }
    hand(await target.finish(), name)
    return progress
  } catch (error) {
    await reader.cancel().catch(() => undefined)
    await target.discard()
    throw asProblem(error)
  }
}

import { type FileHandle, open, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { processIdentity } from '@prosa/kernel/process-identity'
import { ReplayError } from '../replay-error.ts'
import type { FileFormat } from './file-format.ts'
import { type Output, type Reached, reachedWith } from './output.ts'

/** Beside the output while it is incomplete. */
export const stateFileOf = (path: string): string => `${path}.resume`

interface State {
  fingerprint: string
  /** Of the process that writes; empty once it ended by itself. */
  writer: string
  reached: Reached | null
  /** So much of the file is whole; what is behind it is cut off. */
  bytes: number
  format: unknown
}

export interface FileOutputSettings {
  path: string
  format: FileFormat
  /** Of question and format. */
  fingerprint: string
  /** Begins anew, whatever is there. */
  overwrite: boolean
  saveMs?: number
}

const usualSaveMs = 1000

const readState = async (path: string): Promise<State | undefined> => {
  const text = await readFile(stateFileOf(path), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw fileFault(stateFileOf(path), error)
  })
  if (text === undefined) return undefined
  try {
    const state = JSON.parse(text)
    if (typeof state.fingerprint === 'string' && typeof state.bytes === 'number') return state
  } catch {
    // Its failure is thrown below.
  }
  throw new ReplayError(`${stateFileOf(path)} está danificado: comece de novo com --overwrite.`)
}

const saveState = async (path: string, state: State) => {
  const draft = `${stateFileOf(path)}.draft`
  await writeFile(draft, JSON.stringify(state), { flush: true })
  await rename(draft, stateFileOf(path))
}

const faults: Record<string, string> = {
  EACCES: 'sem permissão para escrever',
  EPERM: 'sem permissão para escrever',
  ENOENT: 'esta pasta não existe',
  ENOTDIR: 'esta pasta não existe',
  EISDIR: 'é uma pasta',
  ENOSPC: 'o disco está cheio',
  EROFS: 'o disco só permite leitura',
}

const fileFault = (path: string, error: unknown): ReplayError => {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  return new ReplayError(`${path}: ${faults[code] ?? (error instanceof Error ? error.message : error)}.`, {
    cause: error,
  })
}

const sizeOf = async (path: string) => (await stat(path).catch(() => undefined))?.size

/** Where the file may be continued; undefined: from its beginning. */
const continued = async ({ path, fingerprint, overwrite }: FileOutputSettings): Promise<State | undefined> => {
  const state = await readState(path).catch((error: unknown) => {
    if (overwrite) return undefined
    throw error
  })
  if (state?.writer && (await processIdentity(Number(state.writer.split(' ')[0]))) === state.writer)
    throw new ReplayError(`${path}: outra reprodução (processo ${state.writer.split(' ')[0]}) ainda escreve nele.`)
  if (overwrite) return undefined
  const size = await sizeOf(path)
  if (!state) {
    if (size === undefined) return undefined
    throw new ReplayError(`${path} já existe. Escolha outro nome, ou --overwrite para substituí-lo.`)
  }
  if (state.fingerprint !== fingerprint)
    throw new ReplayError(
      `${path} foi começado com outra pergunta. Repita aquela, escolha outro nome, ou use --overwrite para recomeçar.`,
    )
  if ((size ?? 0) < state.bytes)
    throw new ReplayError(`${path} foi encurtado desde a interrupção: recomece com --overwrite.`)
  return state
}

/**
 * A file with its state beside it: killed at any moment, the next run cuts off what is not whole and goes on. Throws `ReplayError`.
 */
export const fileOutput = async (settings: FileOutputSettings): Promise<Output> => {
  const { path, fingerprint, format, saveMs = usualSaveMs } = settings
  const before = await continued(settings)
  const writer = format(before && before.bytes > 0 ? before.format : undefined)
  const identity = (await processIdentity(process.pid)) ?? ''
  let file: FileHandle
  try {
    file = await open(path, before ? 'r+' : 'w')
  } catch (error) {
    throw fileFault(path, error)
  }
  let bytes = before?.bytes ?? 0
  let reached = before?.reached ?? undefined
  let savedAt = 0
  /** Part of what was to be written may be there: the state stays as it was. */
  let isBroken = false

  const append = async (part: Uint8Array | string) => {
    const content = typeof part === 'string' ? Buffer.from(part) : part
    for (let written = 0; written < content.length; ) {
      const { bytesWritten } = await file.write(content, written, content.length - written, bytes)
      written += bytesWritten
      bytes += bytesWritten
    }
  }
  const save = async (writerNow = identity) => {
    await file.datasync()
    const state = { fingerprint, writer: writerNow, reached: reached ?? null, bytes, format: writer.state() }
    await saveState(path, state)
    savedAt = performance.now()
  }
  const orFault = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      return await work()
    } catch (error) {
      isBroken = true
      throw fileFault(path, error)
    }
  }

  await orFault(async () => {
    await file.truncate(bytes)
    await save()
  })
  return {
    begun: reached,
    write: (events) =>
      orFault(async () => {
        await append(writer.add(events))
        reached = reachedWith(reached, events)
        if (!writer.isCollecting() && performance.now() - savedAt > saveMs) await save()
      }),
    close: (isComplete) =>
      orFault(async () => {
        try {
          if (isBroken) return reached
          await append(writer.flush())
          await save('')
          await append(writer.end())
          await file.datasync()
        } finally {
          await file.close()
        }
        if (isComplete || !reached) await rm(stateFileOf(path))
        // Such as after a wrong key.
        if (!isComplete && !reached) await rm(path)
        return reached
      }),
  }
}

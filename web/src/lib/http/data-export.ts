import type { HistoryExport } from '@prosa/contracts/http/history'
import { addressOf, call } from './call.ts'
import { ApiProblem, afterPurpose, offline, problemIn } from './http.ts'

export type ExportTarget =
  | { kind: 'account' }
  | { kind: 'contact'; contactId: string }
  | { kind: 'user'; userId: string; reason: string | undefined }
  | { kind: 'history'; asked: HistoryExport }
  | { kind: 'list'; file: FoundFile }

/** What is searched for is in its body, not in its address. */
export interface FoundFile {
  address: string
  body: object
}

interface Options {
  signal: AbortSignal
  onProgress: (bytes: number) => void
}

const betweenReportsMs = 200
const stallMs = 60_000
/** Blobs of this size, which browsers may move to disk. */
const partBytes = 8 * 1024 * 1024
const revokedAfterMs = 60_000

/** The permission is recorded. Returns the file's address. */
const requestExport = async (target: Exclude<ExportTarget, { kind: 'history' | 'list' }>): Promise<string> => {
  if (target.kind === 'user') {
    const { userId, reason } = target
    const { id } = await call('POST /api/admin/users/:id/exports', { params: { id: userId }, body: { reason } })
    return addressOf('GET /api/admin/users/:id/exports/:exportId', { params: { id: userId, exportId: id } })
  }
  const body = target.kind === 'contact' ? { contactId: target.contactId } : {}
  const { id } = await call('POST /api/exports', { body })
  return addressOf('GET /api/exports/:id', { params: { id } })
}

const cutOff = () =>
  new ApiProblem(
    0,
    'cut_off',
    'A cópia parou no meio, e nada dela foi guardado. Verifique sua internet e tente de novo.',
  )

/** Throws an `ApiProblem` for a truncated file. */
const received = async (
  body: ReadableStream<Uint8Array>,
  type: string,
  { signal, onProgress }: Options,
): Promise<Blob> => {
  const reader = body.getReader()
  const parts: Blob[] = []
  let [chunks, chunkBytes, bytes, reportedAt]: [BlobPart[], number, number, number] = [[], 0, 0, 0]
  const stop = () => void reader.cancel().catch(() => undefined)
  signal.addEventListener('abort', stop)
  let stall: ReturnType<typeof setTimeout> | undefined
  let isStalled = false
  const watch = () => {
    clearTimeout(stall)
    stall = setTimeout(() => {
      isStalled = true
      stop()
    }, stallMs)
  }
  try {
    for (;;) {
      watch()
      const { done, value } = await reader.read().catch(() => {
        throw cutOff()
      })
      if (isStalled || signal.aborted) throw cutOff()
      if (done) break
      chunks.push(value as Uint8Array<ArrayBuffer>)
      chunkBytes += value.length
      bytes += value.length
      if (chunkBytes >= partBytes) {
        parts.push(new Blob(chunks))
        chunks = []
        chunkBytes = 0
      }
      if (performance.now() - reportedAt < betweenReportsMs) continue
      reportedAt = performance.now()
      onProgress(bytes)
    }
  } finally {
    clearTimeout(stall)
    signal.removeEventListener('abort', stop)
  }
  return new Blob([...parts, ...chunks], { type })
}

const fileName = (response: Response): string =>
  /filename="([^"]+)"/.exec(response.headers.get('content-disposition') ?? '')?.[1] ?? 'prosa-dados.zip'

export const saveFile = (file: Blob, name: string): void => {
  const address = URL.createObjectURL(file)
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(address), revokedAfterMs)
}

const posted = ({ address, body }: FoundFile): { address: string } & RequestInit => ({
  address,
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
})

const requestOf = async (target: ExportTarget): Promise<{ address: string } & RequestInit> => {
  if (target.kind === 'list') return posted(target.file)
  if (target.kind !== 'history') return { address: await requestExport(target) }
  const { asked } = target
  return posted({ address: addressOf('POST /api/admin/history/export', { body: asked }), body: asked })
}

const download = async (target: ExportTarget, options: Options): Promise<void> => {
  const { address, ...sent } = await requestOf(target)
  const { signal } = options
  const open = async () => {
    const response = await fetch(address, { ...sent, credentials: 'same-origin', cache: 'no-store', signal }).catch(
      () => {
        throw offline()
      },
    )
    if (!response.ok || !response.body) throw problemIn(response.status, await response.json().catch(() => undefined))
    const type = response.headers.get('content-type') ?? 'application/zip'
    return { body: response.body, type, name: fileName(response) }
  }
  const { body, type, name } = await afterPurpose(open, true)
  saveFile(await received(body, type, options), name)
}

/** A plain link would leave refusals and truncated files to the browser. An aborted signal is no failure. */
export const downloadExport = async (target: ExportTarget, options: Options): Promise<'saved' | 'cancelled'> => {
  try {
    await download(target, options)
    return 'saved'
  } catch (error) {
    if (options.signal.aborted) return 'cancelled'
    throw error
  }
}

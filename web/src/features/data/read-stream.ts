import { ApiProblem, offline, problemIn } from '../../lib/http/http.ts'

export const isAborted = (error: unknown): boolean => error instanceof DOMException && error.name === 'AbortError'

/** The answer as it comes; throws `ApiProblem`, or the abort. */
export const openStream = async (path: string, signal: AbortSignal): Promise<Response & { body: ReadableStream }> => {
  const response = await fetch(path, { credentials: 'same-origin', cache: 'no-store', signal }).catch(
    (error: unknown) => {
      throw isAborted(error) ? error : offline()
    },
  )
  if (!response.ok) throw problemIn(response.status, await response.json().catch(() => undefined))
  if (!response.body) throw problemIn(response.status, undefined)
  return response as Response & { body: ReadableStream }
}

/** Whole lines; blank ones only show that the connection is alive. */
export async function* linesOf(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const reader = body.pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>).getReader()
  let rest = ''
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) break
      const lines = `${rest}${value}`.split('\n')
      rest = lines.pop() ?? ''
      for (const line of lines) if (line !== '') yield line
    }
    if (rest !== '') yield rest
  } finally {
    await reader.cancel().catch(() => undefined)
  }
}

export type Row = Record<string, unknown>

/** At most `max` rows of NDJSON; then the answer is left. */
export const firstRows = async (path: string, max: number, signal: AbortSignal): Promise<Row[]> => {
  const { body } = await openStream(path, signal)
  const rows: Row[] = []
  try {
    for await (const line of linesOf(body)) {
      rows.push(JSON.parse(line) as Row)
      if (rows.length >= max) break
    }
  } catch (error) {
    throw isAborted(error) || error instanceof ApiProblem ? error : cutShort()
  }
  return rows
}

export const cutShort = (): ApiProblem =>
  new ApiProblem(0, 'offline', 'A resposta parou no meio: a conexão caiu, ou a sessão terminou. Tente de novo.')

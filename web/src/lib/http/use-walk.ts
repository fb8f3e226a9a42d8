import type { WalkPart } from '@prosa/contracts/http/what-if/walk'
import { useCallback, useEffect, useRef, useState } from 'react'
import { ApiProblem } from './http.ts'
import { pauseFor } from './server-reach.ts'

export interface Walk<Part extends WalkPart> {
  /** What came so far, in order. */
  parts: readonly Part[]
  status: 'none' | 'going' | 'stopped' | 'over' | 'failed'
  error: Error | null
  begin: (ask: (after: string) => Promise<Part>) => void
  /** Keeps what came; a part under way is not waited for. */
  stop: () => void
}

type State<Part extends WalkPart> = Pick<Walk<Part>, 'parts' | 'status' | 'error'>

/** After a 429 the server says when the next part may be asked for. */
const patiently = async <Part>(ask: () => Promise<Part>, signal: AbortSignal): Promise<Part> => {
  for (;;) {
    try {
      return await ask()
    } catch (error) {
      if (!(error instanceof ApiProblem) || error.status !== 429 || error.retryAfterSeconds === null) throw error
      await pauseFor(1000 * error.retryAfterSeconds, signal)
    }
  }
}

/** Asks for part after part until there is none, or until it is stopped, begun anew or left. */
export const useWalk = <Part extends WalkPart>(): Walk<Part> => {
  const [state, setState] = useState<State<Part>>({ parts: [], status: 'none', error: null })
  const current = useRef<AbortController>(undefined)
  useEffect(() => () => current.current?.abort(), [])

  const begin = useCallback((ask: (after: string) => Promise<Part>) => {
    current.current?.abort()
    const leaving = new AbortController()
    current.current = leaving
    const { signal } = leaving
    const show = (change: Partial<State<Part>>) => {
      if (!signal.aborted) setState((before) => ({ ...before, ...change }))
    }
    const walk = async () => {
      const parts: Part[] = []
      show({ parts, status: 'going', error: null })
      for (let after: string | null = ''; after !== null; ) {
        const from: string = after
        const part = await patiently(() => ask(from), signal)
        if (signal.aborted) return
        parts.push(part)
        after = part.next
        show({ parts: [...parts] })
      }
      show({ status: 'over' })
    }
    walk().catch((error: Error) => show({ status: 'failed', error }))
  }, [])

  const stop = useCallback(() => {
    current.current?.abort()
    setState((before) => ({ ...before, status: 'stopped' }))
  }, [])

  return { ...state, begin, stop }
}

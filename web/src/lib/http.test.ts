import { refusals } from '@prosa/contracts/refusals'
import { renderHook, waitFor } from '@testing-library/react'
import { HttpResponse, http } from 'msw'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { prosaServer, refuse, withProsaServer } from '../../test/prosa-server.ts'
import { ApiProblem, forgetReplies, getPage, notePosition, repetition, request } from './http.ts'
import { useHasIncompleteReads } from './incomplete-reads.ts'
import { useReadingPaused } from './rate-limit-pause.ts'

withProsaServer()
beforeEach(forgetReplies)

const failureOf = async (call: Promise<unknown>): Promise<ApiProblem> => {
  const thrown = await call.then(
    () => null,
    (error: unknown) => error,
  )
  if (!(thrown instanceof ApiProblem)) throw new Error('The request did not fail with an ApiProblem')
  return thrown
}

describe('request', () => {
  it('sends back the log positions it has seen with every read, and only with reads, until one stands for them', async () => {
    const sent: (string | null)[] = []
    const remember = ({ request }: { request: Request }) => {
      sent.push(request.headers.get('prosa-position'))
    }
    let reached = 'one'
    let joined: string | null = null
    prosaServer.use(
      http.post('/api/x', (call) => {
        remember(call)
        return new HttpResponse(null, { status: 204, headers: { 'prosa-position': reached } })
      }),
      http.get('/api/x', (call) => {
        remember(call)
        return HttpResponse.json([], joined === null ? {} : { headers: { 'prosa-position': joined } })
      }),
    )
    expect(await request('POST', '/api/x', {})).toBeUndefined()
    await request('GET', '/api/x')
    reached = 'two'
    await request('POST', '/api/x')
    await request('GET', '/api/x')
    reached = 'one'
    await request('POST', '/api/x')
    joined = 'both'
    await request('GET', '/api/x')
    joined = null
    await request('GET', '/api/x')
    expect(sent).toEqual([null, 'one', null, 'one, two', null, 'two, one', 'both'])
  })

  it('sends no more log positions than a server reads, those seen last', async () => {
    const sent: string[] = []
    prosaServer.use(
      http.get('/api/x', ({ request }) => {
        sent.push(request.headers.get('prosa-position') ?? '')
        return HttpResponse.json([])
      }),
    )
    for (let count = 1; count <= 40; count++) notePosition(`push ${count}`)
    await request('GET', '/api/x')
    expect(sent[0]?.split(', ')).toEqual(Array.from({ length: 16 }, (_, index) => `push ${index + 25}`))
  })

  it('reports that what was read is less than there is, until the same is read whole', async () => {
    const unbuilt = renderHook(() => useHasIncompleteReads())
    let headers: Record<string, string> = { 'prosa-not-built-yet': 'labels' }
    prosaServer.use(http.get('/api/labels', () => HttpResponse.json([], { headers })))
    prosaServer.use(http.get('/api/other', () => HttpResponse.json([])))
    expect(unbuilt.result.current).toBe(false)
    await request('GET', '/api/labels')
    await waitFor(() => expect(unbuilt.result.current).toBe(true))
    await request('GET', '/api/other')
    expect(unbuilt.result.current).toBe(true)
    headers = {}
    await request('GET', '/api/labels')
    await waitFor(() => expect(unbuilt.result.current).toBe(false))
  })

  it('waits with every reading as long as the server wants that refused one, and shows it, instead of failing', async () => {
    const paused = renderHook(() => useReadingPaused())
    const asked: number[] = []
    prosaServer.use(
      http.get('/api/x', () => {
        asked.push(performance.now())
        if (asked.length > 1) return HttpResponse.json({ read: asked.length })
        const { status, title } = refusals.too_many_attempts
        const body = { type: 'too_many_attempts', title, status, correlationId: 'x' }
        return HttpResponse.json(body, { status, headers: { 'retry-after': '1' } })
      }),
      http.get('/api/y', () => HttpResponse.json({ at: performance.now() })),
    )
    const first = request('GET', '/api/x')
    await waitFor(() => expect(paused.result.current).toBe(true))
    const other = (await request('GET', '/api/y')) as { at: number }
    expect(await first).toEqual({ read: 2 })
    const [refused = 0, repeated = 0] = asked
    expect(repeated - refused).toBeGreaterThanOrEqual(1000)
    expect(other.at - refused).toBeGreaterThanOrEqual(1000)
    await waitFor(() => expect(paused.result.current).toBe(false))
  })

  it('repeats a command whose outcome it does not know, under one key, and makes a new key for a new wish', async () => {
    const keys: (string | null)[] = []
    const answers = [() => HttpResponse.error(), () => refuse('unavailable'), () => refuse('request_in_progress')]
    prosaServer.use(
      http.post('/api/x', ({ request }) => {
        keys.push(request.headers.get('idempotency-key'))
        return answers.shift()?.() ?? HttpResponse.json({ id: '1' })
      }),
    )
    expect(await request('POST', '/api/x', {})).toEqual({ id: '1' })
    expect(keys).toHaveLength(4)
    expect(new Set(keys).size).toBe(1)
    await request('POST', '/api/x', {})
    expect(new Set(keys).size).toBe(2)
  })

  it('repeats no command that was refused, and gives up on one that never gets through', async () => {
    let asked = 0
    prosaServer.use(
      http.post('/api/refused', () => {
        asked++
        return refuse('contact_not_found')
      }),
      http.post('/api/lost', () => {
        asked++
        return HttpResponse.error()
      }),
    )
    expect((await failureOf(request('POST', '/api/refused', {}))).status).toBe(404)
    expect(asked).toBe(1)
    expect((await failureOf(request('POST', '/api/lost', {}))).type).toBe('offline')
    expect(asked).toBe(2 + repetition.pausesMs.length)
  })

  it('asks again for what a server that restarts did not answer, and shows what it then says', async () => {
    const answers = [() => HttpResponse.error(), () => new HttpResponse('<h1>Bad gateway</h1>', { status: 502 })]
    prosaServer.use(http.get('/api/x', () => answers.shift()?.() ?? HttpResponse.json({ id: '1' })))
    expect(await request('GET', '/api/x')).toEqual({ id: '1' })
    let asked = 0
    prosaServer.use(
      http.get('/api/away', () => {
        asked++
        return HttpResponse.error()
      }),
    )
    expect((await failureOf(request('GET', '/api/away'))).type).toBe('offline')
    expect(asked).toBe(1 + repetition.pausesMs.length)
  })

  it('asks neither again nor does again as the next user what the one before wanted', async () => {
    let asked = 0
    const away = () => {
      asked++
      forgetReplies()
      return refuse('unavailable')
    }
    prosaServer.use(http.get('/api/x', away), http.post('/api/x', away))
    expect((await failureOf(request('POST', '/api/x', {}))).status).toBe(503)
    expect((await failureOf(request('GET', '/api/x'))).status).toBe(503)
    expect(asked).toBe(2)
  })

  it('keeps no reply for the next user that comes after the one before has left', async () => {
    const known: (string | null)[] = []
    prosaServer.use(
      http.get('/api/x', ({ request }) => {
        known.push(request.headers.get('if-none-match'))
        if (known.length === 1) forgetReplies()
        return HttpResponse.json([], { headers: { etag: 'W/"one"' } })
      }),
    )
    await request('GET', '/api/x')
    await request('GET', '/api/x')
    expect(known).toEqual([null, null])
  })

  it('asks ten times for what a server refuses for ever, then shows the refusal', async () => {
    let asked = 0
    prosaServer.use(
      http.get('/api/x', () => {
        asked++
        return refuse('unavailable')
      }),
    )
    expect((await failureOf(request('GET', '/api/x'))).type).toBe('unavailable')
    expect(asked).toBe(10)
  })

  it('throws the sentence and the refused fields of a problem reply', async () => {
    prosaServer.use(
      http.post('/api/x', () => refuse('invalid_request', [{ field: 'name', message: 'Informe um nome.' }])),
    )
    const problem = await failureOf(request('POST', '/api/x', { name: '' }))
    expect(problem.status).toBe(422)
    expect(problem.type).toBe('invalid_request')
    expect(problem.title).toBe('Alguns campos precisam de atenção.')
    expect(problem.errorOf('name')).toBe('Informe um nome.')
    expect(problem.errorOf('email')).toBeUndefined()
  })

  it('shows that there is no connection when no answer comes', async () => {
    prosaServer.use(http.get('/api/x', () => HttpResponse.error()))
    const problem = await failureOf(request('GET', '/api/x'))
    expect(problem.status).toBe(0)
    expect(problem.title).toBe('Sem conexão com o Prosa. Verifique sua internet; nada se perdeu.')
  })

  it('gives up a read whose answer never comes, and shows that there is no connection', async () => {
    const tooLate = new AbortController()
    const limit = vi.spyOn(AbortSignal, 'timeout').mockReturnValue(tooLate.signal)
    prosaServer.use(
      http.get('/api/x', () => {
        tooLate.abort(new DOMException('too late', 'TimeoutError'))
        return new Promise<never>(() => undefined)
      }),
    )
    expect((await failureOf(request('GET', '/api/x'))).type).toBe('offline')
    expect(limit).toHaveBeenCalledWith(20_000)
    limit.mockRestore()
  })

  it('has a sentence even for a reply that is no problem of ours', async () => {
    prosaServer.use(http.get('/api/x', () => new HttpResponse('<h1>Bad Gateway</h1>', { status: 502 })))
    const problem = await failureOf(request('GET', '/api/x'))
    expect(problem.title).toBe('O Prosa não está respondendo neste momento. Tente de novo em instantes.')
  })

  it('reads lists page by page', async () => {
    prosaServer.use(
      http.get('/api/x', ({ request }) =>
        new URL(request.url).searchParams.has('cursor')
          ? HttpResponse.json([2])
          : HttpResponse.json([1], { headers: { 'prosa-next-cursor': 'abc' } }),
      ),
    )
    expect(await getPage('/api/x')).toEqual({ items: [1], next: 'abc' })
    expect(await getPage('/api/x?cursor=abc')).toEqual({ items: [2], next: null })
  })

  describe('of something unchanged', () => {
    const versioned = () => {
      const seen: { asked: string | null; status: number }[] = []
      const state = { etag: 'W/"one"' as string | null, body: [1] as number[], next: 'abc' }
      prosaServer.use(
        http.get('/api/x', ({ request }) => {
          const asked = request.headers.get('if-none-match')
          const isUnchanged = asked !== null && asked === state.etag
          seen.push({ asked, status: isUnchanged ? 304 : 200 })
          const headers: Record<string, string> = { 'prosa-next-cursor': state.next }
          if (state.etag !== null) headers.etag = state.etag
          return isUnchanged ? new HttpResponse(null, { status: 304 }) : HttpResponse.json(state.body, { headers })
        }),
      )
      return { state, seen }
    }

    it('asks whether it is still that, and answers the very same again', async () => {
      const { seen } = versioned()
      const first = await getPage('/api/x')
      const second = await getPage('/api/x')
      expect(seen.map(({ status }) => status)).toEqual([200, 304])
      expect(second).toEqual({ items: [1], next: 'abc' })
      expect(second.items).toBe(first.items)
      expect(await request('GET', '/api/x')).toBe(first.items)
    })

    it('shows what is new as soon as there is something new', async () => {
      const { state, seen } = versioned()
      await getPage('/api/x')
      Object.assign(state, { etag: 'W/"two"', body: [1, 2], next: 'def' })
      expect(await getPage('/api/x')).toEqual({ items: [1, 2], next: 'def' })
      expect(await getPage('/api/x')).toEqual({ items: [1, 2], next: 'def' })
      expect(seen.map(({ status }) => status)).toEqual([200, 200, 304])
    })

    it('asks plainly again after a reply that cannot be kept', async () => {
      const { state, seen } = versioned()
      await request('GET', '/api/x')
      state.etag = null
      await request('GET', '/api/x')
      await request('GET', '/api/x')
      expect(seen.map(({ asked }) => asked)).toEqual([null, 'W/"one"', null])
    })

    it('keeps nothing of one user for the next', async () => {
      const { seen } = versioned()
      await request('GET', '/api/x')
      forgetReplies()
      await request('GET', '/api/x')
      expect(seen.map(({ asked }) => asked)).toEqual([null, null])
    })

    it('remembers a bounded number of replies, those read last', async () => {
      const asked: [string, string | null][] = []
      prosaServer.use(
        http.get('/api/y/:id', ({ params, request }) => {
          asked.push([String(params.id), request.headers.get('if-none-match')])
          return HttpResponse.json([], { headers: { etag: 'W/"one"' } })
        }),
      )
      for (let id = 0; id <= 100; id++) await request('GET', `/api/y/${id}`)
      await request('GET', '/api/y/100')
      await request('GET', '/api/y/0')
      expect(asked.slice(-2)).toEqual([
        ['100', 'W/"one"'],
        ['0', null],
      ])
    })
  })
})

import { HttpResponse, http } from 'msw'
import { describe, expect, it } from 'vitest'
import { prosaServer, refuse, withProsaServer } from '../../test/prosa-server.ts'
import { ApiProblem, getPage, request } from './http.ts'

withProsaServer()

const failureOf = async (call: Promise<unknown>): Promise<ApiProblem> => {
  const thrown = await call.then(
    () => null,
    (error: unknown) => error,
  )
  if (!(thrown instanceof ApiProblem)) throw new Error('The request did not fail with an ApiProblem')
  return thrown
}

describe('request', () => {
  it('sends back the highest log position it has seen with every read, and only with reads', async () => {
    const sent: (string | null)[] = []
    const remember = ({ request }: { request: Request }) => {
      sent.push(request.headers.get('prosa-position'))
    }
    let reached = '90'
    prosaServer.use(
      http.post('/api/x', (call) => {
        remember(call)
        return new HttpResponse(null, { status: 204, headers: { 'prosa-position': reached } })
      }),
      http.get('/api/x', (call) => {
        remember(call)
        return HttpResponse.json([])
      }),
    )
    expect(await request('POST', '/api/x', {})).toBeUndefined()
    await request('GET', '/api/x')
    reached = '100'
    await request('POST', '/api/x')
    await request('GET', '/api/x')
    reached = '99'
    await request('POST', '/api/x')
    await request('GET', '/api/x')
    expect(sent).toEqual([null, '90', null, '100', null, '100'])
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

  it('says that there is no connection when no answer comes', async () => {
    prosaServer.use(http.get('/api/x', () => HttpResponse.error()))
    const problem = await failureOf(request('GET', '/api/x'))
    expect(problem.status).toBe(0)
    expect(problem.title).toBe('Sem conexão com o Prosa. Verifique sua internet; nada se perdeu.')
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
})

import { HttpResponse, http } from 'msw'
import { expect, it } from 'vitest'
import { prosaServer, withProsaServer } from '../../../test/prosa-server.ts'
import { addressOf, call, callPage } from './call.ts'
import { notePosition } from './http.ts'
import { searchPage } from './search-page.ts'

withProsaServer()

it('puts what was given into the path, the query and the body of the endpoint', async () => {
  const asked: unknown[] = []
  prosaServer.use(
    http.patch('/api/whatsapp/contacts/:id/messages/:messageId', async ({ request, params }) => {
      asked.push(new URL(request.url).pathname, params, await request.json())
      return HttpResponse.json({ messageId: 'B', contactId: 'a' }, { status: 202 })
    }),
  )
  const params = { id: 'a', messageId: 'no/path?of #its own' }
  const accepted = await call('PATCH /api/whatsapp/contacts/:id/messages/:messageId', {
    params,
    body: { message: 'Olá' },
  })
  expect(accepted.messageId).toBe('B')
  expect(asked).toEqual(['/api/whatsapp/contacts/a/messages/no%2Fpath%3Fof%20%23its%20own', params, { message: 'Olá' }])
})

it('leaves out of the query what is undefined', () => {
  const search = (query: { q: string; cursor?: string }) => addressOf('GET /api/whatsapp/search', { query })
  expect(search({ q: 'pão & café', cursor: undefined })).toBe('/api/whatsapp/search?q=p%C3%A3o+%26+caf%C3%A9')
  expect(search({ q: '', cursor: 'x' })).toBe('/api/whatsapp/search?q=&cursor=x')
  expect(addressOf('GET /api/whatsapp/contacts')).toBe('/api/whatsapp/contacts')
})

it('reads a page, and where the next one is', async () => {
  prosaServer.use(
    http.get('/api/whatsapp/contacts', ({ request }) =>
      HttpResponse.json([{ id: new URL(request.url).search }], { headers: { 'prosa-next-cursor': 'abc' } }),
    ),
  )
  const page = await callPage('GET /api/whatsapp/contacts', { query: { status: 'waiting' } })
  expect([page.items.map(({ id }) => id), page.next]).toEqual([['?status=waiting'], 'abc'])
})

it('searches by a body, after what was written before, and reads where the next page is', async () => {
  notePosition('written')
  const asked: unknown[] = []
  prosaServer.use(
    http.post('/api/whatsapp/search', async ({ request }) => {
      asked.push(new URL(request.url).search, request.headers.get('prosa-position'), await request.json())
      return HttpResponse.json({ items: [{ messageId: 'A' }], nextCursor: 'abc' })
    }),
  )
  const page = await searchPage('POST /api/whatsapp/search', { body: { q: 'pão & café' } })
  expect([page.items.map(({ messageId }) => messageId), page.next]).toEqual([['A'], 'abc'])
  expect(asked).toEqual(['', expect.stringContaining('written'), { q: 'pão & café' }])
})

it('does not compile where a call differs from the record', () => {
  const wrong = async () => {
    // @ts-expect-error: there is no such endpoint
    await call('GET /api/whatsapp/nothing')
    // @ts-expect-error: the path has a parameter
    await call('GET /api/whatsapp/contacts/:id')
    // @ts-expect-error: it is called otherwise
    await call('GET /api/whatsapp/contacts/:id', { params: { contactId: 'a' } })
    // @ts-expect-error: there is no such queue
    await call('GET /api/whatsapp/contacts', { query: { status: 'lost' } })
    // @ts-expect-error: an e-mail address is missing
    await call('POST /api/auth/login', { body: { password: 'x' } })
    // @ts-expect-error: the reply has no such field
    await call('GET /api/whatsapp/contact-counts').then(({ lost }) => lost)
    // @ts-expect-error: a page is of a list
    await callPage('GET /api/whatsapp/contact-counts').then(({ items: [first] }) => first.waiting)
  }
  expect(wrong).toBeInstanceOf(Function)
})

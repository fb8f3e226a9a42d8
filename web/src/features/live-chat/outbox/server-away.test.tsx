import { act, createEvent, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { HttpResponse, http } from 'msw'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { someFile, standInForMedia } from '../../../../test/browser-media.ts'
import { anUser, refuse } from '../../../../test/prosa-server.ts'
import { becomeUser } from '../../../lib/account/current-user.ts'
import { claimPersonalStorage } from '../../../lib/browser/personal-storage.ts'
import { anewEachTest } from '../testing/anew-each-test.ts'
import { openLiveChat } from '../testing/open-live-chat.ts'
import { composer, rafaela } from '../testing/people.ts'
import { renderLiveChat } from '../testing/render-live-chat.tsx'
import { backoff } from './until-answered.ts'

vi.setConfig({ testTimeout: 30_000 })
anewEachTest()

const before = { ...backoff }
beforeAll(() => void Object.assign(backoff, { firstMs: 1, maxMs: 20 }))
afterAll(() => void Object.assign(backoff, before))

const address = '/live-chat?contato=rafaela'
const log = () => screen.findByRole('log')

type Scene = ReturnType<typeof openLiveChat>
type Body = Scene['state']['sent'][number]

const openWhileAway = (answer: () => HttpResponse<never> | Response) => {
  const scene = openLiveChat({ contacts: [rafaela()], user: anUser }, address)
  const away = { isAway: true, attempts: [] as Body[] }
  scene.server.use(
    http.post('*/api/whatsapp/send-message', async ({ request }) => {
      if (!away.isAway) return
      away.attempts.push((await request.clone().json()) as Body)
      return answer() as HttpResponse<never>
    }),
  )
  return { ...scene, away }
}

const isErrorShown = () => screen.queryByText(/Erro ao enviar/) !== null || screen.queryByTitle('não enviada') !== null

const arrived = ({ state }: Scene) => {
  expect(new Set(state.sent.map(({ messageId }) => messageId)).size).toBe(state.messages.length)
  return state.messages.map(({ content }) => content)
}

describe('while the server is away', () => {
  it.each<[string, () => Response]>([
    ['takes no connection', () => HttpResponse.error()],
    ['stands behind a gateway that says 502', () => new Response('<h1>Bad Gateway</h1>', { status: 502 })],
    ['stands behind a gateway that says 504', () => new Response('<h1>Timeout</h1>', { status: 504 })],
    ['has no database', () => refuse('unavailable')],
    ['still has the same request in hand', () => refuse('request_in_progress')],
    [
      'was asked too often',
      () => {
        const body = { type: 'too_many_attempts', title: 'Muitas tentativas.', status: 429, correlationId: 'x' }
        return HttpResponse.json(body, { status: 429, headers: { 'retry-after': '0' } }) as Response
      },
    ],
  ])('and %s, messages wait in their order, and leave once each', async (_, answer) => {
    const scene = openWhileAway(answer)
    const { user, away, state } = scene
    await user.type(await composer(), 'um{Enter}dois{Enter}três{Enter}')
    await waitFor(() => expect(away.attempts.length).toBeGreaterThan(20))
    expect(new Set(away.attempts.map(({ message }) => message))).toEqual(new Set(['um']))
    expect(isErrorShown()).toBe(false)
    expect(within(await log()).getAllByTitle('enviando')).toHaveLength(3)
    away.isAway = false
    await waitFor(() => expect(state.messages).toHaveLength(3))
    expect(arrived(scene)).toEqual(['um', 'dois', 'três'])
    expect(isErrorShown()).toBe(false)
    expect(new Set(away.attempts.map(({ messageId }) => messageId))).toEqual(new Set([state.sent[0]?.messageId]))
  })

  it('and its answer is cut in the middle after it stored the message, it is stored once', async () => {
    const scene = openLiveChat({ contacts: [rafaela()], user: anUser }, address)
    const { server, user, state } = scene
    let cut = 0
    server.use(
      http.post('*/api/whatsapp/send-message', async ({ request }) => {
        if (cut >= 3) return
        cut += 1
        state.sent.push((await request.clone().json()) as Body)
        return new HttpResponse('{"id":"3EB0', { status: 202, headers: { 'content-type': 'application/json' } })
      }),
    )
    await user.type(await composer(), 'um{Enter}dois{Enter}')
    await waitFor(() => expect(state.messages).toHaveLength(2))
    expect(arrived(scene)).toEqual(['um', 'dois'])
    expect(state.sent.map(({ message }) => message)).toEqual(['um', 'um', 'um', 'um', 'dois'])
    expect(isErrorShown()).toBe(false)
  })

  it('waits over a reload of the page too', async () => {
    const scene = openWhileAway(() => HttpResponse.error())
    const { user, away, state, unmount, queries } = scene
    await user.type(await composer(), 'um{Enter}dois{Enter}')
    await waitFor(() => expect(away.attempts.length).toBeGreaterThan(20))
    claimPersonalStorage(anUser.id)
    unmount()
    queries.clear()
    sessionStorage.clear()
    renderLiveChat(address, anUser)
    const before = away.attempts.length
    await waitFor(() => expect(away.attempts.length).toBeGreaterThan(before + 20))
    expect(new Set(away.attempts.map(({ message }) => message))).toEqual(new Set(['um']))
    away.isAway = false
    await waitFor(() => expect(state.messages).toHaveLength(2))
    expect(arrived(scene)).toEqual(['um', 'dois'])
  })

  it('is refused, when the server is back, as it would have been, and what was written behind it leaves', async () => {
    const scene = openWhileAway(() => refuse('unavailable'))
    const { server, user, away, state } = scene
    await user.type(await composer(), 'um{Enter}dois{Enter}')
    await waitFor(() => expect(away.attempts.length).toBeGreaterThan(5))
    server.use(http.post('*/api/whatsapp/send-message', () => refuse('message_id_taken'), { once: true }))
    expect(await screen.findByText('Erro ao enviar mensagem. Tente novamente.')).toBeDefined()
    away.isAway = false
    await waitFor(() => expect(state.messages.map(({ content }) => content)).toEqual(['dois']))
  })

  it('sends nothing behind a message that waits for its writer to sign in again', async () => {
    claimPersonalStorage(anUser.id)
    const scene = openWhileAway(() => refuse('not_signed_in'))
    const { user, away, state, unmount, queries } = scene
    await user.type(await composer(), 'um{Enter}')
    await waitFor(() => expect(queries.getQueryData(['auth', 'user'])).toBeNull())
    // Another tab signed in somebody else, unnoticed here.
    away.isAway = false
    await user.type(await composer(), 'dois{Enter}')
    await waitFor(() => expect(localStorage.getItem('prosa:outgoing')).toContain('dois'))
    unmount()
    expect(state.sent).toEqual([])
    becomeUser(queries, anUser)
    renderLiveChat(address, anUser)
    await waitFor(() => expect(state.messages).toHaveLength(2))
    expect(arrived(scene)).toEqual(['um', 'dois'])
  })
})

it('sends a file again whose way was cut off, and shows no error meanwhile', async () => {
  standInForMedia()
  const { server, user, state } = openLiveChat({ contacts: [rafaela()], user: anUser }, address)
  let cut = 0
  server.use(
    http.post('*/api/whatsapp/media', () => {
      if (cut < 5) {
        cut += 1
        return HttpResponse.error()
      }
    }),
  )
  const place = (await composer()).form?.parentElement as HTMLElement
  const dropped = createEvent.drop(place)
  const files = [someFile('exame.pdf', 'application/pdf')]
  Object.defineProperty(dropped, 'dataTransfer', { value: { types: ['Files'], files } })
  fireEvent(place, dropped)
  await screen.findByRole('group', { name: 'Arquivos para enviar' })
  await user.type(await screen.findByPlaceholderText(/^Legenda/), '{Enter}')
  await waitFor(() => expect(state.sent).toHaveLength(1))
  expect([cut, state.files.length]).toEqual([5, 1])
  expect(isErrorShown()).toBe(false)
})

it('shows that it waits while the line to Prosa is down, and asks before the page closes', async () => {
  const scene = openWhileAway(() => HttpResponse.error())
  const { user, push, away, state } = scene
  await user.type(await composer(), 'um{Enter}')
  await within(await log()).findByTitle('enviando')
  act(() => push('disconnect', 'transport close'))
  expect(await within(await log()).findByTitle('aguardando a conexão')).toBeDefined()
  const closing = new Event('beforeunload', { cancelable: true })
  window.dispatchEvent(closing)
  expect(closing.defaultPrevented).toBe(true)
  away.isAway = false
  await waitFor(() => expect(state.messages).toHaveLength(1))
})

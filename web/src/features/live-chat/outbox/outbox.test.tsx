import { act, createEvent, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { http } from 'msw'
import { describe, expect, it, vi } from 'vitest'
import { someFile, standInForMedia } from '../../../../test/browser-media.ts'
import { anUser, refuse } from '../../../../test/prosa-server.ts'
import { becomeUser } from '../../../lib/account/current-user.ts'
import { anewEachTest } from '../testing/anew-each-test.ts'
import { someContact } from '../testing/chat-server.ts'
import { someMessage } from '../testing/message-routes.ts'
import { openLiveChat } from '../testing/open-live-chat.ts'

vi.setConfig({ testTimeout: 30_000 })
anewEachTest()

const rafaela = () => someContact({ id: 'rafaela', name: 'Rafaela', serviceStatus: 'attending' })
const composer = () => screen.findByRole<HTMLTextAreaElement>('textbox', { name: /^(Digite|Legenda)/ })
const kept = () => {
  const all = [sessionStorage, localStorage].map((storage) => storage.getItem('prosa:outgoing'))
  return all.every((one) => one === null) ? null : all.join('')
}

const open = async () => {
  const messages = [someMessage({ id: 'q', contactId: 'rafaela', content: 'Tem azul?' })]
  const scene = openLiveChat({ contacts: [rafaela()], messages, user: anUser }, '/live-chat?contato=rafaela')
  const { queries, unmount } = scene
  await within(await screen.findByRole('log')).findByText('Tem azul?')
  const signOut = () => {
    unmount()
    act(() => becomeUser(queries, null))
  }
  const settled = () =>
    waitFor(() => {
      const states = queries.getMutationCache().getAll()
      expect(states.filter(({ state: { status } }) => status === 'pending')).toEqual([])
    })
  return { ...scene, signOut, settled }
}

const attach = async (file = someFile('exame.pdf', 'application/pdf')) => {
  const place = (await composer()).form?.parentElement as HTMLElement
  const dropped = createEvent.drop(place)
  Object.defineProperty(dropped, 'dataTransfer', { value: { types: ['Files'], files: [file] } })
  fireEvent(place, dropped)
  await screen.findByRole('group', { name: 'Arquivos para enviar' })
}

describe('what is on its way when somebody signs out', () => {
  it('is not written back into the browser, and what waits behind it is not sent', async () => {
    const { server, state, user, signOut, settled } = await open()
    let answer: (() => void) | undefined
    const held = new Promise<void>((resolve) => {
      answer = resolve
    })
    let asked = 0
    server.use(
      http.post('*/api/whatsapp/send-message', async () => {
        asked += 1
        await held
      }),
    )
    await user.type(await composer(), 'Seu exame{Enter}está pronto{Enter}')
    await waitFor(() => expect(asked).toBe(1))
    signOut()
    answer?.()
    await settled()
    expect(state.sent.map(({ message }) => message)).toEqual(['Seu exame'])
    expect(kept()).toBeNull()
  })

  it('is given up where it is a file', async () => {
    standInForMedia()
    const { state, user, signOut, settled } = await open()
    const givenUp = vi.spyOn(XMLHttpRequest.prototype, 'abort')
    let take: (() => void) | undefined
    state.holdFile = new Promise((resolve) => {
      take = resolve
    })
    await attach()
    await user.type(await composer(), '{Enter}')
    await screen.findByRole('progressbar', { name: /^Enviando arquivo/ })
    signOut()
    await waitFor(() => expect(givenUp).toHaveBeenCalled())
    take?.()
    await settled()
    expect(state.sent).toEqual([])
    expect(kept()).toBeNull()
  })

  it('is given up where it is a file that is still being looked at', async () => {
    standInForMedia()
    let look: (() => void) | undefined
    const looked = new Promise<void>((resolve) => {
      look = resolve
    })
    const picture = { width: 800, height: 600, close: () => undefined }
    vi.stubGlobal('createImageBitmap', () => looked.then(() => picture))
    const { state, user, queries, signOut, settled } = await open()
    await attach(someFile('exame.jpg', 'image/jpeg'))
    await user.type(await composer(), '{Enter}')
    signOut()
    becomeUser(queries, { ...anUser, id: 'the-next' })
    const letGo = vi.spyOn(URL, 'revokeObjectURL')
    look?.()
    await waitFor(() => expect(letGo).toHaveBeenCalled())
    await settled()
    expect([state.files, state.sent]).toEqual([[], []])
    expect(kept()).toBeNull()
  })

  it('is neither sent nor kept for whoever signs in next, also in another tab', async () => {
    const theirs = {
      id: `3EB0${'A'.repeat(18)}`,
      contactId: 'rafaela',
      content: 'Dela',
      state: 'sending',
      failure: null,
    }
    sessionStorage.setItem(
      'prosa:outgoing',
      JSON.stringify([{ ...theirs, owner: 'somebody-else', writtenAt: new Date().toISOString() }]),
    )
    const { state, user } = await open()
    await waitFor(() => expect(kept()).not.toContain('Dela'))
    await user.type(await composer(), 'Minha{Enter}')
    await waitFor(() => expect(state.sent.map(({ message }) => message)).toEqual(['Minha']))
  })
})

it('keeps what a plan does not allow, with the reason and the way to one, and sends it once that is paid', async () => {
  const { server, state, user } = await open()
  let isPaid = false
  server.use(
    http.post('*/api/whatsapp/send-message', () => {
      if (!isPaid) return refuse('subscription_ended')
    }),
  )
  await user.type(await composer(), 'Está pronto{Enter}')
  const failure = await screen.findByText('Seu período terminou. Escolha um plano para voltar a enviar.')
  expect(within(screen.getByRole('log')).getByText('Está pronto')).toBeTruthy()
  const note = within(failure.closest('[role=alert]') as HTMLElement)
  expect(note.getByRole('link', { name: 'Escolher um plano' }).getAttribute('href')).toBe('/billing')
  isPaid = true
  await user.click(note.getByRole('button', { name: 'Tentar de novo' }))
  await waitFor(() => expect(state.sent.map(({ message }) => message)).toEqual(['Está pronto']))
  await waitFor(() => expect(screen.queryByRole('link', { name: 'Escolher um plano' })).toBeNull())
})

it('does not show at the end what was delivered before the oldest message that is loaded', async () => {
  const writtenAt = new Date(Date.now() - 3_600_000).toISOString()
  const early = { id: `3EB0${'A'.repeat(18)}`, contactId: 'rafaela', content: 'Bom dia', writtenAt }
  sessionStorage.setItem(
    'prosa:outgoing',
    JSON.stringify([{ ...early, state: 'accepted', failure: null, owner: anUser.id }]),
  )
  const messages = Array.from({ length: 150 }, (_, index) => someMessage({ id: `m${index}`, contactId: 'rafaela' }))
  openLiveChat({ contacts: [rafaela()], messages, user: anUser }, '/live-chat?contato=rafaela')
  await within(await screen.findByRole('log')).findByText('m149')
  await waitFor(() => expect(screen.queryByText('Bom dia')).toBeNull())
  expect(kept()).toBe('[]')
})

it('forgets what is unsent, answered and attached of a contact that was erased', async () => {
  standInForMedia()
  const { state, user, push } = await open()
  state.refuseSend = 'Indisponível.'
  await user.type(await composer(), 'Seu CPF confere{Enter}')
  await screen.findByText('Erro ao enviar mensagem. Tente novamente.')
  await user.keyboard('{ArrowUp}{ArrowUp}r')
  await screen.findByRole('group', { name: 'Respondendo a' })
  await attach()
  expect(kept()).toContain('CPF')

  const [erased] = state.contacts
  state.contacts = []
  push('whatsapp:contact_update', { contactId: 'rafaela', position: '1' })
  await screen.findByText('Esta conversa não existe mais')
  await user.click(screen.getByRole('button', { name: 'Voltar para as conversas' }))
  await screen.findByText('Selecione uma conversa')
  expect(kept()).not.toContain('CPF')

  if (erased) state.contacts = [erased]
  push('whatsapp:contact_update', { contactId: 'rafaela', position: '2' })
  await user.click(screen.getByRole('tab', { name: /Atendendo/ }))
  await user.click(await screen.findByRole('option', { name: /Rafaela/ }))
  await within(await screen.findByRole('log')).findByText('Tem azul?')
  expect(screen.queryByRole('group', { name: 'Respondendo a' })).toBeNull()
  expect(screen.queryByRole('group', { name: 'Arquivos para enviar' })).toBeNull()
})

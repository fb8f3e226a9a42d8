import type { MessageMedia } from '@prosa/contracts/http/live-chat'
import { act, createEvent, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { http } from 'msw'
import { describe, expect, it, vi } from 'vitest'
import { someFile, standInForMedia } from '../../../test/browser-media.ts'
import { anewEachTest } from './testing/anew-each-test.ts'
import { someContact } from './testing/chat-server.ts'
import { someMedia, someMessage } from './testing/message-routes.ts'
import { openLiveChat } from './testing/open-live-chat.ts'

vi.setConfig({ testTimeout: 30_000 })
anewEachTest()

const attended = (id: string) => someContact({ id, name: 'Rafaela', serviceStatus: 'attending' })
const survivor = () => ({ ...attended('antiga'), merged: [{ id: 'rafaela', name: 'Rafaela', phone: null }] })
const question = (contactId: string) => someMessage({ id: 'q', contactId, content: 'Tem azul?' })

const composer = () => screen.findByRole<HTMLTextAreaElement>('textbox', { name: /^(Digite|Legenda)/ })
const address = () => screen.getByLabelText('Endereço').textContent
const log = () => screen.findByRole('log')

/** `merge` merges the open contact into the older one. Pushes arrive, so polls are slow. */
const openYounger = async () => {
  const messages = [question('rafaela')]
  const scene = openLiveChat({ contacts: [attended('rafaela')], messages }, '/live-chat?contato=rafaela')
  const { state, push } = scene
  push('position', { position: '0' })
  await within(await log()).findByText('Tem azul?')
  const merge = () => {
    state.contacts = [survivor()]
    state.messages = state.messages.map((message) => ({ ...message, contactId: 'antiga' }))
    act(() => push('whatsapp:contact_update', { contactId: 'rafaela', position: '1' }))
  }
  return { ...scene, merge }
}

describe('a contact that is merged into another while it is in view', () => {
  it('goes on as that one, with what is written to either and without taking the keys away', async () => {
    localStorage.setItem('prosa:drafts', '{"antiga":"Bom dia"}')
    const { user, merge } = await openYounger()
    await user.type(await composer(), 'Já volto')
    const box = await composer()
    merge()
    await waitFor(() => expect(address()).toBe('?contato=antiga'))
    expect((await composer()).value).toBe('Bom dia\n\nJá volto')
    expect(await composer()).toBe(box)
    expect(document.activeElement).toBe(box)
  })

  it('leaves open what is open beside it', async () => {
    const { user, merge } = await openYounger()
    await user.click(screen.getByRole('button', { name: 'Detalhes do contato' }))
    const panel = await screen.findByRole('button', { name: 'Apagar contato' })
    merge()
    await waitFor(() => expect(address()).toBe('?contato=antiga&detalhes='))
    expect(screen.getByRole('button', { name: 'Apagar contato' })).toBe(panel)
  })

  it('shows why a message failed, which goes to the one that goes on', async () => {
    const { state, user, merge } = await openYounger()
    state.refuseSend = 'Indisponível.'
    await user.type(await composer(), 'Temos{Enter}')
    await screen.findByText('Erro ao enviar mensagem. Tente novamente.')
    merge()
    await waitFor(() => expect(address()).toBe('?contato=antiga'))
    expect(await screen.findByText('Erro ao enviar mensagem. Tente novamente.')).toBeDefined()
    state.refuseSend = null
    await user.click(screen.getByRole('button', { name: 'Tentar de novo' }))
    await waitFor(() => expect(state.sent.at(-1)).toMatchObject({ contactId: 'antiga', message: 'Temos' }))
    expect(await within(await log()).findByTitle('enviada')).toBeDefined()
  })

  it('shows what becomes of a message that was on its way', async () => {
    const { server, state, user, merge } = await openYounger()
    let refuse: (() => void) | undefined
    const held = new Promise<void>((resolve) => {
      refuse = resolve
    })
    server.use(
      http.post('*/api/whatsapp/send-message', async () => {
        await held
      }),
    )
    state.refuseSend = 'Indisponível.'
    await user.type(await composer(), 'Temos{Enter}')
    merge()
    await waitFor(() => expect(address()).toBe('?contato=antiga'))
    expect(await within(await log()).findByText('Temos')).toBeDefined()
    refuse?.()
    expect(await screen.findByText('Erro ao enviar mensagem. Tente novamente.')).toBeDefined()
  })

  it('goes on recording, for the one that goes on', async () => {
    standInForMedia()
    const { state, user, merge } = await openYounger()
    await user.click(screen.getByRole('button', { name: 'Gravar mensagem de voz' }))
    await screen.findByRole('group', { name: 'Gravação de voz' })
    await waitFor(() => expect(screen.getByRole('timer').textContent).not.toBe('00:00'))
    merge()
    await waitFor(() => expect(address()).toBe('?contato=antiga'))
    await user.click(screen.getByRole('button', { name: 'Enviar mensagem de voz' }))
    await waitFor(() => expect(state.sent[0]).toMatchObject({ contactId: 'antiga', media: { as: 'voice' } }))
  })

  it('keeps the message that is answered and the files that are attached', async () => {
    standInForMedia()
    const { state, user, merge } = await openYounger()
    await user.click(await composer())
    await user.keyboard('{ArrowUp}r')
    await screen.findByRole('group', { name: 'Respondendo a' })
    const dropped = createEvent.drop((await composer()).form?.parentElement as HTMLElement)
    const files = [someFile('lista.pdf', 'application/pdf')]
    Object.defineProperty(dropped, 'dataTransfer', { value: { types: ['Files'], files } })
    fireEvent((await composer()).form?.parentElement as HTMLElement, dropped)
    await screen.findByRole('group', { name: 'Arquivos para enviar' })
    merge()
    await waitFor(() => expect(address()).toBe('?contato=antiga'))
    await user.type(await composer(), 'Temos{Enter}')
    await waitFor(() => expect(state.sent).toHaveLength(1))
    const sent = { contactId: 'antiga', message: 'Temos', quotedMessageId: 'q', media: { fileName: 'lista.pdf' } }
    expect(state.sent[0]).toMatchObject(sent)
  })
})

it('has what was written to those who stand behind it', async () => {
  localStorage.setItem('prosa:drafts', '{"rafaela":"Já volto"}')
  openLiveChat({ contacts: [survivor()] }, '/live-chat?contato=antiga')
  await waitFor(async () => expect((await composer()).value).toBe('Já volto'))
})

it('shows a file that came for a contact that stands behind it', async () => {
  const file = (over: Partial<MessageMedia>) =>
    someMessage({ id: 'f', contactId: 'antiga', content: '', kind: 'document', media: someMedia(over) })
  const { state, push } = openLiveChat(
    { contacts: [survivor()], messages: [file({ status: 'waiting' })] },
    '/live-chat?contato=antiga',
  )
  push('position', { position: '0' })
  await within(await log()).findByText('Chegando do WhatsApp')
  state.messages = [file({ fileName: 'lista.pdf' })]
  push('whatsapp:media_update', { contactId: 'rafaela', mediaId: someMedia().id, position: '1' })
  expect(await screen.findByRole('link', { name: 'Baixar lista.pdf' })).toBeDefined()
})

it('reads again what is in view when a push names a contact that stands behind it', async () => {
  const { state, push } = openLiveChat(
    { contacts: [survivor()], messages: [question('antiga')] },
    '/live-chat?contato=antiga',
  )
  push('position', { position: '0' })
  await within(await log()).findByText('Tem azul?')
  state.messages = [...state.messages, someMessage({ id: 'n', contactId: 'antiga', content: 'E verde?' })]
  push('whatsapp:new_message', { contactId: 'rafaela', position: '1' })
  expect(await within(await log()).findByText('E verde?')).toBeDefined()
})

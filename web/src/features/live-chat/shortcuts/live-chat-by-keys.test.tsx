import { screen, waitFor, within } from '@testing-library/react'
import type { UserEvent } from '@testing-library/user-event'
import { describe, expect, it, vi } from 'vitest'
import { anewEachTest } from '../testing/anew-each-test.ts'
import { someMessage } from '../testing/message-routes.ts'
import { openLiveChat } from '../testing/open-live-chat.ts'
import { composer, heading, mariana, minutesAgo, rafaela, row, thiago } from '../testing/people.ts'
import { renderLiveChat } from '../testing/render-live-chat.tsx'

vi.setConfig({ testTimeout: 20_000 })
anewEachTest()

describe('the composer', () => {
  it('sends with Enter, shows the message at once, and is empty again', async () => {
    const { user, state } = openLiveChat({ contacts: [rafaela()] }, '/live-chat?contato=rafaela')
    expect(await screen.findByText('Nenhuma mensagem ainda')).toBeDefined()
    await user.type(await composer(), 'Bom dia, Rafaela{Enter}')
    expect(within(screen.getByRole('log')).getByText('Bom dia, Rafaela')).toBeDefined()
    await waitFor(() => expect(state.sent).toHaveLength(1))
    expect(state.sent[0]).toMatchObject({ contactId: 'rafaela', message: 'Bom dia, Rafaela' })
    expect(state.sent[0]?.messageId).toMatch(/^3EB0[0-9A-F]{18}$/)
    expect(await within(screen.getByRole('log')).findByTitle('enviada')).toBeDefined()
    expect(within(screen.getByRole('log')).getAllByText('Bom dia, Rafaela')).toHaveLength(1)
    expect((await composer()).value).toBe('')
  })

  it('breaks the line with Shift+Enter and sends nothing', async () => {
    const { user, state } = openLiveChat({ contacts: [rafaela()] }, '/live-chat?contato=rafaela')
    await user.type(await composer(), 'um{Shift>}{Enter}{/Shift}dois')
    expect((await composer()).value).toBe('um\ndois')
    expect(state.sent).toEqual([])
  })

  it('sends no blank text and none beyond 4096 characters', async () => {
    const { user, state } = openLiveChat({ contacts: [rafaela()] }, '/live-chat?contato=rafaela')
    await user.type(await composer(), '   {Enter}')
    await user.clear(await composer())
    await user.click(await composer())
    await user.paste('x'.repeat(4097))
    expect(screen.getByText('1 caractere além do limite')).toBeDefined()
    await user.keyboard('{Enter}')
    expect(screen.getByRole('button', { name: 'Enviar' })).toHaveProperty('disabled', true)
    expect(state.sent).toEqual([])
  })

  it('offers to try again when sending failed, and repeats the same id', async () => {
    const { user, state } = openLiveChat({ contacts: [rafaela()] }, '/live-chat?contato=rafaela')
    state.refuseSend = 'Indisponível.'
    await user.type(await composer(), 'Chega amanhã{Enter}')
    expect(await screen.findByText('Erro ao enviar mensagem. Tente novamente.')).toBeDefined()
    const before = state.sent.length
    state.refuseSend = null
    await user.click(screen.getByRole('button', { name: 'Tentar de novo' }))
    await waitFor(() => expect(state.sent).toHaveLength(before + 1))
    for (const sent of state.sent) expect(sent).toEqual(state.sent[0])
    expect(await within(screen.getByRole('log')).findByTitle('enviada')).toBeDefined()
    expect(screen.queryByRole('button', { name: 'Tentar de novo' })).toBeNull()
  })

  it('shows what to do when WhatsApp is not connected', async () => {
    const { user, state } = openLiveChat({ contacts: [rafaela()] }, '/live-chat?contato=rafaela')
    state.refuseSend = 'WhatsApp não está conectado'
    await user.type(await composer(), 'oi{Enter}')
    const sentence =
      'WhatsApp não está conectado. Por favor, conecte sua conta do WhatsApp em Configurações antes de enviar mensagens.'
    expect(await screen.findByText(sentence)).toBeDefined()
  })

  it('keeps what was written to each contact, also over a reload', async () => {
    const first = openLiveChat({ contacts: [mariana(), thiago()] }, '/live-chat?contato=mariana')
    await first.user.type(await composer(), 'Para Mariana')
    await first.user.click(await row(/Thiago/))
    await heading('Thiago')
    expect((await composer()).value).toBe('')
    expect(within(await row(/Mariana/)).getByText('Rascunho:')).toBeDefined()
    await first.user.click(await row(/Mariana/))
    await heading('Mariana')
    expect((await composer()).value).toBe('Para Mariana')
    first.unmount()
    renderLiveChat('/live-chat?contato=mariana')
    await waitFor(async () => expect((await composer()).value).toBe('Para Mariana'))
  })

  it('takes up after a reload what was on its way, with the same id', async () => {
    const outgoing = {
      id: `3EB0${'A'.repeat(18)}`,
      contactId: 'rafaela',
      content: 'Quase',
      state: 'sending',
      failure: null,
    }
    sessionStorage.setItem('prosa:outgoing', JSON.stringify([{ ...outgoing, writtenAt: minutesAgo(1) }]))
    const { state } = openLiveChat({ contacts: [rafaela()] }, '/live-chat?contato=rafaela')
    await waitFor(() => expect(state.sent.map(({ messageId }) => messageId)).toEqual([outgoing.id]))
  })

  it('is disabled while no WhatsApp is connected, and the banner leads to the settings', async () => {
    openLiveChat({ contacts: [rafaela()], connected: false }, '/live-chat?contato=rafaela')
    expect(await screen.findByText('WhatsApp desconectado')).toBeDefined()
    expect(screen.getByRole('link', { name: 'Conectar' }).getAttribute('href')).toBe('/settings')
    expect(await screen.findByPlaceholderText('Conecte o WhatsApp para enviar mensagens')).toHaveProperty(
      'disabled',
      true,
    )
  })
})

describe('the keyboard', () => {
  it('walks the list, opens, accepts and goes back', async () => {
    const { user } = openLiveChat({ contacts: [mariana(), thiago()] })
    await row(/Thiago/)
    await user.keyboard('jj{Enter}')
    expect(await heading('Thiago')).toBeDefined()
    expect(document.activeElement).toBe(await composer())
    await user.keyboard('{Escape}k{Enter}')
    expect(await heading('Mariana')).toBeDefined()
    await user.keyboard('{Escape}a')
    expect(await screen.findByRole('button', { name: 'Finalizar' })).toBeDefined()
    await user.keyboard('{Escape}{Escape}')
    expect(await screen.findByText('Selecione uma conversa')).toBeDefined()
  })

  it('changes tabs with 1 2 3, searches with / and explains itself with ?', async () => {
    const { user } = openLiveChat({ contacts: [mariana()] })
    await row(/Mariana/)
    await user.keyboard('3')
    expect(screen.getByRole('tab', { name: /Resolvidos/ })).toHaveProperty('ariaSelected', 'true')
    await user.keyboard('?')
    const dialog = await screen.findByRole('dialog', { name: 'Atalhos do teclado' })
    await user.click(within(dialog).getByRole('button', { name: 'Fechar' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    await user.keyboard('/')
    expect(document.activeElement).toBe(screen.getByPlaceholderText('Buscar atendimento e mensagens'))
  })

  it('starts a message with any other letter', async () => {
    const { user } = openLiveChat({ contacts: [rafaela()] }, '/live-chat?contato=rafaela')
    await screen.findByText('Nenhuma mensagem ainda')
    await user.keyboard('oi')
    expect((await composer()).value).toBe('oi')
  })

  it.each([
    ['a pointer', async (user: UserEvent) => user.click(await row(/Mariana/))],
    ['Enter', (user: UserEvent) => user.keyboard('{ArrowDown}{Enter}')],
  ])('writes to whoever was chosen with %s: no letter is a command then', async (_, choose) => {
    const attended = { ...mariana(), serviceStatus: 'attending' as const, waitingSince: null }
    const { user, state } = openLiveChat({ contacts: [attended, thiago()] })
    await user.click(await screen.findByRole('tab', { name: /Atendendo/ }))
    await row(/Mariana/)
    await choose(user)
    await heading('Mariana')
    await user.keyboard('entendi, seu bolo custa R$ 180{Enter}')
    await waitFor(() => expect(state.sent).toHaveLength(1))
    expect(state.sent[0]).toMatchObject({ contactId: 'mariana', message: 'entendi, seu bolo custa R$ 180' })
    expect(state.contacts.map(({ serviceStatus }) => serviceStatus)).toEqual(['attending', 'waiting'])
  })

  it('writes wherever somebody pressed in an open conversation, and beside it', async () => {
    const { user, state } = openLiveChat({ contacts: [rafaela(), thiago()] }, '/live-chat?contato=rafaela')
    for (const place of [await screen.findByRole('log'), await screen.findByRole('tab', { name: /Aguardando/ })]) {
      await user.click(place)
      await user.keyboard('e n 2 a /')
      expect((await composer()).value).toBe('e n 2 a /')
      await user.clear(await composer())
    }
    expect(state.contacts.map(({ serviceStatus }) => serviceStatus)).toEqual(['attending', 'waiting'])
  })

  it('writes from among the messages, too, what has no use there', async () => {
    const messages = [someMessage({ id: 'q', contactId: 'rafaela', content: 'Tem azul?' })]
    const { user, state } = openLiveChat({ contacts: [rafaela(), thiago()], messages }, '/live-chat?contato=rafaela')
    await screen.findByText('Tem azul?')
    await user.click(await composer())
    await user.keyboard('{ArrowUp}e n')
    expect((await composer()).value).toBe('e n')
    expect(state.contacts.map(({ serviceStatus }) => serviceStatus)).toEqual(['attending', 'waiting'])
  })

  it('takes letters as commands in the list that was reached by keys', async () => {
    const { user, state } = openLiveChat({ contacts: [rafaela(), thiago()] }, '/live-chat?contato=rafaela')
    await user.type(await composer(), 'até logo{Escape}')
    await user.keyboard('e')
    await waitFor(() => expect(state.contacts[0]?.serviceStatus).toBe('resolved'))
    expect((await composer()).value).toBe('até logo')
  })

  it('accepts, finishes and reopens with Ctrl and Shift, in the middle of a sentence too', async () => {
    const { user, state } = openLiveChat({ contacts: [mariana()] }, '/live-chat?contato=mariana')
    await user.type(await composer(), 'Um mom')
    for (const [key, status] of [
      ['a', 'attending'],
      ['e', 'resolved'],
      ['a', 'attending'],
    ] as const) {
      await user.keyboard(`{Control>}{Shift>}${key}{/Shift}{/Control}`)
      await waitFor(() => expect(state.contacts[0]?.serviceStatus).toBe(status))
      await screen.findByRole('button', { name: status === 'resolved' ? 'Reabrir' : 'Finalizar' })
    }
    await user.keyboard('ento')
    expect((await composer()).value).toBe('Um momento')
  })

  it('fires nothing while the person types', async () => {
    const { user, state } = openLiveChat({ contacts: [mariana(), thiago()] }, '/live-chat?contato=mariana')
    await user.type(await composer(), 'a e n j k 1 2 3 / ?')
    expect((await composer()).value).toBe('a e n j k 1 2 3 / ?')
    expect(screen.getByRole('tab', { name: /Aguardando/ })).toHaveProperty('ariaSelected', 'true')
    expect(screen.queryByRole('dialog')).toBeNull()
    expect(state.contacts.every(({ serviceStatus }) => serviceStatus === 'waiting')).toBe(true)
  })
})

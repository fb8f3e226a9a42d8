import { cursorHeader } from '@prosa/contracts/http/problem'
import { act, screen, waitFor, within } from '@testing-library/react'
import { HttpResponse, http } from 'msw'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { someContact } from './testing/chat-server.ts'
import { someMessage } from './testing/message-routes.ts'
import { openLiveChat } from './testing/open-live-chat.ts'
import { address, composer, heading, mariana, rafaela, row, thiago } from './testing/people.ts'

vi.setConfig({ testTimeout: 20_000 })

beforeEach(() => {
  localStorage.clear()
  sessionStorage.clear()
  // jsdom has no layout; the virtual list needs a height.
  vi.spyOn(Element.prototype, 'clientHeight', 'get').mockReturnValue(680)
  vi.spyOn(Element.prototype, 'clientWidth', 'get').mockReturnValue(340)
})

afterEach(() => {
  vi.restoreAllMocks()
})

describe('the list', () => {
  it('has three tabs and shows how many wait and how many are attended', async () => {
    openLiveChat({ contacts: [mariana(), thiago(), rafaela()] })
    expect(await screen.findByRole('tab', { name: 'Aguardando 2' })).toHaveProperty('ariaSelected', 'true')
    expect(screen.getByRole('tab', { name: 'Atendendo 1' })).toBeDefined()
    expect(screen.getByRole('tab', { name: 'Resolvidos' })).toBeDefined()
  })

  it('shows who, the last message, and how much is unread', async () => {
    openLiveChat({
      contacts: [
        {
          ...mariana(),
          lastMessage: { content: 'Tem na cor azul?', kind: 'text', sender: 'contact', status: null, isFlow: false },
        },
      ],
    })
    const shown = await row(/Mariana/)
    expect(within(shown).getByText('Tem na cor azul?')).toBeDefined()
    expect(within(shown).getByLabelText('1 mensagem não lida')).toBeDefined()
    expect(within(shown).getByTitle('Espera há mais de 5 minutos')).toBeDefined()
  })

  it('filters by name or phone once the typing rests', async () => {
    const { user } = openLiveChat({ contacts: [mariana(), thiago()] })
    await row(/Thiago/)
    await user.type(screen.getByPlaceholderText('Buscar atendimento e mensagens'), '2198877')
    await waitFor(() => expect(screen.queryByRole('option', { name: /Mariana/ })).toBeNull())
    expect(await screen.findByRole('option', { name: /Thiago/ })).toBeDefined()
  })

  it('shows that nothing was found and how to go on', async () => {
    openLiveChat({ contacts: [], connected: false })
    expect(await screen.findByText('Nenhuma conversa encontrada')).toBeDefined()
    expect(await screen.findByText('Conecte seu WhatsApp para ver suas conversas')).toBeDefined()
    expect(screen.getByText('Selecione uma conversa')).toBeDefined()
  })

  it('brings a new conversation when the server shows it', async () => {
    const { state, push } = openLiveChat({ contacts: [mariana()] })
    await row(/Mariana/)
    state.contacts = [thiago(), ...state.contacts]
    push('whatsapp:new_message', { contactId: 'thiago', position: '1' })
    expect(await row(/Thiago/)).toBeDefined()
  })

  it('shows that its next page did not come, asks once, and again when asked to', async () => {
    const first = Array.from({ length: 12 }, (_, index) =>
      someContact({ id: `c${index}`, name: `Cliente ${index}`, phone: `551198877${1000 + index}` }),
    )
    let refuses = true
    const asked: string[] = []
    const { server, user } = openLiveChat({ contacts: [] })
    server.use(
      http.get('*/api/whatsapp/contacts', ({ request }) => {
        const cursor = new URL(request.url).searchParams.get('cursor')
        if (cursor === null) return HttpResponse.json(first, { headers: { [cursorHeader]: 'second' } })
        asked.push(cursor)
        return refuses ? new HttpResponse(null, { status: 500 }) : HttpResponse.json([thiago()])
      }),
    )
    expect(await screen.findByText('Não foi possível carregar mais conversas.')).toBeDefined()
    await user.keyboard('jj')
    expect(asked).toEqual(['second'])
    expect(screen.getByRole('option', { name: /Cliente 11/ })).toBeDefined()
    refuses = false
    await user.click(screen.getByRole('button', { name: 'Tentar de novo' }))
    expect(await row(/Thiago/)).toBeDefined()
    expect(screen.queryByText('Não foi possível carregar mais conversas.')).toBeNull()
  })
})

describe('a conversation', () => {
  it('moves from Aguardando to Atendendo when it is accepted, and the composer is ready', async () => {
    const { user } = openLiveChat({ contacts: [mariana(), rafaela()] })
    await user.click(await row(/Mariana/))
    await user.click(await screen.findByRole('button', { name: 'Aceitar' }))
    expect(await screen.findByRole('button', { name: 'Finalizar' })).toBeDefined()
    expect(await screen.findByRole('tab', { name: 'Atendendo 2' })).toHaveProperty('ariaSelected', 'true')
    expect(screen.getByRole('tab', { name: 'Aguardando' })).toBeDefined()
    expect(await row(/Mariana/)).toBeDefined()
    expect(document.activeElement).toBe(await composer())
  })

  describe('that is accepted, once the server confirms it,', () => {
    const acceptSlowly = async () => {
      const { user, state } = openLiveChat({ contacts: [mariana(), thiago()] })
      let answer: (() => void) | undefined
      state.holdStatus = new Promise((resolve) => {
        answer = resolve
      })
      await user.click(await row(/Mariana/))
      await user.click(await screen.findByRole('button', { name: 'Aceitar' }))
      return { user, answer }
    }

    it('leaves the focus to whoever has gone on to search', async () => {
      const { user, answer } = await acceptSlowly()
      await user.keyboard('{Control>}{Shift>}f{/Shift}{/Control}')
      const field = await screen.findByRole('combobox', { name: 'Buscar nesta conversa' })
      answer?.()
      const attending = await screen.findByRole('tab', { name: 'Atendendo 1', hidden: true })
      await waitFor(() => expect(attending).toHaveProperty('ariaSelected', 'true'))
      expect(document.activeElement).toBe(field)
    })

    it('leaves whoever has opened another conversation there', async () => {
      const { user, answer } = await acceptSlowly()
      await user.click(await row(/Thiago/))
      await heading('Thiago')
      answer?.()
      expect(await screen.findByRole('tab', { name: 'Atendendo 1' })).toHaveProperty('ariaSelected', 'false')
      expect(await row(/Thiago/)).toBeDefined()
      expect(document.activeElement).toBe(await composer())
    })
  })

  it('shows Resolvido when it is finished, and the longest waiting is one key away', async () => {
    // More than one page: who waits longest is not loaded.
    const later = Array.from({ length: 60 }, (_, index) => ({ ...thiago(), id: `t${index}`, phone: `55219${index}` }))
    const { user } = openLiveChat({ contacts: [...later, mariana(), rafaela()] }, '/live-chat?contato=rafaela')
    await user.click(await screen.findByRole('button', { name: 'Finalizar' }))
    expect(await screen.findByText('Resolvido')).toBeDefined()
    expect(await screen.findByRole('button', { name: 'Próxima conversa' })).toBeDefined()
    await user.keyboard('{Alt>}{ArrowDown}{/Alt}')
    expect(await heading('Mariana')).toBeDefined()
    await waitFor(() => expect(address()).toBe('?contato=mariana'))
  })

  it('is in view at once when it is chosen: what is pressed next is never for the one before', async () => {
    openLiveChat({ contacts: [mariana(), thiago()] }, '/live-chat?contato=mariana')
    await heading('Mariana')
    const shown = await row(/Thiago/)
    // user-event would wait until all consequences are rendered.
    shown.click()
    await Promise.resolve()
    expect(screen.queryByRole('heading', { level: 2, name: 'Mariana' })).toBeNull()
    expect(screen.getByRole('heading', { level: 2, name: 'Thiago' })).toBeDefined()
    await waitFor(() => expect(address()).toBe('?contato=thiago'))
  })

  it('is the one of the address again when somebody goes back before the address follows', async () => {
    openLiveChat({ contacts: [mariana(), thiago()] }, '/live-chat?contato=mariana')
    await heading('Mariana')
    const shown = await row(/Thiago/)
    shown.click()
    await Promise.resolve()
    window.dispatchEvent(new PopStateEvent('popstate'))
    await Promise.resolve()
    expect(address()).toBe('?contato=mariana')
    expect(screen.getByRole('heading', { level: 2, name: 'Mariana' })).toBeDefined()
    expect(await heading('Thiago')).toBeDefined()
  })

  it('opens at the first unread message and is seen once', async () => {
    const messages = ['a', 'b'].map((id) => someMessage({ id, contactId: 'mariana' }))
    const { state } = openLiveChat({ contacts: [mariana()], messages }, '/live-chat?contato=mariana')
    const line = await screen.findByRole('separator', { name: 'Novas mensagens' })
    expect(line.parentElement?.nextElementSibling?.textContent).toContain('b')
    await waitFor(() => expect(state.seen).toEqual(['mariana']))
  })

  describe('that could not be marked as seen', () => {
    const openRefused = async () => {
      const messages = [someMessage({ id: 'a', contactId: 'mariana' })]
      const scene = openLiveChat({ contacts: [mariana()], messages }, '/live-chat?contato=mariana')
      let refused = 0
      const refuse = http.post('*/api/whatsapp/contacts/:id/seen', () => {
        refused += 1
        return new HttpResponse(null, { status: 500 })
      })
      scene.server.use(refuse)
      await waitFor(() => expect(refused).toBe(1))
      scene.server.resetHandlers()
      return scene
    }

    it('is marked a little later', async () => {
      const { state } = await openRefused()
      await waitFor(() => expect(state.seen).toEqual(['mariana']), { timeout: 10_000 })
    })

    it('is marked as soon as the line is back', async () => {
      const { state, push } = await openRefused()
      act(() => push('disconnect', 'transport close'))
      act(() => push('resumed', { position: '1', complete: true }))
      await waitFor(() => expect(state.seen).not.toEqual([]), { timeout: 4_000 })
    })
  })

  it('is not seen while the window is out of view', async () => {
    vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden')
    const messages = [someMessage({ id: 'a', contactId: 'mariana' })]
    const { state } = openLiveChat({ contacts: [mariana()], messages }, '/live-chat?contato=mariana')
    await screen.findByRole('log')
    vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('visible')
    expect(state.seen).toEqual([])
    document.dispatchEvent(new Event('visibilitychange'))
    await waitFor(() => expect(state.seen).toEqual(['mariana']))
  })

  it('notifies the server which one is in view', async () => {
    const { user, emitted } = openLiveChat({ contacts: [mariana(), thiago()] }, '/live-chat?contato=mariana')
    await user.click(await row(/Thiago/))
    await waitFor(() =>
      expect(emitted).toEqual([
        ['contact:open', 'mariana'],
        ['contact:close', 'mariana'],
        ['contact:open', 'thiago'],
      ]),
    )
  })

  it('names how far each of our messages got', async () => {
    const statuses = ['queued', 'sent', 'delivered', 'read', 'failed'] as const
    const messages = statuses.map((status) =>
      someMessage({ id: status, contactId: 'rafaela', sender: 'user', status, failure: 'Número bloqueado.' }),
    )
    openLiveChat({ contacts: [rafaela()], messages }, '/live-chat?contato=rafaela')
    const log = await screen.findByRole('log')
    const names = within(log)
      .getAllByRole('img')
      .map((icon) => icon.textContent)
    expect(names).toEqual(['enviando', 'enviada', 'entregue', 'lida', 'não enviada'])
    expect(within(log).getByText('Número bloqueado.')).toBeDefined()
  })

  it('closes for writing when it is erased elsewhere, and nothing of it is kept', async () => {
    const { server, user, state, push } = openLiveChat(
      { contacts: [rafaela(), mariana()] },
      '/live-chat?contato=rafaela',
    )
    await user.type(await composer(), 'Já volto')
    state.contacts = [mariana()]
    push('whatsapp:contact_update', { contactId: 'rafaela', position: '1' })
    expect(await screen.findByText('Esta conversa não existe mais')).toBeDefined()
    expect(screen.queryByRole('textbox', { name: /^Digite uma mensagem/ })).toBeNull()
    let refused = 0
    const refuse = () => {
      refused += 1
      return new HttpResponse(null, { status: 500 })
    }
    server.use(http.get('*/api/whatsapp/contacts/rafaela', refuse))
    push('whatsapp:contact_update', { contactId: 'rafaela', position: '2' })
    push('whatsapp:contact_update', { contactId: 'rafaela', position: '3' })
    await waitFor(() => expect(refused).toBe(2))
    expect(screen.getByText('Esta conversa não existe mais')).toBeDefined()
    await user.click(screen.getByRole('button', { name: 'Voltar para as conversas' }))
    await screen.findByText('Selecione uma conversa')
    expect(localStorage.getItem('prosa:drafts')).not.toContain('Já volto')
  })

  it('shows it when the next one cannot be read', async () => {
    const { server, user } = openLiveChat({ contacts: [mariana(), rafaela()] }, '/live-chat?contato=rafaela')
    await row(/Mariana/)
    server.use(http.get('*/api/whatsapp/longest-waiting', () => HttpResponse.error()))
    await user.keyboard('{Alt>}{ArrowDown}{/Alt}')
    expect(await screen.findByText('A próxima conversa não pôde ser aberta')).toBeDefined()
    expect(address()).toBe('?contato=rafaela')
  })

  it('shows it when nobody else waits any more', async () => {
    const { user, state } = openLiveChat({ contacts: [mariana(), rafaela()] }, '/live-chat?contato=rafaela')
    await row(/Mariana/)
    state.contacts = [rafaela()]
    await user.keyboard('{Alt>}{ArrowDown}{/Alt}')
    expect(await screen.findByText('Ninguém mais aguarda')).toBeDefined()
  })

  it('shows it when it does not exist', async () => {
    openLiveChat({ contacts: [] }, '/live-chat?contato=ninguem')
    expect(await screen.findByText('Esta conversa não existe mais')).toBeDefined()
  })
})

import type { Contact, MessageFound } from '@prosa/contracts/http/live-chat'
import { screen, waitFor, within } from '@testing-library/react'
import { HttpResponse, http } from 'msw'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { someFound as found, someContact } from '../testing/chat-server.ts'
import { openLiveChat } from '../testing/open-live-chat.ts'
import { excerptParts } from './marked-excerpt.tsx'

const contacts = [
  someContact({ id: 'mariana', name: 'Mariana', phone: '5511988776655' }),
  someContact({ id: 'thiago', name: 'Thiago', phone: '5521988776644' }),
]

const elisa = () => someContact({ id: 'elisa', name: 'Elisa', phone: '5551988112233', serviceStatus: 'resolved' })

const open = (messages: MessageFound[] = [], others: Contact[] = []) =>
  openLiveChat({ contacts: [...contacts, ...others], found: messages })

const box = () => screen.getByPlaceholderText<HTMLInputElement>('Buscar atendimento e mensagens')
const address = () => screen.getByLabelText('Endereço').textContent
const pointed = () => {
  const id = box().getAttribute('aria-activedescendant')
  return id && document.getElementById(id)?.textContent
}

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

describe('an excerpt', () => {
  it('falls into what was looked for and what stands around it', () => {
    expect(excerptParts('um \ue000bolo\ue001 de \ue000milho\ue001')).toEqual([
      { text: 'um ', marked: false },
      { text: 'bolo', marked: true },
      { text: ' de ', marked: false },
      { text: 'milho', marked: true },
    ])
    expect(excerptParts('nada')).toEqual([{ text: 'nada', marked: false }])
  })

  it('shows a stray mark as nothing, and never as markup', () => {
    expect(excerptParts('a\ue001b \ue000<b>c')).toEqual([
      { text: 'ab ', marked: false },
      { text: '<b>c', marked: true },
    ])
  })
})

describe('the search', () => {
  it('shows contacts and below them the messages with the words marked', async () => {
    const { user } = open([found('m1', 'quero um \ue000Thiago\ue001 aqui', { sender: 'user' })])
    await user.type(box(), 'thiago')
    const mark = await screen.findByText('Thiago', { selector: 'mark' })
    expect(mark.parentElement?.textContent).toBe('Você: quero um Thiago aqui')
    expect(screen.getByText('Conversas', { selector: '[role="presentation"]' })).toBeDefined()
    expect(screen.getByText('Mensagens')).toBeDefined()
    expect(screen.queryByText('Mariana')).toBeNull()
  })

  it('puts what is searched for into no address', async () => {
    const { server, user } = open([found('m1', 'um \ue000bolo\ue001')])
    const addresses: string[] = []
    server.events.on('request:start', ({ request }) => void addresses.push(request.url))
    await user.type(box(), '98877-6655')
    await screen.findByRole('option', { name: /Mariana/ })
    await user.clear(box())
    await user.type(box(), 'bolo')
    await screen.findByText('bolo', { selector: 'mark' })
    await waitFor(() => expect(addresses.filter((each) => each.endsWith('/search')).length).toBeGreaterThan(2))
    expect(addresses.filter((each) => /bolo|9887|6655|search=|[?&]q=/.test(each))).toEqual([])
    expect(address()).not.toMatch(/bolo|9887/)
  })

  it('opens the conversation at the message that was chosen with the keys alone', async () => {
    const { user } = open([found('m1', 'um \ue000bolo\ue001'), found('m2', 'dois \ue000bolos\ue001')])
    await screen.findByText('Mariana')
    await user.keyboard('/')
    expect(document.activeElement).toBe(box())
    await user.keyboard('bolo')
    await screen.findByText('bolos')
    await user.keyboard('{ArrowDown}')
    await waitFor(() => expect(pointed()).toContain('um bolo'))
    await user.keyboard('{ArrowDown}{ArrowDown}')
    expect(pointed()).toContain('dois bolos')
    await user.keyboard('{Enter}')
    await waitFor(() => expect(address()).toBe('?contato=thiago&mensagem=m2'))
    expect(document.activeElement?.getAttribute('aria-label')).toMatch(/^Digite uma mensagem/)
    await user.keyboard('{Escape}')
    expect(document.activeElement?.getAttribute('aria-label')).toBe('Resultados da busca')
    await user.keyboard('k{Enter}')
    await waitFor(() => expect(address()).toBe('?contato=thiago&mensagem=m1'))
  })

  it('opens the first result with Enter', async () => {
    const { user } = open()
    await user.type(box(), 'mari')
    await waitFor(() => expect(screen.queryByText('Thiago')).toBeNull())
    await user.keyboard('{Enter}')
    await waitFor(() => expect(address()).toBe('?contato=mariana'))
  })

  it('brings more messages when they are asked for', async () => {
    const { user } = open(Array.from({ length: 25 }, (_, at) => found(`m${at}`, `\ue000bolo\ue001 ${at}`)))
    await user.type(box(), 'bolo')
    await user.click(await screen.findByText('Mais resultados'))
    await waitFor(() => expect(screen.getAllByText('bolo', { selector: 'mark' })).toHaveLength(25))
    expect(screen.queryByText('Mais resultados')).toBeNull()
  })

  it('shows that nothing was found, and Esc leads back to the list', async () => {
    const { user } = open()
    await user.type(box(), 'xyz')
    expect(await screen.findByText('Nada com “xyz” nos nomes, nos telefones e nas mensagens.')).toBeDefined()
    await user.keyboard('{Escape}')
    expect(box().value).toBe('')
    expect(await screen.findByText('Mariana')).toBeDefined()
    await user.keyboard('{Escape}')
    expect(document.activeElement).not.toBe(box())
  })

  it('shows that messages could not be looked through, and tries again', async () => {
    const { server, user } = open([found('m1', '\ue000Thiago\ue001, bom dia')])
    server.use(http.post('*/api/whatsapp/search', () => new HttpResponse(null, { status: 500 }), { once: true }))
    await user.type(box(), 'thiago')
    expect(await screen.findByText(/Não foi possível concluir/)).toBeDefined()
    await user.click(screen.getByText('Tentar de novo'))
    expect(await screen.findByText('Thiago', { selector: 'mark' })).toBeDefined()
  })

  it('finds people of every tab, shows where each conversation stands, and leads to its tab', async () => {
    const { user } = open([], [elisa()])
    await user.type(box(), 'elisa')
    const row = await screen.findByRole('option', { name: /Elisa/ })
    expect(within(row).getByText('Resolvido')).toBeDefined()
    await user.click(row)
    await waitFor(() => expect(address()).toBe('?contato=elisa'))
    await user.click(screen.getByLabelText('Limpar busca'))
    expect(await screen.findByRole('listbox', { name: 'Resolvidos' })).toBeDefined()
    expect(screen.getByRole('tab', { name: 'Resolvidos' })).toHaveProperty('ariaSelected', 'true')
  })

  it('leads to the tab of the conversation that a message was found in', async () => {
    const { user } = open([found('m1', 'um \ue000bolo\ue001', { contactId: 'elisa', contactName: 'Elisa' })], [elisa()])
    await user.type(box(), 'bolo')
    await user.click(await screen.findByText('bolo', { selector: 'mark' }))
    expect(await screen.findByRole('heading', { level: 2, name: 'Elisa' })).toBeDefined()
    await user.click(screen.getByLabelText('Limpar busca'))
    expect(await screen.findByRole('listbox', { name: 'Resolvidos' })).toBeDefined()
  })

  it('belongs to no tab, and ends when a tab is chosen', async () => {
    const { user } = open([], [elisa()])
    await user.type(box(), 'elisa')
    await screen.findByRole('option', { name: /Elisa/ })
    expect(screen.getAllByRole('tab').map(({ ariaSelected }) => ariaSelected)).toEqual(['false', 'false', 'false'])
    await user.click(screen.getByRole('tab', { name: /Aguardando/ }))
    expect(await screen.findByRole('option', { name: /Mariana/ })).toBeDefined()
    expect(box().value).toBe('')
    expect(screen.queryByRole('option', { name: /Elisa/ })).toBeNull()
  })

  it('keeps what it found in view when the names cannot be read again', async () => {
    const { server, user, push, state } = open([found('m1', '\ue000Thiago\ue001, bom dia')])
    await user.type(box(), 'thiago')
    const mark = await screen.findByText('Thiago', { selector: 'mark' })
    let refused = 0
    const refuse = () => {
      refused += 1
      return HttpResponse.error()
    }
    server.use(http.post('*/api/whatsapp/contacts/search', refuse, { once: true }))
    push('whatsapp:new_message', { contactId: 'mariana', position: '1' })
    await waitFor(() => expect(refused).toBe(1))
    state.contacts = [...contacts, someContact({ id: 'other', name: 'Thiago Reis', phone: '5521988776600' })]
    await waitFor(() => {
      push('whatsapp:new_message', { contactId: 'mariana', position: '1' })
      expect(screen.getByRole('option', { name: /Thiago Reis/ })).toBeDefined()
    })
    expect(mark.isConnected).toBe(true)
  })

  it('shows the messages also when the names could not be looked through, shows it, and tries again', async () => {
    const { server, user } = open([found('m1', '\ue000Thiago\ue001, bom dia')])
    await screen.findByText('Mariana')
    server.use(
      http.post('*/api/whatsapp/contacts/search', () => new HttpResponse(null, { status: 500 }), { once: true }),
    )
    await user.type(box(), 'thiago')
    expect(await screen.findByText('As conversas não puderam ser buscadas')).toBeDefined()
    expect(screen.getByText('Thiago', { selector: 'mark' })).toBeDefined()
    await user.click(screen.getByRole('button', { name: 'Tentar de novo' }))
    expect(await screen.findByText('Conversas', { selector: '[role="presentation"]' })).toBeDefined()
  })

  it('is ready for other words when it is cleared', async () => {
    const { user } = open()
    await user.type(box(), 'xyz')
    await user.click(screen.getByLabelText('Limpar busca'))
    expect(document.activeElement).toBe(box())
    await user.type(box(), 'xyz')
    await screen.findByText(/^Nada com “xyz”/)
    await user.click(screen.getByText('Limpar busca'))
    expect(document.activeElement).toBe(box())
  })

  it('leaves the space at which the typing rests', async () => {
    const { user } = open([found('m1', 'um \ue000bolo\ue001')])
    await user.type(box(), 'um ')
    await screen.findByText('bolo', { selector: 'mark' })
    await user.keyboard('bolo')
    expect(box().value).toBe('um bolo')
  })

  it('takes no more text than can be looked for', async () => {
    const { user } = open()
    await user.click(box())
    await user.paste('x'.repeat(150))
    expect(box().value).toHaveLength(100)
  })

  it('shows that there is nothing only when it knows', async () => {
    const { server, state, user } = open([], [elisa()])
    state.contacts = [elisa()]
    let letGo: (() => void) | undefined
    const held = new Promise<void>((resolve) => {
      letGo = resolve
    })
    await screen.findByText('Nenhuma conversa encontrada')
    server.use(
      http.post('*/api/whatsapp/contacts/search', async () => {
        await held
      }),
    )
    await user.type(box(), 'elisa')
    expect(await screen.findByRole('status', { name: 'Buscando...' })).toBeDefined()
    expect(screen.queryByText(/^Nada com/)).toBeNull()
    letGo?.()
    expect(await screen.findByRole('option', { name: /Elisa/ })).toBeDefined()
  })

  it('opens the first result with Enter also when too little is left to look through messages', async () => {
    const { user } = open()
    await user.type(box(), 'th')
    await waitFor(() => expect(screen.queryByText('Mariana')).toBeNull())
    await user.keyboard('{Backspace}')
    await waitFor(async () => {
      await user.keyboard('{Enter}')
      expect(address()).toBe('?contato=thiago')
    })
  })
})

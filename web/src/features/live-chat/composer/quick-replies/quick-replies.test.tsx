import type { QuickReply } from '@prosa/contracts/http/quick-replies'
import { screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { anUser } from '../../../../../test/prosa-server.ts'
import { chatServer, someContact } from '../../testing/chat-server.ts'
import { renderLiveChat } from '../../testing/render-live-chat.tsx'

const reply = (shortcut: string, content: string, isActive = true): QuickReply => ({
  id: shortcut,
  shortcut,
  content,
  isActive,
})

const quickReplies = [
  reply('horario', 'Abrimos às 8h e fechamos às 18h.'),
  reply('pix', 'Nossa chave Pix é o CNPJ.'),
  reply('promo', 'Promoção encerrada', false),
  reply('tchau', 'Obrigada e até amanhã!'),
]

let started: ReturnType<typeof chatServer>['server'] | undefined

const open = (scene: Partial<Parameters<typeof chatServer>[0]> = {}, user = anUser) => {
  const { server, state } = chatServer({
    contacts: [someContact({ id: 'rafaela', name: 'Rafaela', serviceStatus: 'attending' })],
    quickReplies,
    ...scene,
  })
  const asked: string[] = []
  server.events.on('request:start', ({ request }) => {
    asked.push(new URL(request.url).pathname)
  })
  server.listen({ onUnhandledRequest: 'error' })
  started = server
  const rendered = renderLiveChat('/live-chat?contato=rafaela', user)
  return { state, asked, ...rendered }
}

const composer = () =>
  screen.findByPlaceholderText<HTMLTextAreaElement>('Digite uma mensagem ou / para respostas rápidas')
const popup = () => screen.queryByText('Respostas Rápidas')
const offered = () => screen.queryAllByText(/^\//, { selector: '[role="option"] p' }).map((line) => line.textContent)
const pointed = async () => {
  const id = (await composer()).getAttribute('aria-activedescendant')
  return id && document.getElementById(id)?.textContent
}

beforeEach(() => {
  localStorage.clear()
  sessionStorage.clear()
})

afterEach(() => {
  vi.restoreAllMocks()
  started?.close()
})

describe('quick replies in the composer', () => {
  it('open with a slash: the active ones, counted, with a hint', async () => {
    const { user } = open()
    await user.type(await composer(), '/')
    await waitFor(() => expect(offered()).toEqual(['/horario', '/pix', '/tchau']))
    expect(popup()).not.toBeNull()
    expect(screen.getByText('3 respostas')).toBeDefined()
    expect(screen.getByText('Digite "/" para ver todas as respostas ou comece a digitar para filtrar')).toBeDefined()
  })

  it('are filtered by shortcut and content, without case and accents, and Enter puts the content in the box', async () => {
    const { user, state } = open()
    const box = await composer()
    await user.type(box, '/AMANHA')
    await waitFor(() => expect(offered()).toEqual(['/tchau']))
    await user.keyboard('{Enter}')
    expect(box.value).toBe('Obrigada e até amanhã!')
    expect(popup()).toBeNull()
    expect(document.activeElement).toBe(box)
    expect(state.sent).toEqual([])
  })

  it('are walked with the arrow keys, round and round, while the focus stays in the box', async () => {
    const { user } = open()
    const box = await composer()
    await user.type(box, '/')
    await waitFor(() => expect(offered()).toHaveLength(3))
    expect(await pointed()).toContain('/horario')
    await user.keyboard('{ArrowDown}')
    expect(await pointed()).toContain('/pix')
    await user.keyboard('{ArrowUp}{ArrowUp}')
    expect(await pointed()).toContain('/tchau')
    expect(document.activeElement).toBe(box)
    await user.keyboard('{ArrowDown}{Enter}')
    expect(box.value).toBe('Abrimos às 8h e fechamos às 18h.')
  })

  it('are chosen by a click', async () => {
    const { user } = open()
    const box = await composer()
    await user.type(box, '/p')
    await user.click(await screen.findByText('Nossa chave Pix é o CNPJ.'))
    expect(box.value).toBe('Nossa chave Pix é o CNPJ.')
    expect(document.activeElement).toBe(box)
  })

  it('are closed by Escape, after which Enter sends what was written', async () => {
    const { user, state } = open()
    await user.type(await composer(), '/pi')
    await waitFor(() => expect(offered()).toEqual(['/pix']))
    await user.keyboard('{Escape}')
    expect(popup()).toBeNull()
    await user.keyboard('{Enter}')
    await waitFor(() => expect(state.sent.map(({ message }) => message)).toEqual(['/pi']))
  })

  it('show that nothing matches, and a mistyped shortcut is not sent', async () => {
    const { user, state } = open()
    const box = await composer()
    await user.type(box, '/xyz')
    expect(await screen.findByText('Nenhuma resposta rápida encontrada para "xyz"')).toBeDefined()
    await user.keyboard('{Enter}')
    expect(box.value).toBe('/xyz')
    expect(state.sent).toEqual([])
  })

  it('take the place of a slash in the middle of a text, with the name of the contact, the caret behind them', async () => {
    const { user, state } = open({ quickReplies: [reply('oi', 'Oi, {nome}! Tudo bem?')] })
    const box = await composer()
    await user.type(box, 'Bom dia. /oi')
    await waitFor(() => expect(offered()).toEqual(['/oi']))
    await user.keyboard('{Enter}')
    expect(box.value).toBe('Bom dia. Oi, Rafaela! Tudo bem?')
    await user.keyboard(' 🙂{Enter}')
    await waitFor(() =>
      expect(state.sent.map(({ message }) => message)).toEqual(['Bom dia. Oi, Rafaela! Tudo bem? 🙂']),
    )
  })

  it('name the business where it has a name', async () => {
    const company = { ...anUser.company, name: 'Padaria Sol' }
    const quickReplies = [reply('oi', 'Aqui é da {empresa}.')]
    const { user } = open({ quickReplies }, { ...anUser, company })
    const box = await composer()
    await user.type(box, '/oi')
    await waitFor(() => expect(offered()).toEqual(['/oi']))
    await user.keyboard('{Enter}')
    expect(box.value).toBe('Aqui é da Padaria Sol.')
  })

  it('leave a slash alone that asks for nothing they know', async () => {
    const { user, state } = open()
    const box = await composer()
    await user.type(box, 'Das 8h /xyz')
    expect(popup()).toBeNull()
    await user.type(box, ' 10/2{Enter}')
    await waitFor(() => expect(state.sent.map(({ message }) => message)).toEqual(['Das 8h /xyz 10/2']))
  })

  it('lead to the settings where there are none', async () => {
    const { user } = open({ quickReplies: [] })
    await user.type(await composer(), '/')
    const link = await screen.findByText('Criar resposta rápida')
    expect(link.getAttribute('href')).toBe('/settings?secao=respostas-rapidas')
  })

  it('are read only once somebody writes, and again when a push names a change of them', async () => {
    const { user, state, asked, push } = open()
    const box = await composer()
    const readings = () => asked.filter((path) => path === '/api/quick-replies').length
    expect(readings()).toBe(0)
    await user.type(box, '/')
    await waitFor(() => expect(offered()).toHaveLength(3))
    state.quickReplies = [reply('novo', 'Nova resposta')]
    push('quick_replies:update', { position: '1' })
    await waitFor(() => expect(offered()).toEqual(['/novo']))
    expect(readings()).toBe(2)
  })
})

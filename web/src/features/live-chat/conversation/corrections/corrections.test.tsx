import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { anewEachTest } from '../../testing/anew-each-test.ts'
import { chatServer, someContact } from '../../testing/chat-server.ts'
import { someMessage } from '../../testing/message-routes.ts'
import { renderLiveChat } from '../../testing/render-live-chat.tsx'

type Some = Partial<Parameters<typeof someMessage>[0]> & { id: string }
const messageOf = (over: Some) => someMessage({ contactId: 'rafaela', ...over })
const own = (over: Some) => messageOf({ sender: 'user', ...over })
const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString()

vi.setConfig({ testTimeout: 30_000 })

let started: ReturnType<typeof chatServer>['server'] | undefined

const open = (...messages: ReturnType<typeof someMessage>[]) => {
  const contacts = [someContact({ id: 'rafaela', name: 'Rafaela', serviceStatus: 'attending' })]
  const { server, state } = chatServer({ contacts, messages })
  server.listen({ onUnhandledRequest: 'error' })
  started = server
  return { state, ...renderLiveChat('/live-chat?contato=rafaela') }
}
const log = async () => within(await screen.findByRole('log'))
const composer = () => screen.findByRole<HTMLTextAreaElement>('textbox', { name: /^(Digite|Editar mensagem)/ })
const more = async (text: string) => {
  const bubble = (await (await log()).findByText(text)).closest<HTMLElement>('[id^="message-"]')
  if (!bubble) throw new Error('it stands in no bubble')
  return within(bubble).getByRole('button', { name: 'Mais ações' })
}

anewEachTest()
afterEach(() => started?.close())

describe('an own message', () => {
  it('is edited from its menu: the composer holds it, the draft comes back afterwards', async () => {
    const { user, state } = open(own({ id: 'M', content: 'Custa R$ 180' }))
    const box = await composer()
    await user.type(box, 'um rascunho')
    await user.click(await more('Custa R$ 180'))
    fireEvent.click(await screen.findByRole('menuitem', { name: /^Editar/ }))
    expect(document.activeElement).toBe(box)
    expect(await screen.findByRole('group', { name: 'Editando mensagem' })).toBeDefined()
    expect(box.value).toBe('Custa R$ 180')
    await user.clear(box)
    await user.type(box, 'Custa R$ 170{Enter}')
    await waitFor(() => expect(state.corrections).toEqual([{ messageId: 'M', text: 'Custa R$ 170' }]))
    expect(await (await log()).findByText('Custa R$ 170')).toBeDefined()
    expect(await (await log()).findByText('editada')).toBeDefined()
    expect((await composer()).value).toBe('um rascunho')
    expect(state.sent).toEqual([])
  })

  it('says why its tick is as it is, and gives the focus back', async () => {
    const { user, state } = open(own({ id: 'M', content: 'Custa R$ 180', status: 'read' }))
    const button = await more('Custa R$ 180')
    await user.click(button)
    fireEvent.click(await screen.findByRole('menuitem', { name: 'Por que este tique?' }))
    const answer = within(await screen.findByRole('dialog', { name: 'Tique: lida' }))
    expect(answer.getByText('um aviso do WhatsApp')).toBeDefined()
    expect(state.asksWhy).toEqual([['rafaela', 'tick', 'M']])
    await user.click(answer.getByRole('button', { name: 'Fechar' }))
    await waitFor(() => expect(document.activeElement).toBe(button))
  })

  it('of the contact has no tick to ask about', async () => {
    const { user } = open(messageOf({ id: 'M', content: 'bom dia' }))
    await user.click(await more('bom dia'))
    await screen.findByRole('menuitem', { name: /^Copiar texto/ })
    expect(screen.queryByRole('menuitem', { name: 'Por que este tique?' })).toBeNull()
  })

  it('is edited by ↑ in an empty box, and left as it is by Esc', async () => {
    const { user, state } = open(own({ id: 'M', content: 'às 7h' }), messageOf({ id: 'oi' }))
    await (await log()).findByText('oi')
    await user.click(await composer())
    await user.keyboard('{ArrowUp}')
    expect((await composer()).value).toBe('às 7h')
    await user.keyboard('x{Escape}')
    expect((await composer()).value).toBe('')
    await user.keyboard('{Control>}{ArrowUp}{/Control}')
    expect(document.activeElement).toBe(screen.getByRole('log').closest('[data-history]') ?? screen.getByRole('log'))
    expect(state.corrections).toEqual([])
  })

  it('that is too old to be edited lets ↑ walk the messages, and shows it on F2', async () => {
    const { user } = open(own({ id: 'M', content: 'faz tempo', timestamp: minutesAgo(16) }))
    await (await log()).findByText('faz tempo')
    await user.click(await composer())
    await user.keyboard('{ArrowUp}{F2}')
    expect(await screen.findByText('O WhatsApp só deixa editar até 15 minutos depois do envio')).toBeDefined()
    expect(screen.queryByRole('group', { name: 'Editando mensagem' })).toBeNull()
  })

  it('is taken back for everyone after a question', async () => {
    const { user, state } = open(own({ id: 'M', content: 'segredo', timestamp: minutesAgo(60) }))
    await user.click(await more('segredo'))
    expect(screen.queryByRole('menuitem', { name: /^Editar/ })).toBeNull()
    await user.click(await screen.findByRole('menuitem', { name: /^Apagar para todos/ }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Apagar esta mensagem para todos?' }))
    expect(dialog.getByText(/^Rafaela verá/)).toBeDefined()
    await user.click(dialog.getByRole('button', { name: 'Apagar para todos' }))
    await waitFor(() => expect(state.corrections).toEqual([{ messageId: 'M', text: null }]))
    expect(await (await log()).findByText('Mensagem apagada')).toBeDefined()
  })

  it('shows what is on its way, and of what failed why, with the way on', async () => {
    const { user } = open(
      own({ id: 'A', content: 'velho', correction: { kind: 'edit', content: 'novo', failure: null } }),
      own({ id: 'B', content: 'fica', correction: { kind: 'deletion', content: null, failure: null } }),
      own({ id: 'C', content: 'era', correction: { kind: 'edit', content: 'seria', failure: 'O WhatsApp recusou.' } }),
    )
    expect(await (await log()).findByText('novo')).toBeDefined()
    expect((await log()).queryByText('velho')).toBeNull()
    expect((await log()).getByText('fica')).toBeDefined()
    expect((await log()).getByText(/apagando/)).toBeDefined()
    expect((await log()).getAllByTitle('a caminho do contato')).toHaveLength(2)
    expect((await log()).getByText('era')).toBeDefined()
    expect((await log()).getByText(/sem a edição\. O WhatsApp recusou\./)).toBeDefined()
    await user.click((await log()).getByRole('button', { name: 'Editar de novo' }))
    expect((await composer()).value).toBe('seria')
  })

  it('stays as it was when the edit was refused, with the reason', async () => {
    const { user, state } = open(own({ id: 'M', content: 'às 7h' }))
    state.refuseCorrection = 'O WhatsApp só deixa editar até 15 minutos depois do envio.'
    await (await log()).findByText('às 7h')
    await user.click(await composer())
    await user.keyboard('{ArrowUp}{Backspace}{Enter}')
    expect(await screen.findByText('A mensagem não foi editada')).toBeDefined()
    expect(await (await log()).findByText('às 7h')).toBeDefined()
  })
})

describe('any message', () => {
  it('is copied as it was written, marks and all', async () => {
    const { user } = open(messageOf({ id: 'M', content: 'é *hoje*' }))
    await user.click(await more('hoje'))
    expect(screen.queryByRole('menuitem', { name: /^(Editar|Apagar)/ })).toBeNull()
    await user.click(await screen.findByRole('menuitem', { name: /^Copiar texto/ }))
    expect(await screen.findByText('Mensagem copiada')).toBeDefined()
    expect(await navigator.clipboard.readText()).toBe('é *hoje*')
  })

  it('that is long shows its beginning, and the rest when asked for', async () => {
    const { user } = open(messageOf({ id: 'M', content: `${'palavra '.repeat(200)}fim` }))
    await user.click(await (await log()).findByRole('button', { name: 'Ler mais' }))
    expect((await log()).getByText(/palavra fim$/)).toBeDefined()
    await user.click((await log()).getByRole('button', { name: 'Ler menos' }))
    expect((await log()).queryByText(/fim$/)).toBeNull()
  })

  it('shows WhatsApp’s formatting as elements, never as HTML', async () => {
    open(messageOf({ id: 'M', content: '*forte* <b>não</b> _leve_ ~fora~ `código`\n> citado\n- item' }))
    const text = (await (await log()).findByText('forte')).closest('[id^="message-"]') as HTMLElement
    expect(text.querySelector('strong')?.textContent).toBe('forte')
    expect(text.querySelector('em')?.textContent).toBe('leve')
    expect(text.querySelector('s')?.textContent).toBe('fora')
    expect(text.querySelector('code')?.textContent).toBe('código')
    expect(text.querySelector('blockquote')?.textContent).toBe('citado')
    expect(text.querySelector('li')?.textContent).toBe('item')
    expect(text.querySelector('b')).toBeNull()
    expect(text.textContent).toContain('<b>não</b>')
  })
})

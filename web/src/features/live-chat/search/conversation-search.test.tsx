import type { MessageFound } from '@prosa/contracts/http/live-chat'
import { screen, waitFor, within } from '@testing-library/react'
import { HttpResponse, http } from 'msw'
import { describe, expect, it, vi } from 'vitest'
import { anewEachTest } from '../testing/anew-each-test.ts'
import { someFound as found, someContact } from '../testing/chat-server.ts'
import { someMessage } from '../testing/message-routes.ts'
import { openLiveChat } from '../testing/open-live-chat.ts'

const contacts = [
  someContact({ id: 'thiago', name: 'Thiago', phone: '5521988776644' }),
  someContact({ id: 'mariana', name: 'Mariana' }),
]
const messages = Array.from({ length: 30 }, (_, at) => someMessage({ id: `m${at}`, contactId: 'thiago' }))

const two = () => [found('m8', 'dois \ue000bolos\ue001', { sender: 'user' }), found('m2', 'um \ue000bolo\ue001')]

const open = async (found: MessageFound[] = [], address = '/live-chat?contato=thiago') => {
  const opened = openLiveChat({ contacts, messages, found }, address)
  if (address.includes('contato')) await screen.findByRole('log')
  return opened
}

const onScreen = (pixels: number) =>
  vi.stubGlobal('matchMedia', (query: string) => {
    const [, side, width] = /\((min|max)-width:\s*([\d.]+)px\)/.exec(query) ?? []
    const matches = side !== undefined && (side === 'min' ? pixels >= Number(width) : pixels <= Number(width))
    return { matches, media: query, addEventListener: () => undefined, removeEventListener: () => undefined }
  })
const onWideScreen = () => onScreen(1280)
const onPhone = () => onScreen(390)

const panel = () => screen.findByLabelText('Busca na conversa', { selector: 'aside' })
const field = () => screen.findByLabelText<HTMLInputElement>('Buscar nesta conversa')
const button = () => screen.getByLabelText('Buscar na conversa')
const pointed = async () =>
  document.getElementById((await field()).getAttribute('aria-activedescendant') ?? '')?.textContent
const address = () => screen.getByLabelText('Endereço').textContent
const options = async () => within(await screen.findByLabelText('Mensagens encontradas')).getAllByRole('option')
const isGone = () =>
  waitFor(() => expect(screen.queryByLabelText('Busca na conversa', { selector: 'aside' })).toBeNull())

anewEachTest()

describe('the search within a conversation', () => {
  it('finds the messages there alone: by whom, when, and with the words marked', async () => {
    onWideScreen()
    const { user } = await open([...two(), found('x', 'outro \ue000bolo\ue001', { contactId: 'mariana' })])
    await user.click(button())
    await waitFor(async () => expect(document.activeElement).toBe(await field()))
    expect(
      within(await panel()).getByText('Escreva ao menos duas letras do que foi dito nesta conversa.'),
    ).toBeDefined()
    await user.keyboard('bolo')
    const [own, theirs, ...others] = await options()
    expect(others).toEqual([])
    expect(own?.textContent).toMatch(/^Você.*dois bolos$/)
    expect(theirs?.textContent).toMatch(/^Thiago.*um bolo$/)
    expect(within(theirs as HTMLElement).getByText('bolo', { selector: 'mark' })).toBeDefined()
    expect(
      within(await panel())
        .getByText('2 mensagens')
        .closest('[role="status"]'),
    ).not.toBeNull()
  })

  it('goes to one place after the other with the keys alone, and stays open beside the conversation', async () => {
    onWideScreen()
    const { user } = await open(two())
    await user.keyboard('{Control>}{Shift>}F{/Shift}{/Control}')
    await waitFor(async () => expect(document.activeElement).toBe(await field()))
    await user.keyboard('bolo')
    await options()
    await user.keyboard('{ArrowDown}{Enter}')
    await waitFor(() => expect(address()).toBe('?contato=thiago&mensagem=m8&busca='))
    await user.keyboard('{ArrowDown}')
    expect(await pointed()).toContain('um bolo')
    await user.keyboard('{Enter}')
    await waitFor(() => expect(address()).toBe('?contato=thiago&mensagem=m2&busca='))
    expect(document.activeElement).toBe(await field())
  })

  it('closes with Esc, gives the focus back to its button, and is found again as it was left', async () => {
    onWideScreen()
    const { user } = await open(two())
    await user.click(button())
    await user.type(await field(), 'bolo')
    await options()
    await user.keyboard('{Escape}')
    await isGone()
    expect(document.activeElement).toBe(button())
    expect(screen.getByRole('heading', { level: 2, name: 'Thiago' })).toBeDefined()
    await user.click(button())
    expect((await field()).value).toBe('bolo')
    expect(await options()).toHaveLength(2)
  })

  it('takes the place of the details, and they take its place', async () => {
    onWideScreen()
    const { user } = await open()
    const details = () => screen.queryByLabelText('Detalhes do contato', { selector: 'aside' })
    await user.click(screen.getByLabelText('Detalhes do contato', { selector: 'button' }))
    await waitFor(() => expect(details()).not.toBeNull())
    await user.keyboard('{Control>}{Shift>}F{/Shift}{/Control}')
    await panel()
    expect(details()).toBeNull()
    await user.keyboard('{Control>}i{/Control}')
    await waitFor(() => expect(details()).not.toBeNull())
    await isGone()
    await user.click(within(details() as HTMLElement).getByRole('button', { name: 'Buscar na conversa' }))
    await panel()
    expect(details()).toBeNull()
  })

  it('ends when another conversation is opened', async () => {
    onWideScreen()
    const { user } = await open(two())
    await user.click(button())
    await user.type(await field(), 'bolo')
    await user.click(await screen.findByRole('option', { name: /Mariana/ }))
    await waitFor(() => expect(address()).toBe('?contato=mariana'))
    await isGone()
    await user.click(await screen.findByLabelText('Buscar na conversa'))
    expect((await field()).value).toBe('')
  })

  it('closes where it covers the conversation when a place is chosen, and leaves no step of its own behind', async () => {
    onPhone()
    const { user } = await open(two(), '/live-chat')
    await user.click(await screen.findByRole('option', { name: /Thiago/ }))
    await user.click(await screen.findByLabelText('Buscar na conversa'))
    await waitFor(() => expect(address()).toBe('?contato=thiago&busca='))
    await user.type(await field(), 'bolo')
    const [, theirs] = await options()
    await user.click(theirs as HTMLElement)
    await waitFor(() => expect(address()).toBe('?contato=thiago&mensagem=m2'))
    await isGone()
    await user.click(screen.getByLabelText('Voltar para as conversas'))
    await waitFor(() => expect(address()).toBe(''))
  })

  it('brings more messages when they are asked for, and the keys go on with the first of them', async () => {
    onWideScreen()
    const { user } = await open(Array.from({ length: 25 }, (_, at) => found(`m${at}`, `\ue000bolo\ue001 ${at}`)))
    await user.click(button())
    await user.type(await field(), 'bolo')
    expect(await screen.findByText('Mais de 20 mensagens')).toBeDefined()
    await user.keyboard('{ArrowDown>21/}{Enter}')
    expect(await screen.findByText('25 mensagens')).toBeDefined()
    expect(await options()).toHaveLength(25)
    expect(await pointed()).toContain('bolo 20')
    await user.keyboard('{ArrowDown}')
    expect(await pointed()).toContain('bolo 21')
  })

  it('shows that nothing was found, with the words, and begins anew', async () => {
    onWideScreen()
    const { user } = await open()
    await user.click(button())
    await user.type(await field(), 'xyz')
    const sentence = await screen.findByText('Nada com “xyz” nesta conversa.')
    expect(sentence.closest('[role="status"]')).not.toBeNull()
    await user.click(screen.getByText('Limpar busca'))
    expect((await field()).value).toBe('')
    expect(document.activeElement).toBe(await field())
    expect(await screen.findByText('Escreva ao menos duas letras do que foi dito nesta conversa.')).toBeDefined()
  })

  it('shows that the messages could not be looked through, and tries again', async () => {
    onWideScreen()
    const { server, user } = await open(two())
    server.use(http.post('*/api/whatsapp/search', () => new HttpResponse(null, { status: 500 }), { once: true }))
    await user.click(button())
    await user.type(await field(), 'bolo')
    expect(await screen.findByText(/Não foi possível concluir/)).toBeDefined()
    expect(screen.queryByText(/^Nada com/)).toBeNull()
    await user.click(screen.getByRole('button', { name: 'Tentar de novo' }))
    expect(await options()).toHaveLength(2)
  })

  it('shows that it looks while the answer takes its time', async () => {
    onWideScreen()
    const { server, user } = await open(two())
    let answer: (() => void) | undefined
    const held = new Promise<void>((resolve) => {
      answer = resolve
    })
    server.use(
      http.post(
        '*/api/whatsapp/search',
        async () => {
          await held
          return HttpResponse.json({ items: two(), nextCursor: null })
        },
        { once: true },
      ),
    )
    await user.click(button())
    await user.type(await field(), 'bolo')
    expect(await screen.findByRole('status', { name: 'Buscando nas mensagens...' })).toBeDefined()
    answer?.()
    expect(await options()).toHaveLength(2)
    expect(screen.queryByRole('status', { name: 'Buscando nas mensagens...' })).toBeNull()
  })
})

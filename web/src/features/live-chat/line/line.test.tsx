import type { Connection } from '@prosa/contracts/http/connections'
import type { Contact } from '@prosa/contracts/http/live-chat'
import { act, screen, waitFor, within } from '@testing-library/react'
import { describe, expect, it, vi } from 'vitest'
import { anUser } from '../../../../test/prosa-server.ts'
import { connectionsQuery } from '../../../lib/account/connections.ts'
import { anewEachTest } from '../testing/anew-each-test.ts'
import { someFound, someNumber } from '../testing/chat-server.ts'
import { someMessage } from '../testing/message-routes.ts'
import { openLiveChat } from '../testing/open-live-chat.ts'
import { address, composer, heading, mariana, rafaela, row, thiago } from '../testing/people.ts'

// Loaded here: test timeouts must not include it.
import '../labels/labels-menu.tsx'
import '../labels/list-bar.tsx'
import '../panel-content.tsx'
import '../search/search-results.tsx'
import './line-away.tsx'
import './line-dialog.tsx'
import './line-parts.tsx'

vi.setConfig({ testTimeout: 30_000 })
anewEachTest()

const shop = someNumber(1, { name: 'Loja' })
const sales = someNumber(2, { name: 'Vendas' })
const workshop = someNumber(3, { name: 'Oficina' })
const down = (number: Connection): Connection => ({ ...number, status: 'disconnected', line: 'unlinked' })
const unlinked = someNumber(9, { name: 'Nova', status: 'disconnected', line: 'unused', phoneNumber: null, phone: null })
const atRafaela = '/live-chat?contato=rafaela'

type Scene = Parameters<typeof openLiveChat>[0]
/** Rafaela wrote to Vendas last. */
const chat = (scene: Partial<Scene> = {}, at = atRafaela) =>
  openLiveChat(
    { contacts: [{ ...rafaela(), connectionId: sales.id }], numbers: [shop, sales], user: anUser, ...scene },
    at,
  )
const header = async () => (await heading('Rafaela')).closest('header') as HTMLElement
const log = () => screen.findByRole('log')
const dialog = () => screen.findByRole('dialog', { name: 'Responder a Rafaela por qual número?' })
const other = () => screen.findByRole('button', { name: 'Responder por outro número' })

describe('the number of ours', () => {
  it('stands in header, details and row, by name and number', async () => {
    const { user } = chat()
    expect(within(await header()).getByText('Por Vendas · (11) 90000-0002')).toBeDefined()
    await user.click(screen.getByRole('tab', { name: /Atendendo/ }))
    expect(within(await row(/Rafaela/)).getByTitle('Por Vendas · (11) 90000-0002').textContent).toBe('por Vendas')
    await user.click(screen.getByRole('button', { name: 'Detalhes do contato' }))
    const details = await screen.findByRole('complementary', { name: 'Detalhes do contato' })
    expect(await within(details).findByText('Vendas · (11) 90000-0002')).toBeDefined()
  })

  it.each<[string, Connection[]]>([
    ['one number', [sales]],
    ['one number and a connection that no phone was linked to', [sales, unlinked]],
  ])('is shown nowhere to an account with %s', async (_, numbers) => {
    const messages = [
      someMessage({ id: 'a', contactId: 'rafaela', connectionId: 'removed' }),
      someMessage({ id: 'b', contactId: 'rafaela', connectionId: sales.id }),
    ]
    const { user } = chat({ numbers, messages })
    await within(await log()).findByText('b')
    await user.click(screen.getByRole('tab', { name: /Atendendo/ }))
    await row(/Rafaela/)
    await user.click(screen.getByRole('button', { name: 'Filtrar e selecionar' }))
    await screen.findByRole('menuitem', { name: 'Selecionar conversas' })
    expect(screen.queryByRole('menuitemradio', { name: 'Todos os números' })).toBeNull()
    await user.keyboard('{Escape}')
    await user.click(await screen.findByRole('button', { name: 'Detalhes do contato' }))
    await screen.findByRole('complementary', { name: 'Detalhes do contato' })
    expect(document.body.textContent).not.toMatch(/Vendas|Nosso número|número removido/)
  })

  it('is named above the first message over another one, also where it was removed', async () => {
    const over = (id: string, connectionId: string | null) => someMessage({ id, contactId: 'rafaela', connectionId })
    chat({
      messages: [over('a', 'removed'), over('b', shop.id), over('c', null), over('d', shop.id), over('e', 'removed')],
    })
    const history = within(await log())
    await history.findByText('e')
    expect(await history.findAllByText('Por Loja · (11) 90000-0001')).toHaveLength(1)
    expect(history.getAllByText('Por um número removido')).toHaveLength(1)
    const words = (await log()).textContent ?? ''
    expect(words.indexOf('Por Loja')).toBeLessThan(words.indexOf('Rafaela: b'))
    expect(words.indexOf('Rafaela: a')).toBeLessThan(words.indexOf('Por Loja'))
  })

  it('stands below name, number and presence of the person', async () => {
    const { push } = chat()
    expect((await header()).textContent).toContain('Rafaela(31) 98877-6633Por Vendas')
    push('whatsapp:presence', { contactId: 'rafaela', state: 'typing' })
    await screen.findByText('digitando...')
    expect((await header()).textContent).toContain('Rafaela(31) 98877-6633 · digitando...Por Vendas')
  })
})

describe('what is written', () => {
  it('leaves over the line of the conversation, which the server knows', async () => {
    const messages = [someMessage({ id: 'q', contactId: 'rafaela' })]
    const { user, state } = chat({ messages })
    await user.type(await composer(), 'Está pronto{Enter}')
    await waitFor(() => expect(state.sent).toHaveLength(1))
    expect(state.sent[0]).not.toHaveProperty('connectionId')
    expect(state.messages.at(-1)?.connectionId).toBe(sales.id)
    await user.keyboard('{Control>}{ArrowUp}{/Control}{ArrowUp}+')
    await user.click(await screen.findByRole('button', { name: /Reagir com 👍/ }))
    await waitFor(() => expect(state.reactions).toEqual([{ messageId: 'q', emoji: '👍' }]))
  })

  it('leaves where an earlier release of the page left it in the browser', async () => {
    const waiting = {
      ...{ id: `3EB0${'A'.repeat(18)}`, contactId: 'rafaela', content: 'Bom dia', state: 'sending', failure: null },
      ...{ owner: anUser.id, writtenAt: new Date().toISOString(), quoted: null, media: null },
    }
    localStorage.setItem('prosa:outgoing', JSON.stringify([waiting]))
    const { state } = chat()
    await waitFor(() =>
      expect(state.sent).toEqual([{ contactId: 'rafaela', message: 'Bom dia', messageId: waiting.id }]),
    )
  })

  it('shows that it waits only where its own line is down', async () => {
    const queued = (id: string, connectionId: string) =>
      someMessage({ id, contactId: 'rafaela', sender: 'user', status: 'queued', connectionId })
    const messages = [queued('espera', sales.id), queued('sai', shop.id)]
    chat({ numbers: [shop, down(sales)], messages })
    const bubble = async (text: string) =>
      (await within(await log()).findByText(text)).closest('[id^="message-"]') as HTMLElement
    expect(await within(await bubble('espera')).findByTitle('aguardando a conexão')).toBeDefined()
    expect(within(await bubble('sai')).getByTitle('enviando')).toBeDefined()
  })
})

describe('where the line of the conversation is down', () => {
  it('is named below the box, which takes the message; where it is another one nothing is shown', async () => {
    const { user, state, queries } = chat({ numbers: [shop, down(sales)] })
    expect(
      await screen.findByText('Vendas está desconectado. A mensagem espera e sai quando ele voltar.'),
    ).toBeDefined()
    await user.type(await composer(), 'Fica guardado{Enter}')
    await waitFor(() => expect(state.sent.map(({ message }) => message)).toEqual(['Fica guardado']))
    state.numbers = [down(shop), sales]
    await act(() => queries.invalidateQueries({ queryKey: connectionsQuery.queryKey }))
    await waitFor(() => expect(screen.queryByText(/^Vendas está desconectado. A mensagem/)).toBeNull())
    expect(screen.queryByText(/^Aguardando a conexão/)).toBeNull()
  })

  it('another number is chosen by keys alone, with what the person will see, and the caret is back in the box', async () => {
    const { user, state } = chat({ numbers: [shop, workshop, down(sales)] })
    // Simulated arrow keys between radios need it.
    vi.stubGlobal('CSS', { escape: (name: string) => name })
    const button = await other()
    await user.click(await composer())
    while (document.activeElement !== button) await user.tab()
    await user.keyboard('{Enter}')
    const box = within(await dialog())
    await waitFor(() => expect(document.activeElement).toBe(box.getByRole('radio', { name: /^Loja/ })))
    expect(box.getByRole('radio', { name: /^Vendas.*desconectado, número desta conversa/ })).toBeDefined()
    await user.keyboard('{ArrowDown}')
    expect(box.getByRole('radio', { name: /^Oficina/ })).toHaveProperty('checked', true)
    expect(box.getByText(/^Esta pessoa vai ver outro número: .* o que sair por Oficina/)).toBeDefined()
    await user.keyboard('{Enter}')
    await waitFor(() => expect(state.linesChosen).toEqual([{ contactId: 'rafaela', connectionId: workshop.id }]))
    expect(await within(await header()).findByText('Por Oficina · (11) 90000-0003')).toBeDefined()
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(screen.queryByText(/^Vendas está desconectado. A mensagem/)).toBeNull()
    await waitFor(async () => expect(document.activeElement).toBe(await composer()))
    await user.keyboard('Por aqui, então{Enter}')
    await waitFor(() => expect(state.messages.at(-1)?.connectionId).toBe(workshop.id))
  })

  it('keeps its number where the choice is taken back, or refused, which is shown', async () => {
    const { user, state } = chat({ numbers: [shop, down(sales)] })
    await user.click(await other())
    await dialog()
    await user.keyboard('{Escape}')
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    await waitFor(async () => expect(document.activeElement).toBe(await other()))
    state.refuseLine = 'Conexão não encontrada.'
    await user.click(await other())
    await user.click(within(await dialog()).getByRole('button', { name: 'Usar este número' }))
    expect(await screen.findByText('O número da conversa continua o mesmo')).toBeDefined()
    expect(state.linesChosen).toEqual([])
    await user.keyboard('{Escape}')
    expect(within(await header()).getByText(/^Por Vendas/)).toBeDefined()
  })

  it('leaves the caret in the box where it comes back under the keys of whoever stood on the way to another', async () => {
    const { state, queries } = chat({ numbers: [shop, down(sales)] })
    const button = await other()
    act(() => button.focus())
    state.numbers = [shop, sales]
    await act(() => queries.invalidateQueries({ queryKey: connectionsQuery.queryKey }))
    await waitFor(() => expect(button.isConnected).toBe(false))
    expect(document.activeElement).toBe(await composer())
  })

  it('offers no other number where none is connected', async () => {
    chat({ numbers: [down(shop), down(sales)] })
    await screen.findByText(/^Vendas está desconectado. A mensagem/)
    expect(screen.queryByRole('button', { name: 'Responder por outro número' })).toBeNull()
  })

  it('is as before where the account has one number', async () => {
    chat({ numbers: [down(sales)] })
    expect(await screen.findByText(/^Aguardando a conexão/)).toBeDefined()
  })
})

it('asks for a number below a message whose own was removed, and sends it once one is chosen', async () => {
  const { user, state } = chat({ contacts: [{ ...rafaela(), connectionId: null }] })
  state.refuseSend =
    'O número por que esta conversa acontecia foi removido ou trocado. Escolha por qual número responder.'
  state.refuseSendAs = 'line_removed'
  await user.type(await composer(), 'Seu bolo está pronto{Enter}')
  const failure = (await screen.findByText(/^O número por que esta conversa/)).closest('[role=alert]') as HTMLElement
  await user.click(within(failure).getByRole('button', { name: 'Escolher número' }))
  await user.click(within(await dialog()).getByRole('radio', { name: /^Vendas/ }))
  await user.click(screen.getByRole('button', { name: 'Usar este número' }))
  await waitFor(() => expect(state.linesChosen).toEqual([{ contactId: 'rafaela', connectionId: sales.id }]))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  state.refuseSend = null
  await user.click(await screen.findByRole('button', { name: 'Tentar de novo' }))
  await waitFor(() => expect(state.messages.at(-1)).toMatchObject({ connectionId: sales.id }))
})

it('changes the number from the details, where it is up as well, and comes back there', async () => {
  const { user, state } = chat()
  await user.click(await screen.findByRole('button', { name: 'Detalhes do contato' }))
  await user.click(await screen.findByRole('button', { name: 'Trocar' }))
  await user.click(within(await dialog()).getByRole('button', { name: 'Usar este número' }))
  await waitFor(() => expect(state.linesChosen).toEqual([{ contactId: 'rafaela', connectionId: shop.id }]))
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Trocar' })))
})

describe('the list by number', () => {
  const contacts: Contact[] = [
    { ...mariana(), connectionId: shop.id },
    { ...thiago(), connectionId: sales.id },
    { ...rafaela(), connectionId: shop.id },
  ]
  const choose = async (user: ReturnType<typeof chat>['user'], name: string) => {
    await user.click(await screen.findByRole('button', { name: 'Filtrar e selecionar' }))
    await user.click(await screen.findByRole('menuitemradio', { name }))
  }

  it('shows only its conversations and counts them, and all again', async () => {
    const { user } = chat({ contacts }, '/live-chat')
    await row(/Mariana/)
    await choose(user, 'Vendas · (11) 90000-0002')
    await waitFor(() => expect(screen.queryByRole('option', { name: /Mariana/ })).toBeNull())
    expect(await row(/Thiago/)).toBeDefined()
    expect(await screen.findByRole('tab', { name: 'Aguardando 1' })).toBeDefined()
    expect(screen.getByRole('tab', { name: 'Atendendo' })).toBeDefined()
    expect(address()).toBe(`?numero=${sales.id}`)
    const bar = within(screen.getByRole('group', { name: 'Filtro por número' }))
    expect(bar.getByText('Só por Vendas · (11) 90000-0002')).toBeDefined()
    await user.click(screen.getByRole('tab', { name: 'Atendendo' }))
    expect(await screen.findByText('Nenhuma conversa por este número')).toBeDefined()
    await user.click(bar.getByRole('button', { name: 'Mostrar todos os números' }))
    expect(await row(/Rafaela/)).toBeDefined()
    expect(address()).toBe('')
    expect(await screen.findByRole('tab', { name: 'Aguardando 2' })).toBeDefined()
  })

  it('stays while conversations are opened, and where the next one is', async () => {
    const { user } = chat({ contacts }, `/live-chat?numero=${shop.id}&contato=mariana`)
    await heading('Mariana')
    await user.click(await screen.findByRole('tab', { name: /Aguardando/ }))
    await user.keyboard('{Alt>}{ArrowDown}{/Alt}')
    expect(await screen.findByText('Ninguém mais aguarda por este número')).toBeDefined()
    await user.click(screen.getByRole('tab', { name: /Atendendo/ }))
    await user.click(await row(/Rafaela/))
    await heading('Rafaela')
    expect(new URLSearchParams(address() ?? '').get('numero')).toBe(shop.id)
  })

  it('holds for a search of people and of messages', async () => {
    const messages = [
      someMessage({ id: 'm1', contactId: 'thiago', connectionId: sales.id }),
      someMessage({ id: 'm2', contactId: 'mariana', connectionId: shop.id }),
    ]
    const found = [someFound('m1', 'bolo de nozes'), someFound('m2', 'bolo de milho', { contactName: 'Mariana' })]
    const { user } = chat({ contacts, messages, found }, `/live-chat?numero=${sales.id}`)
    await row(/Thiago/)
    await user.type(screen.getByPlaceholderText('Buscar atendimento e mensagens'), 'bolo')
    expect(await screen.findByText(/nozes/)).toBeDefined()
    expect(screen.queryByText(/milho/)).toBeNull()
    expect(screen.getByRole('group', { name: 'Filtro por número' })).toBeDefined()
    await user.clear(screen.getByPlaceholderText('Buscar atendimento e mensagens'))
    // A single letter searches no messages.
    await user.type(screen.getByPlaceholderText('Buscar atendimento e mensagens'), 'a')
    await waitFor(() => expect(screen.queryByText(/nozes/)).toBeNull())
    expect(await row(/Thiago/)).toBeDefined()
    expect(screen.queryByRole('option', { name: /Mariana/ })).toBeNull()
  })

  it('goes together with a label', async () => {
    const label = { id: '1d1f2f4e-6a5b-4c8e-9a55-0f6d0a4be001', name: 'VIP', colour: 'green' as const }
    const labelled = contacts.map((contact) => ({ ...contact, labels: contact.id === 'rafaela' ? [] : [label.id] }))
    const { user } = chat({ contacts: labelled, labels: [label] }, `/live-chat?etiqueta=${label.id}`)
    await row(/Thiago/)
    await choose(user, 'Loja · (11) 90000-0001')
    await waitFor(() => expect(screen.queryByRole('option', { name: /Thiago/ })).toBeNull())
    expect(await row(/Mariana/)).toBeDefined()
    await user.click(screen.getByRole('button', { name: 'Tirar o filtro' }))
    expect(address()).toBe(`?numero=${shop.id}`)
  })

  it.each<[string, Connection[]]>([
    ['is the only one', [shop]],
    ['was removed', [shop, workshop]],
  ])('is no filter where the number %s', async (_, numbers) => {
    chat({ contacts, numbers }, `/live-chat?numero=${numbers.length === 1 ? shop.id : sales.id}`)
    expect(await row(/Thiago/)).toBeDefined()
    expect(await row(/Mariana/)).toBeDefined()
    expect(screen.queryByRole('group', { name: 'Filtro por número' })).toBeNull()
  })
})

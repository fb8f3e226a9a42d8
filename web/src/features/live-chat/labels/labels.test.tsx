import type { Label } from '@prosa/contracts/http/labels'
import { screen, waitFor, within } from '@testing-library/react'
import { describe, expect, it, vi } from 'vitest'
import { anewEachTest } from '../testing/anew-each-test.ts'
import { openLiveChat } from '../testing/open-live-chat.ts'
import { address, heading, mariana, rafaela, row, thiago } from '../testing/people.ts'

// Loaded here: test timeouts must not include it.
import './label-chips.tsx'
import './label-dialog.tsx'
import './labels-menu.tsx'
import './list-bar.tsx'

vi.setConfig({ testTimeout: 20_000 })
anewEachTest()

const idOf = (number: number) => `1d1f2f4e-6a5b-4c8e-9a55-0f6d0a4be00${number}`
const labels: Label[] = [
  { id: idOf(1), name: 'Atraso', colour: 'red' },
  { id: idOf(2), name: 'Orçamento', colour: 'blue' },
  { id: idOf(3), name: 'VIP', colour: 'green' },
]
const all = labels.map(({ id }) => id)
const chat = (of: { mariana?: string[]; thiago?: string[] } = {}, at?: string) =>
  openLiveChat(
    {
      contacts: [
        { ...mariana(), labels: of.mariana ?? [] },
        { ...thiago(), labels: of.thiago ?? [] },
      ],
      labels,
    },
    at,
  )
const option = (name: string | RegExp) => screen.findByRole('option', { name })
const dialog = (name: string) => screen.findByRole('dialog', { name: `Etiquetas de ${name}` })
const gone = () => waitFor(() => expect(screen.queryByRole('dialog', { name: /^Etiquetas de/ })).toBeNull())

describe('the labels of a contact', () => {
  it('stand in its row, two of them and how many more; one that was deleted does not', async () => {
    chat({ mariana: all, thiago: [idOf(9)] })
    const chips = await within(await row(/Mariana/)).findByRole('img', { name: 'Etiquetas: Atraso, Orçamento, VIP' })
    expect(chips.textContent).toBe('AtrasoOrçamento+1')
    expect(within(await row(/Thiago/)).queryByRole('img', { name: /^Etiquetas/ })).toBeNull()
  })

  it('change at once where they are changed elsewhere, and with their names', async () => {
    const { state, push } = chat({ mariana: [idOf(1)] })
    const chips = async () => within(await row(/Mariana/)).findByRole('img', { name: /^Etiquetas/ })
    expect((await chips()).textContent).toBe('Atraso')
    state.labels = labels.map((label) => (label.id === idOf(1) ? { ...label, name: 'Pago' } : label))
    push('labels:update', { position: '7' })
    await waitFor(async () => expect((await chips()).textContent).toBe('Pago'))
  })

  it('are chosen with L, found by typing, put on and taken off with Enter, and left with Esc', async () => {
    const { user, state } = chat({ thiago: [idOf(3)] })
    await row(/Thiago/)
    await user.keyboard('jjl')
    const box = within(await dialog('Thiago'))
    expect((await option('VIP')).getAttribute('aria-selected')).toBe('true')
    await user.keyboard('orca{Enter}')
    await waitFor(() => expect(state.contacts[1]?.labels).toEqual([idOf(3), idOf(2)]))
    expect((await option('Orçamento')).getAttribute('aria-selected')).toBe('true')
    await user.clear(box.getByRole('combobox'))
    await user.keyboard('{ArrowUp}{Enter}')
    await waitFor(() => expect(state.contacts[1]?.labels).toEqual([idOf(2)]))
    await user.keyboard('{Escape}')
    await gone()
    expect(await within(await row(/Thiago/)).findByRole('img', { name: 'Etiquetas: Orçamento' })).toBeDefined()
  })

  it('are of the open conversation, also from its details; L in a message is a letter', async () => {
    const { user, state } = chat({}, '/live-chat?contato=mariana')
    await heading('Mariana')
    await user.keyboard('lx')
    expect(screen.queryByRole('dialog')).toBeNull()
    await user.click(screen.getByRole('button', { name: 'Detalhes do contato' }))
    await user.click(await screen.findByRole('button', { name: 'Etiquetar' }))
    await dialog('Mariana')
    await user.click(await option('VIP'))
    await waitFor(() => expect(state.contacts[0]?.labels).toEqual([idOf(3)]))
    await user.click(screen.getByRole('button', { name: 'Pronto' }))
    await gone()
  })

  it('stay as they were where the server refuses, which is shown with its reason', async () => {
    const { user, state } = chat()
    state.refuseLabels = ['thiago']
    await row(/Thiago/)
    await user.keyboard('jjl')
    await dialog('Thiago')
    await user.click(await option('VIP'))
    expect(await screen.findByText('Este contato já tem 20 etiquetas. Tire uma para pôr outra.')).toBeDefined()
    expect((await option('VIP')).getAttribute('aria-selected')).toBe('false')
  })
})

describe('a label that does not exist yet', () => {
  const write = async (user: ReturnType<typeof chat>['user'], text: string) => {
    const box = await screen.findByRole('combobox', { name: 'Buscar ou criar etiqueta' })
    await user.clear(box)
    await user.type(box, text)
  }

  it('is created where it is put on, in the least used colour, by keys alone', async () => {
    const { user, state } = chat()
    await row(/Thiago/)
    await user.keyboard('jjl')
    await dialog('Thiago')
    await write(user, '  Cliente   fiel ')
    expect(await option(/Criar/)).toHaveProperty('textContent', 'CriarCliente fiel')
    await user.keyboard('{Enter}{Enter}')
    expect(await screen.findByText('Etiqueta “Cliente fiel” criada.')).toBeDefined()
    expect(state.labels.slice(3).map(({ name, colour }) => [name, colour])).toEqual([['Cliente fiel', 'orange']])
    await waitFor(() => expect(state.contacts[1]?.labels).toEqual([state.labels[3]?.id]))
    expect((await option('Cliente fiel')).getAttribute('aria-selected')).toBe('true')
  })

  it('has the colour that was chosen, and Enter in the colours creates it', async () => {
    const { user, state } = chat()
    await row(/Thiago/)
    await user.keyboard('jjl')
    await dialog('Thiago')
    await write(user, 'Fiado')
    await user.click(await screen.findByRole('radio', { name: 'Roxo' }))
    await user.keyboard('{Enter}')
    await waitFor(() => expect(state.labels.slice(3)).toMatchObject([{ name: 'Fiado', colour: 'purple' }]))
    await waitFor(() => expect(state.contacts[1]?.labels).toEqual([state.labels[3]?.id]))
  })

  it('is the first one of the account without a way round over the settings', async () => {
    const { user, state } = openLiveChat({ contacts: [mariana(), thiago()], labels: [] })
    await row(/Mariana/)
    await user.keyboard('jjl')
    expect(await screen.findByText('Escreva o nome da primeira etiqueta.')).toBeDefined()
    await write(user, 'Orçamento')
    await user.keyboard('{Enter}')
    await waitFor(() => expect(state.contacts[1]?.labels).toEqual([state.labels[0]?.id]))
  })

  it('is not offered under a name that there is, whatever its accents, beside which part of a name is', async () => {
    const { user } = chat()
    await row(/Thiago/)
    await user.keyboard('jjl')
    await dialog('Thiago')
    await write(user, 'ORCAMENTO')
    await option('Orçamento')
    expect(screen.queryByRole('option', { name: /Criar/ })).toBeNull()
    await write(user, 'orça')
    expect(screen.getAllByRole('option').map(({ textContent }) => textContent)).toEqual(['Orçamento', 'Criarorça'])
  })

  it('that somebody else created meanwhile is that one, put on', async () => {
    const { user, state } = chat()
    await row(/Thiago/)
    await user.keyboard('jjl')
    await dialog('Thiago')
    await write(user, 'fiado')
    state.labels = [...state.labels, { id: idOf(7), name: 'Fiado', colour: 'pink' }]
    await user.keyboard('{Enter}')
    await waitFor(() => expect(state.contacts[1]?.labels).toEqual([idOf(7)]))
    expect((await option('Fiado')).getAttribute('aria-selected')).toBe('true')
    expect(state.labels).toHaveLength(4)
  })

  it('is put on also where the dialog is closed at once', async () => {
    const { user, state } = chat()
    await row(/Thiago/)
    await user.keyboard('jjl')
    await dialog('Thiago')
    await write(user, 'Fiado')
    await user.keyboard('{Enter}{Escape}')
    await gone()
    await waitFor(() => expect(state.contacts[1]?.labels).toEqual([state.labels[3]?.id]))
  })

  it.each([
    ['n'.repeat(31), 3, 'O nome pode ter no máximo 30 caracteres.'],
    ['Nova', 100, 'Você já tem 100 etiquetas. Exclua uma para criar outra.'],
  ])('cannot be %s with %i labels, which is shown', async (name, count, sentence) => {
    const many = Array.from(
      { length: count },
      (_, at): Label => ({ id: `l${at}`, name: `Etiqueta ${at}`, colour: 'red' }),
    )
    const { user } = openLiveChat({ contacts: [mariana()], labels: many })
    await row(/Mariana/)
    await user.keyboard('jl')
    await write(user, name)
    expect(await screen.findByText(sentence)).toBeDefined()
    expect(screen.queryByRole('option', { name: /Criar/ })).toBeNull()
  })
})

describe('several conversations', () => {
  it('are chosen with X, labelled with L, and let go with Esc, which opens and closes nothing else', async () => {
    const { user, state } = chat({ mariana: [idOf(1)] })
    await row(/Mariana/)
    await user.keyboard('jxjx')
    const bar = within(await screen.findByRole('group', { name: 'Seleção' }))
    expect(bar.getByText('2 selecionadas')).toBeDefined()
    expect(await row(/Thiago/)).toHaveProperty('ariaSelected', 'true')
    await user.keyboard('l')
    await dialog('2 conversas')
    expect(await option(/Atraso.*em 1 de 2/)).toBeDefined()
    await user.click(await option(/Atraso/))
    await waitFor(() => expect(state.contacts.map(({ labels }) => labels)).toEqual([[idOf(1)], [idOf(1)]]))
    state.refuseLabels = ['mariana']
    await user.click(await option('VIP'))
    expect(
      await screen.findByText('1 contato ficou como antes. Este contato já tem 20 etiquetas. Tire uma para pôr outra.'),
    ).toBeDefined()
    expect(state.contacts.map(({ labels }) => labels)).toEqual([[idOf(1)], [idOf(1), idOf(3)]])
    await user.keyboard('{Escape}')
    await gone()
    await user.keyboard('{Escape}')
    await waitFor(() => expect(screen.queryByRole('group', { name: 'Seleção' })).toBeNull())
    expect(address()).toBe('')
  })

  it('are chosen with a pointer from the menu on, all at once too', async () => {
    const { user } = chat()
    await row(/Mariana/)
    await user.click(screen.getByRole('button', { name: 'Filtrar e selecionar' }))
    await user.click(await screen.findByRole('menuitem', { name: 'Selecionar conversas' }))
    const bar = within(await screen.findByRole('group', { name: 'Seleção' }))
    expect(bar.getByText('0 selecionadas')).toBeDefined()
    await user.click(await row(/Thiago/))
    expect(bar.getByText('1 selecionada')).toBeDefined()
    expect(address()).toBe('')
    await user.click(bar.getByRole('button', { name: 'Todas' }))
    expect(bar.getByText('2 selecionadas')).toBeDefined()
    await user.click(bar.getByRole('button', { name: 'Limpar seleção' }))
    await user.click(await row(/Thiago/))
    expect(await heading('Thiago')).toBeDefined()
  })
})

describe('the filter of the list', () => {
  it('stands in the address, also beside a conversation, and ends with a press', async () => {
    const { user } = chat({ thiago: [idOf(3)] })
    await row(/Mariana/)
    await user.click(screen.getByRole('button', { name: 'Filtrar e selecionar' }))
    await user.click(await screen.findByRole('menuitemradio', { name: 'VIP' }))
    await waitFor(() => expect(address()).toBe(`?etiqueta=${idOf(3)}`))
    await waitFor(() => expect(screen.queryByRole('option', { name: /Mariana/ })).toBeNull())
    await user.click(await row(/Thiago/))
    await heading('Thiago')
    await waitFor(() => expect(address()).toBe(`?contato=thiago&etiqueta=${idOf(3)}`))
    await user.click(screen.getByRole('button', { name: 'Tirar o filtro' }))
    expect(await row(/Mariana/)).toBeDefined()
    expect(address()).toBe('?contato=thiago')
  })

  it('holds for the next conversation, too', async () => {
    const { user } = chat({ thiago: [idOf(3)] }, `/live-chat?etiqueta=${idOf(3)}`)
    const next = () => user.keyboard('{Alt>}{ArrowDown}{/Alt}')
    await row(/Thiago/)
    // Mariana waits longer but is not in the list.
    await next()
    await heading('Thiago')
    await next()
    expect(await screen.findByText('Ninguém mais aguarda com esta etiqueta')).toBeDefined()
    await user.click(screen.getByRole('button', { name: 'Tirar o filtro' }))
    await next()
    await heading('Mariana')
  })

  it('shows that nobody has the label, or that it was deleted', async () => {
    const { user, unmount } = chat({}, `/live-chat?etiqueta=${idOf(3)}`)
    expect(await screen.findByText('Nenhuma conversa com esta etiqueta')).toBeDefined()
    expect(await within(screen.getByRole('group', { name: 'Filtro' })).findByText('VIP')).toBeDefined()
    await user.click(screen.getByRole('button', { name: 'Tirar o filtro' }))
    await row(/Mariana/)
    unmount()
  })

  it('is none where the address names no label', async () => {
    openLiveChat({ contacts: [rafaela(), mariana()], labels }, '/live-chat?etiqueta=nada')
    expect(await row(/Mariana/)).toBeDefined()
  })
})

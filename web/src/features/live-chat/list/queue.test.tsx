import { screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { someContact } from '../testing/chat-server.ts'
import { openLiveChat } from '../testing/open-live-chat.ts'
import { mariana, minutesAgo, row, thiago } from '../testing/people.ts'

vi.setConfig({ testTimeout: 20_000 })

beforeEach(() => {
  localStorage.clear()
  sessionStorage.clear()
  vi.spyOn(Element.prototype, 'clientHeight', 'get').mockReturnValue(680)
  vi.spyOn(Element.prototype, 'clientWidth', 'get').mockReturnValue(340)
})
afterEach(() => {
  vi.restoreAllMocks()
})

const lastMessage = { content: 'Qual sabor?', kind: 'text', sender: 'user', status: 'read', isFlow: true } as const
const withBot = () =>
  someContact({ id: 'paula', name: 'Paula', waitingSince: minutesAgo(30), botSince: minutesAgo(30), lastMessage })
const asking = () => ({ ...thiago(), personAskedAt: minutesAgo(1) })

describe('who speaks with the client', () => {
  it('says how many asked for a person, and marks them', async () => {
    openLiveChat({ contacts: [asking(), mariana()] })
    const shown = await row(/Thiago/)
    expect(within(shown).getByText('Pediu uma pessoa')).toBeDefined()
    expect(await screen.findByText('1 pediu uma pessoa')).toBeDefined()
    expect(screen.getByRole('tab', { name: 'Aguardando 2' })).toBeDefined()
  })

  it('keeps who is with the robot out of the queue and its count, and shows them apart, calmly', async () => {
    const { user } = openLiveChat({ contacts: [mariana(), withBot()] })
    await row(/Mariana/)
    expect(screen.getByRole('tab', { name: 'Aguardando 1' })).toBeDefined()
    expect(screen.queryByRole('option', { name: /Paula/ })).toBeNull()
    await user.click(await screen.findByRole('button', { name: 'Com o robô (1)', pressed: false }))
    const shown = await row(/Paula/)
    expect(within(shown).getByText('Fluxo: Qual sabor?')).toBeDefined()
    expect(within(shown).queryByTitle('Espera há mais de 5 minutos')).toBeNull()
    expect(screen.getByRole('listbox', { name: 'Com o robô' })).toBeDefined()
    expect(screen.getByRole('tab', { name: 'Aguardando 1' })).toHaveProperty('ariaSelected', 'true')
    await user.click(screen.getByRole('button', { name: 'Com o robô (1)', pressed: true }))
    expect(await row(/Mariana/)).toBeDefined()
  })

  it('is reached by the key 4, and left by 1', async () => {
    const { user } = openLiveChat({ contacts: [mariana(), withBot()] })
    await row(/Mariana/)
    await user.keyboard('4')
    expect(await row(/Paula/)).toBeDefined()
    await user.keyboard('1')
    expect(await row(/Mariana/)).toBeDefined()
  })

  it('is not mentioned where no flow ever spoke, and stays once it was', async () => {
    const { state, push } = openLiveChat({ contacts: [mariana()] })
    await row(/Mariana/)
    expect(screen.queryByRole('group', { name: 'Quem fala com o cliente' })).toBeNull()
    state.contacts = [mariana(), withBot()]
    push('whatsapp:contact_update', { contactId: 'paula', position: '1' })
    expect(await screen.findByRole('button', { name: 'Com o robô (1)' })).toBeDefined()
    state.contacts = [mariana()]
    push('whatsapp:contact_update', { contactId: 'paula', position: '2' })
    expect(await screen.findByRole('button', { name: 'Com o robô' })).toBeDefined()
  })

  it('goes to the next who waits, past the robot’s', async () => {
    const { user } = openLiveChat({ contacts: [withBot(), mariana()] })
    await row(/Mariana/)
    await user.keyboard('n')
    await waitFor(() => expect(screen.getByLabelText('Endereço').textContent).toBe('?contato=mariana'))
  })
})

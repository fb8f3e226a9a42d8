import { screen, waitFor, within } from '@testing-library/react'
import { describe, expect, it, vi } from 'vitest'
import { anewEachTest } from '../testing/anew-each-test.ts'
import { someContact } from '../testing/chat-server.ts'
import { openLiveChat } from '../testing/open-live-chat.ts'

vi.setConfig({ testTimeout: 30_000 })
anewEachTest()

const suspectedRobot = { at: new Date().toISOString(), reason: 'starts', count: 10, withinSeconds: 600 } as const
const open = () =>
  openLiveChat(
    {
      contacts: [
        someContact({ id: 'bruno', name: 'Bruno', suspectedRobot }),
        someContact({ id: 'ana', name: 'Ana', phone: '5511977776666' }),
      ],
    },
    '/live-chat?contato=bruno',
  )

describe('a contact with whom flows paused', () => {
  it('is marked in the list and in the header, with the cause above the conversation and among the details', async () => {
    const { user } = open()
    const note = await screen.findByRole('note')
    expect(note.textContent).toContain('Os fluxos pararam: 10 fluxos começaram em 10 minutos.')
    const list = screen.getByRole('listbox')
    const [first, second] = within(list).getAllByRole('option')
    const rows = [first?.textContent, second?.textContent]
    expect(rows.filter((text) => text?.includes('Possível robô'))).toHaveLength(1)
    expect(rows.find((text) => text?.includes('Bruno'))).toContain('Possível robô')
    const header = screen.getByRole('heading', { name: 'Bruno' }).closest('header')
    expect(header?.textContent).toContain('Possível robô')
    await user.click(screen.getByRole('button', { name: 'Detalhes do contato' }))
    const details = await screen.findByRole('complementary', { name: 'Detalhes do contato' })
    expect(await within(details).findByText('Este contato pode ser um robô')).toBeDefined()
    expect(within(details).getByText(/^Desde /)).toBeDefined()
  })

  it('is let go on with one press, and the mark goes', async () => {
    const { user, state } = open()
    await user.click(await screen.findByRole('button', { name: 'Não é um robô' }))
    await waitFor(() => expect(screen.queryByRole('note')).toBeNull())
    expect(state.cleared).toEqual(['bruno'])
    expect(screen.queryByText('Possível robô')).toBeNull()
    expect(await screen.findByText('Os fluxos podem começar de novo com este contato')).toBeDefined()
  })

  it('keeps its mark where that is refused, and says so', async () => {
    const { user, state } = open()
    state.refuseClearing = true
    await user.click(await screen.findByRole('button', { name: 'Não é um robô' }))
    expect(await screen.findByText('O contato continua marcado como possível robô')).toBeDefined()
    expect(screen.getByRole('note')).toBeDefined()
  })
})

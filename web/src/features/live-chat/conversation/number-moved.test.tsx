import { screen, waitFor, within } from '@testing-library/react'
import { describe, expect, it, vi } from 'vitest'
import { anewEachTest } from '../testing/anew-each-test.ts'
import { someContact } from '../testing/chat-server.ts'
import { openLiveChat } from '../testing/open-live-chat.ts'

vi.setConfig({ testTimeout: 30_000 })
anewEachTest()

const before = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString()
const open = (at: string) =>
  openLiveChat(
    {
      contacts: [
        someContact({ id: 'bruno', name: 'Bruno', numberMoved: { how: 'taken_over', contactId: 'juliana', at } }),
        someContact({
          id: 'juliana',
          name: 'Juliana',
          phone: null,
          numberMoved: { how: 'passed_on', contactId: 'bruno', at },
        }),
      ],
    },
    '/live-chat?contato=bruno',
  )
const address = () => screen.getByLabelText('Endereço').textContent

describe('a number that passed to another account', () => {
  it('is named above both conversations, each with the way to the other', async () => {
    const { user } = open(before(1))
    const note = await screen.findByRole('note')
    expect(note.textContent).toContain('Este número pode ter mudado de dono')
    await user.click(within(note).getByRole('link', { name: 'Ver conversa anterior' }))
    await waitFor(() => expect(address()).toBe('?contato=juliana'))
    await waitFor(() => expect(screen.getByRole('note').textContent).toContain('passou para outra conta'))
    await user.click(screen.getByRole('link', { name: 'Ver a outra conversa' }))
    await waitFor(() => expect(address()).toBe('?contato=bruno'))
  })

  it('is named among the details only, once it is a week ago', async () => {
    const { user } = open(before(8))
    await user.click(await screen.findByRole('button', { name: 'Detalhes do contato' }))
    const details = await screen.findByRole('complementary', { name: 'Detalhes do contato' })
    expect(await within(details).findByText('Este número pode ter mudado de dono')).toBeDefined()
    expect(screen.queryByRole('note')).toBeNull()
  })
})

import { screen, waitFor } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { anewEachTest } from './testing/anew-each-test.ts'
import { someContact } from './testing/chat-server.ts'
import { openLiveChat } from './testing/open-live-chat.ts'

const address = () => screen.getByLabelText('Endereço').textContent
const heading = (name: string) => screen.findByRole('heading', { level: 2, name })

anewEachTest()

describe('the details of a contact', () => {
  const details = () => screen.findByRole('complementary', { name: 'Detalhes do contato' })
  const stage = async () => {
    const { user } = openLiveChat({ contacts: [someContact({ id: 'thiago', name: 'Thiago' })] })
    await user.click(await screen.findByRole('option', { name: /Thiago/ }))
    await heading('Thiago')
    await user.click(screen.getByRole('button', { name: 'Detalhes do contato' }))
    await details()
    return user
  }

  it('are a step of their own where they cover the conversation: closing goes one step back, however often it is pressed', async () => {
    const user = await stage()
    await waitFor(() => expect(address()).toBe('?contato=thiago&detalhes='))
    await user.dblClick(screen.getByRole('button', { name: 'Fechar detalhes' }))
    await waitFor(() => expect(address()).toBe('?contato=thiago'))
    await user.click(await screen.findByRole('button', { name: 'Voltar para as conversas', hidden: true }))
    await waitFor(() => expect(address()).toBe(''))
  })

  it('close with Esc, which leaves the conversation open', async () => {
    const user = await stage()
    await user.keyboard('{Escape}')
    await waitFor(() => expect(address()).toBe('?contato=thiago'))
    expect(await heading('Thiago')).toBeDefined()
  })
})

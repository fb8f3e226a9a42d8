import type { Contact } from '@prosa/contracts/http/live-chat'
import { screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { someContact } from '../testing/chat-server.ts'
import { openLiveChat } from '../testing/open-live-chat.ts'

beforeEach(() => {
  localStorage.clear()
  sessionStorage.clear()
})

afterEach(() => {
  vi.restoreAllMocks()
})

describe('Adicionar Contato', () => {
  const openDialog = async (contacts: Contact[]) => {
    const rendered = openLiveChat({ contacts })
    await rendered.user.click(screen.getByRole('button', { name: 'Adicionar Contato' }))
    return { ...rendered, field: await screen.findByLabelText('Telefone') }
  }

  it('masks the number, refuses one of the wrong length, and is disabled while empty', async () => {
    const { user, field } = await openDialog([])
    expect(screen.getByRole('button', { name: 'Adicionar e Chamar' })).toHaveProperty('disabled', true)
    await user.type(field, '119887766')
    await user.click(screen.getByRole('button', { name: 'Adicionar e Chamar' }))
    expect(screen.getByText('Por favor, insira um número de telefone válido (10 ou 11 dígitos)')).toBeDefined()
    await user.type(field, '55')
    expect(field).toHaveProperty('value', '(11) 98877-6655')
  })

  it('opens the conversation here and WhatsApp in a new tab', async () => {
    const wa = vi.spyOn(window, 'open').mockReturnValue(null)
    const { user, field } = await openDialog([someContact({ id: 'mariana', name: 'Mariana' })])
    await user.type(field, '41999990000{Enter}')
    expect(await screen.findByRole('heading', { level: 2, name: '(41) 99999-0000' })).toBeDefined()
    expect(wa).toHaveBeenCalledWith('https://wa.me/5541999990000', '_blank', 'noopener,noreferrer')
    await waitFor(() => expect(screen.getByLabelText('Endereço').textContent).toBe('?contato=added'))
  })

  it('stays open and shows it when it failed', async () => {
    const { user, field, state } = await openDialog([])
    state.refuseAdd = true
    await user.type(field, '41999990000{Enter}')
    expect(await screen.findByText('Erro ao adicionar contato. Tente novamente.')).toBeDefined()
  })
})

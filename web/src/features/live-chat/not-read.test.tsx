import type { QuickReply } from '@prosa/contracts/http/quick-replies'
import { screen } from '@testing-library/react'
import { HttpResponse, http } from 'msw'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { someMessage } from './testing/message-routes.ts'
import { openLiveChat } from './testing/open-live-chat.ts'
import { composer, mariana, rafaela, row } from './testing/people.ts'

beforeEach(() => {
  localStorage.clear()
  vi.spyOn(Element.prototype, 'clientHeight', 'get').mockReturnValue(680)
  vi.spyOn(Element.prototype, 'clientWidth', 'get').mockReturnValue(340)
})

afterEach(() => {
  vi.restoreAllMocks()
})

const pix: QuickReply = { id: 'pix', shortcut: 'pix', content: 'Nossa chave Pix é o CNPJ.', isActive: true }

const openWithout = (path: string, scene: Parameters<typeof openLiveChat>[0], address?: string) => {
  const opened = openLiveChat(scene, address)
  const fails = { now: true }
  opened.server.use(http.get(path, () => (fails.now ? HttpResponse.error() : undefined)))
  return { ...opened, fails }
}

describe('what cannot be read', () => {
  it('shows that in the place of the conversations, and they come when they are asked for again', async () => {
    const { user, fails } = openWithout('*/api/whatsapp/contacts', { contacts: [mariana()] })
    expect(await screen.findByText('As conversas não puderam ser carregadas')).toBeDefined()
    fails.now = false
    await user.click(screen.getByRole('button', { name: 'Tentar de novo' }))
    expect(await row(/Mariana/)).toBeDefined()
  })

  it('shows that in the place of the messages, and they come when they are asked for again', async () => {
    const messages = [someMessage({ id: 'm', contactId: 'rafaela', content: 'Tem bolo hoje?' })]
    const scene = { contacts: [rafaela()], messages }
    const path = '*/api/whatsapp/contacts/:id/messages'
    const { user, fails } = openWithout(path, scene, '/live-chat?contato=rafaela')
    expect(await screen.findByText('As mensagens não puderam ser carregadas')).toBeDefined()
    fails.now = false
    await user.click(screen.getByRole('button', { name: 'Tentar de novo' }))
    expect(await screen.findByText('Tem bolo hoje?')).toBeDefined()
  })

  it('shows that in the place of the quick replies, without a count, and they come when they are asked for again', async () => {
    const scene = { contacts: [rafaela()], quickReplies: [pix] }
    const { user, fails } = openWithout('*/api/quick-replies', scene, '/live-chat?contato=rafaela')
    await user.type(await composer(), '/')
    expect(await screen.findByText(/^Sem conexão com o Prosa/)).toBeDefined()
    expect(screen.queryByText('0 respostas')).toBeNull()
    fails.now = false
    await user.click(screen.getByRole('button', { name: 'Tentar de novo' }))
    expect(await screen.findByText('Nossa chave Pix é o CNPJ.')).toBeDefined()
  })
})

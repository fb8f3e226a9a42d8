import { act, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { chatServer, someContact } from './testing/chat-server.ts'
import { renderLiveChat } from './testing/render-live-chat.tsx'

let started: ReturnType<typeof chatServer>['server'] | undefined

beforeEach(() => {
  localStorage.clear()
  sessionStorage.clear()
  vi.spyOn(Element.prototype, 'clientHeight', 'get').mockReturnValue(680)
  vi.spyOn(Element.prototype, 'clientWidth', 'get').mockReturnValue(340)
})

afterEach(() => {
  vi.restoreAllMocks()
  started?.close()
})

it('says that too many tabs are open, and shows what arrives all the same', async () => {
  const { server, state } = chatServer({ contacts: [someContact({ id: 'mariana', name: 'Mariana' })] })
  server.listen({ onUnhandledRequest: 'error' })
  started = server
  const { refuse } = renderLiveChat()
  await screen.findByText('Mariana')
  act(() => refuse('too_many_sockets'))
  expect(await screen.findByText(/Feche algumas\. Até lá, esta funciona/, undefined, { timeout: 4000 })).toBeDefined()
  expect(screen.queryByText('Reconectando ao Prosa')).toBeNull()
  state.contacts = [someContact({ id: 'thiago', name: 'Thiago', phone: '5521988776644' }), ...state.contacts]
  expect(await screen.findByText('Thiago', undefined, { timeout: 8000 })).toBeDefined()
})

it('says that the line is down, that it is back, and shows what arrived meanwhile', async () => {
  const { server, state } = chatServer({ contacts: [someContact({ id: 'mariana', name: 'Mariana' })] })
  server.listen({ onUnhandledRequest: 'error' })
  started = server
  const { push } = renderLiveChat()
  await screen.findByText('Mariana')
  act(() => push('disconnect', 'transport close'))
  expect(screen.queryByText('Reconectando ao Prosa')).toBeNull()
  expect(await screen.findByText('Reconectando ao Prosa')).toBeDefined()

  state.contacts = [someContact({ id: 'thiago', name: 'Thiago', phone: '5521988776644' }), ...state.contacts]
  act(() => {
    push('connect')
    push('resumed', { position: '7', complete: false })
  })
  expect(screen.getByText('Conexão restabelecida')).toBeDefined()
  expect(await screen.findByText('O que chegou nesse meio-tempo já está aqui.')).toBeDefined()
  expect(screen.getByText('Thiago')).toBeDefined()
})

import { createEvent, fireEvent, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { someFile, standInForMedia } from '../../../test/browser-media.ts'
import { someContact } from './testing/chat-server.ts'
import { openLiveChat } from './testing/open-live-chat.ts'

vi.setConfig({ testTimeout: 30_000 })

vi.mock('./composer/attachments/attachment-tray.tsx', () => {
  throw new TypeError('Failed to fetch dynamically imported module')
})

beforeEach(() => {
  localStorage.clear()
  standInForMedia()
})

afterEach(() => {
  vi.unstubAllGlobals()
})

it('goes on, with all that was written, when a part of it cannot be fetched', async () => {
  const contact = someContact({ id: 'rafaela', name: 'Rafaela', serviceStatus: 'attending' })
  const { state, user } = openLiveChat({ contacts: [contact] }, '/live-chat?contato=rafaela')
  await screen.findByText('Nenhuma mensagem ainda')
  const box = screen.getByRole<HTMLTextAreaElement>('textbox', { name: /^Digite/ })
  await user.type(box, 'Segue a lista')
  const pasted = createEvent.paste(window)
  Object.defineProperty(pasted, 'clipboardData', {
    value: { types: ['Files'], files: [someFile('lista.pdf', 'application/pdf')] },
  })
  fireEvent(window, pasted)
  expect((await screen.findByRole('alert')).textContent).toContain('Esta parte da tela não pôde ser carregada.')
  expect(box.value).toBe('Segue a lista')
  await user.type(box, '{Enter}')
  await waitFor(() =>
    expect(state.sent[0]).toMatchObject({ message: 'Segue a lista', media: { fileName: 'lista.pdf' } }),
  )
})

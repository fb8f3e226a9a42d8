import { render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { standInForMedia } from '../../../test/browser-media.ts'
import type { VoiceMessage } from './voice-message.ts'
import { VoiceRecorder } from './voice-recorder.tsx'

vi.setConfig({ testTimeout: 30_000 })

class NoVoiceMessage extends Error {}
const toVoiceMessage = async (sound: Blob) => new Blob([sound], { type: 'audio/ogg; codecs=opus' })

let media: ReturnType<typeof standInForMedia>
let letStop: () => void

/** Records WebM like Chrome and ends only after `letStop`. */
beforeEach(() => {
  media = standInForMedia()
  const { MediaRecorder } = globalThis
  MediaRecorder.isTypeSupported = (type) => type.startsWith('audio/webm')
  const { stop } = MediaRecorder.prototype
  MediaRecorder.prototype.stop = function () {
    letStop = () => stop.call(this)
  }
})

afterEach(() => {
  vi.unstubAllGlobals()
})

const record = async (loadConverter = vi.fn(async () => ({ NoVoiceMessage, toVoiceMessage }))) => {
  const user = userEvent.setup()
  const sent: VoiceMessage[] = []
  const onClose = vi.fn()
  const view = render(
    <VoiceRecorder onSend={(message) => sent.push(message)} onClose={onClose} loadConverter={loadConverter} />,
  )
  await waitFor(() => expect(screen.getByRole('timer').textContent).not.toBe('00:00'))
  return { ...view, user, sent, onClose, loadConverter }
}
const microphoneLetGo = () => waitFor(() => expect(media.microphone.tracksStopped).toBe(1))

it('is ready to prepare the message before it is recorded', async () => {
  const { loadConverter } = await record()
  expect(loadConverter).toHaveBeenCalled()
})

it('sends what was recorded, and closes', async () => {
  const { user, sent, onClose } = await record()
  await user.keyboard('{Enter}')
  letStop()
  await waitFor(() => expect(sent).toHaveLength(1))
  expect(sent[0]).toMatchObject({ as: 'voice', sound: { type: 'audio/ogg; codecs=opus', size: 4_000 } })
  expect(onClose).toHaveBeenCalledOnce()
})

it('sends nothing that was thrown away while it was prepared', async () => {
  let prepared = false
  const { user, sent, onClose, unmount } = await record(
    vi.fn(async () => ({
      NoVoiceMessage,
      toVoiceMessage: async (sound: Blob) => {
        prepared = true
        return sound
      },
    })),
  )
  await user.keyboard('{Enter}')
  await user.click(screen.getByRole('button', { name: 'Descartar a gravação' }))
  expect(onClose).toHaveBeenCalledOnce()
  unmount()
  letStop()
  await microphoneLetGo()
  await waitFor(() => expect(prepared).toBe(true))
  await Promise.resolve()
  expect(sent).toEqual([])
})

it('sends what was sent before something else was opened, and closes nothing there', async () => {
  const { user, sent, onClose, unmount } = await record()
  await user.keyboard('{Enter}')
  unmount()
  letStop()
  await waitFor(() => expect(sent).toHaveLength(1))
  expect(onClose).not.toHaveBeenCalled()
})

it('keeps what was recorded when it cannot be prepared, until that works', async () => {
  const loadConverter = vi.fn(async () => ({ NoVoiceMessage, toVoiceMessage }))
  loadConverter.mockRejectedValueOnce(new TypeError('Failed to fetch dynamically imported module'))
  loadConverter.mockRejectedValueOnce(new TypeError('Failed to fetch dynamically imported module'))
  const { user, sent } = await record(loadConverter)
  await user.keyboard('{Enter}')
  letStop()
  expect((await screen.findByRole('alert')).textContent).toBe('A gravação não pôde ser preparada, mas está guardada.')
  await user.click(screen.getByRole('button', { name: 'Tentar de novo' }))
  await waitFor(() => expect(sent).toHaveLength(1))
  expect(sent[0]).toMatchObject({ as: 'voice', sound: { size: 4_000 } })
})

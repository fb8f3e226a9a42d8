import { createEvent, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { someFile, standInForMedia } from '../../../../test/browser-media.ts'
import { chatServer, someContact } from '../testing/chat-server.ts'
import { renderLiveChat } from '../testing/render-live-chat.tsx'

const rafaela = () =>
  someContact({ id: 'rafaela', name: 'Rafaela', phone: '5531988776633', serviceStatus: 'attending' })

vi.setConfig({ testTimeout: 30_000 })

let started: ReturnType<typeof chatServer>['server'] | undefined
let media: ReturnType<typeof standInForMedia>

const bruno = () => someContact({ id: 'bruno', name: 'Bruno', phone: '5531988776699', serviceStatus: 'attending' })

const open = async () => {
  const { server, state } = chatServer({ contacts: [rafaela(), bruno()] })
  server.listen({ onUnhandledRequest: 'error' })
  started = server
  const rendered = renderLiveChat('/live-chat?contato=rafaela')
  await screen.findByText('Nenhuma mensagem ainda')
  return { state, ...rendered }
}
const composer = () => screen.findByRole<HTMLTextAreaElement>('textbox', { name: /^(Digite|Legenda)/ })
const tray = () => screen.findByRole('group', { name: 'Arquivos para enviar' })
const log = () => screen.findByRole('log')
const thumbs = async () =>
  within(await tray())
    .getAllByRole('button', { pressed: undefined })
    .filter((button) => button.hasAttribute('aria-pressed'))

const drop = async (...files: File[]) => {
  const place = (await composer()).closest('form')?.parentElement as HTMLElement
  const dropped = createEvent.drop(place)
  Object.defineProperty(dropped, 'dataTransfer', { value: { types: ['Files'], files } })
  fireEvent(place, dropped)
  await tray()
}

beforeEach(() => {
  localStorage.clear()
  sessionStorage.clear()
  media = standInForMedia()
  vi.spyOn(Element.prototype, 'clientHeight', 'get').mockReturnValue(680)
  vi.spyOn(Element.prototype, 'clientWidth', 'get').mockReturnValue(340)
})

afterEach(() => {
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
  started?.close()
})

describe('what opens over the box', () => {
  it('gives the caret back with the key that closes the emojis, so that the next letter is not lost', async () => {
    vi.stubGlobal(
      'ResizeObserver',
      class {
        observe = vi.fn()
        unobserve = vi.fn()
        disconnect = vi.fn()
      },
    )
    const { user } = await open()
    const box = await composer()
    await user.type(box, 'Feliz{Control>};{/Control}')
    fireEvent.keyDown(await screen.findByLabelText('Buscar emoji'), { key: 'Escape' })
    expect(document.activeElement).toBe(box)
  })
})

describe('attached files', () => {
  it('take what is written as their caption, go smaller with size and preview, and leave the box empty', async () => {
    const { user, state } = await open()
    await user.type(await composer(), 'A vitrine')
    await drop(someFile('vitrine.jpg', 'image/jpeg'))
    expect((await composer()).value).toBe('A vitrine')
    await user.type(await composer(), ' nova{Enter}')
    await waitFor(() => expect(state.sent).toHaveLength(1))
    const [sent] = state.sent
    expect(sent).toMatchObject({ message: 'A vitrine nova' })
    expect(sent?.media).toMatchObject({ as: 'image', fileName: 'vitrine.jpg', width: 1600, height: 1200 })
    expect(atob(sent?.media?.preview ?? '').length).toBeLessThanOrEqual(12_000)
    expect(media.drawn[0]).toEqual({ width: 1600, height: 1200 })
    expect(state.files).toEqual([900_000])
    expect((await composer()).value).toBe('')
    expect(await within(await log()).findByRole('button', { name: 'Abrir foto: A vitrine nova' })).toBeDefined()
  })

  it('go as they are when sent as a document', async () => {
    const { user, state } = await open()
    await drop(someFile('planta.png', 'image/png', 5_000))
    await user.click(await within(await tray()).findByRole('button', { name: 'Enviar como documento' }))
    await user.click(await composer())
    await user.keyboard('{Enter}')
    await waitFor(() => expect(state.sent).toHaveLength(1))
    expect(state.sent[0]?.media).toMatchObject({ as: 'document', fileName: 'planta.png' })
    expect(state.sent[0]?.media?.width).toBeUndefined()
    expect(state.files).toEqual([5_000])
  })

  it('go all at once, each with its own caption, in their order', async () => {
    const { user, state } = await open()
    await drop(someFile('um.pdf', 'application/pdf'), someFile('dois.pdf', 'application/pdf'))
    await user.type(await composer(), 'primeiro')
    const [, second] = await thumbs()
    await user.click(second as HTMLElement)
    expect((await composer()).value).toBe('')
    await user.type(await composer(), 'segundo{Enter}')
    await waitFor(() => expect(state.sent).toHaveLength(2))
    expect(state.sent.map(({ message, media: file }) => [message, file?.fileName])).toEqual([
      ['primeiro', 'um.pdf'],
      ['segundo', 'dois.pdf'],
    ])
  })

  it('can be removed, and show why they cannot be sent before anything is sent', async () => {
    const { user, state } = await open()
    await drop(someFile('instala.exe', 'application/x-msdownload'))
    expect(within(await tray()).getByRole('alert').textContent).toContain('Programas não podem ser enviados.')
    expect(screen.getByRole('button', { name: 'Enviar' })).toHaveProperty('disabled', true)
    await user.click(screen.getByRole('button', { name: 'Remover instala.exe' }))
    expect(screen.queryByRole('group', { name: 'Arquivos para enviar' })).toBeNull()
    expect(state.files).toEqual([])
  })

  it('are 30 at most: the others stay behind, which is shown', async () => {
    await open()
    await drop(...Array.from({ length: 32 }, (_, index) => someFile(`receita ${index}.txt`, 'text/plain', 25)))
    expect(await screen.findByText('No máximo 30 arquivos de cada vez')).toBeDefined()
    expect(await thumbs()).toHaveLength(30)
  })

  it('that are too large stay behind with the limit, and hold up neither the others nor what is written', async () => {
    const { user, state } = await open()
    const film = someFile('festa.mkv', 'video/x-matroska')
    Object.defineProperty(film, 'size', { value: 120 * 1024 * 1024 })
    await user.type(await composer(), 'Segue a lista')
    await drop(film)
    expect(within(await tray()).getByRole('alert').textContent).toBe(
      'O arquivo tem 120 MB e o limite do WhatsApp é 100 MB.',
    )
    expect((await composer()).value).toBe('Segue a lista')
    await drop(film, someFile('lista.pdf', 'application/pdf'))
    expect(await within(await tray()).findAllByRole('alert')).toHaveLength(2)
    await user.type(await composer(), '{Enter}')
    await waitFor(() => expect(state.sent).toHaveLength(1))
    expect(state.sent[0]).toMatchObject({ message: 'Segue a lista', media: { fileName: 'lista.pdf' } })
    await user.type(await composer(), 'e o filme não passou{Enter}')
    await waitFor(() => expect(state.sent).toHaveLength(2))
    expect(state.sent[1]).toMatchObject({ message: 'e o filme não passou' })
    expect(within(await tray()).getAllByRole('button', { name: 'Remover festa.mkv' })).toHaveLength(2)
    expect(state.files).toHaveLength(1)
  })

  it('become a document when they only claim to be a picture', async () => {
    const { user, state } = await open()
    await drop(someFile('foto.jpg', 'image/jpeg', 50))
    expect(await within(await tray()).findByText(/Vai como documento/)).toBeDefined()
    await user.click(await composer())
    await user.keyboard('{Enter}')
    await waitFor(() => expect(state.sent[0]?.media?.as).toBe('document'))
  })

  it('come by paste and by the menu of Ctrl+O too', async () => {
    const { user } = await open()
    const pasted = createEvent.paste(window)
    Object.defineProperty(pasted, 'clipboardData', {
      value: { types: ['Files'], files: [someFile('colada.png', 'image/png')] },
    })
    fireEvent(window, pasted)
    expect(await within(await tray()).findByText('colada.png')).toBeDefined()
    await user.keyboard('{Control>}o{/Control}')
    expect(await screen.findByRole('menuitem', { name: 'Documento' })).toBeDefined()
    await user.keyboard('{Escape}')
    await user.upload(screen.getByLabelText('Documento', { selector: 'input' }), someFile('b.pdf', 'application/pdf'))
    await waitFor(async () => expect(await thumbs()).toHaveLength(2))
  })
})

describe('a file on its way', () => {
  it('shows how far it is and can be given up; nothing of it is sent', async () => {
    const { user, state } = await open()
    let letGo: (() => void) | undefined
    state.holdFile = new Promise((resolve) => {
      letGo = resolve
    })
    await drop(someFile('video.pdf', 'application/pdf'))
    await user.click(await composer())
    await user.keyboard('{Enter}')
    expect(await within(await log()).findByRole('progressbar', { name: /^Enviando arquivo/ })).toBeDefined()
    const leaving = new Event('beforeunload', { cancelable: true })
    window.dispatchEvent(leaving)
    expect(leaving.defaultPrevented).toBe(true)
    await user.click(screen.getByRole('button', { name: 'Cancelar envio' }))
    await waitFor(() => expect(screen.queryByText('video.pdf')).toBeNull())
    letGo?.()
    await user.type(await composer(), 'depois{Enter}')
    await waitFor(() => expect(state.sent.map(({ message }) => message)).toEqual(['depois']))
  })

  it('shows why the server refused it, and goes when it is tried again', async () => {
    const { user, state } = await open()
    state.refuseFile = 'O conteúdo do arquivo não é do tipo que ele diz ser, ou não pode ser enviado.'
    await drop(someFile('a.pdf', 'application/pdf'))
    await user.click(await composer())
    await user.keyboard('{Enter}')
    expect(await screen.findByText(state.refuseFile)).toBeDefined()
    state.refuseFile = null
    await user.click(screen.getByRole('button', { name: 'Tentar de novo' }))
    await waitFor(() => expect(state.sent).toHaveLength(1))
    await waitFor(() => expect(screen.queryByRole('button', { name: 'Tentar de novo' })).toBeNull())
  })

  it('that a reload interrupted is lost, which is shown', async () => {
    const outgoing = {
      id: `3EB0${'B'.repeat(18)}`,
      contactId: 'rafaela',
      content: '',
      writtenAt: new Date().toISOString(),
      state: 'sending',
      failure: null,
      media: {
        ...{ as: 'document', mediaType: 'application/pdf', bytes: 10, fileName: 'perdido.pdf', uploadedId: null },
        ...{ seconds: null, width: null, height: null, waveform: null, preview: null },
      },
    }
    sessionStorage.setItem('prosa:outgoing', JSON.stringify([outgoing]))
    const { server, state } = chatServer({ contacts: [rafaela()] })
    server.listen({ onUnhandledRequest: 'error' })
    started = server
    const { user } = renderLiveChat('/live-chat?contato=rafaela')
    expect(
      await screen.findByText('O arquivo não chegou a sair antes de a página fechar. Anexe-o de novo.'),
    ).toBeDefined()
    await user.click(screen.getByRole('button', { name: 'Descartar' }))
    await waitFor(() => expect(screen.queryByText('perdido.pdf')).toBeNull())
    expect(state.sent).toEqual([])
  })
})

describe('a voice message', () => {
  it('is recorded with Ctrl+M and sent with Enter, with its length and loudness', async () => {
    const { user, state, emitted } = await open()
    await user.click(await composer())
    await user.keyboard('{Control>}m{/Control}')
    await screen.findByRole('group', { name: 'Gravação de voz' })
    await waitFor(() => expect(screen.getByRole('timer').textContent).not.toBe('00:00'))
    await user.keyboard('{Enter}')
    await waitFor(() => expect(state.sent).toHaveLength(1))
    const voice = state.sent[0]?.media
    expect(voice).toMatchObject({ as: 'voice' })
    expect(voice?.seconds).toBeGreaterThanOrEqual(1)
    expect(atob(voice?.waveform ?? '')).toHaveLength(64)
    expect(state.files).toEqual([4_000])
    expect(media.microphone.tracksStopped).toBe(1)
    expect(emitted).toContainEqual(['contact:typing', 'rafaela', 'recording'])
    await waitFor(async () => expect(document.activeElement).toBe(await composer()))
  })

  it('is thrown away with Esc, and the microphone is let go', async () => {
    const { user, state } = await open()
    await user.click(screen.getByRole('button', { name: 'Gravar mensagem de voz' }))
    await screen.findByRole('group', { name: 'Gravação de voz' })
    await waitFor(() =>
      expect(screen.getByRole('button', { name: 'Enviar mensagem de voz' })).toHaveProperty('disabled', false),
    )
    await user.keyboard('{Escape}')
    await waitFor(() => expect(screen.queryByRole('group', { name: 'Gravação de voz' })).toBeNull())
    expect(media.microphone.tracksStopped).toBe(1)
    expect(state.sent).toEqual([])
  })

  it('reaches the conversation that it was recorded in, and ends no other recording', async () => {
    const { user, state } = await open()
    await user.click(screen.getByRole('tab', { name: /Atendendo/ }))
    let letStop = (): void => {
      throw new Error('nothing was recorded')
    }
    const { stop } = MediaRecorder.prototype
    vi.spyOn(MediaRecorder.prototype, 'stop').mockImplementationOnce(function (this: MediaRecorder) {
      letStop = () => stop.call(this)
    })
    await user.click(screen.getByRole('button', { name: 'Gravar mensagem de voz' }))
    await waitFor(() => expect(screen.getByRole('timer').textContent).not.toBe('00:00'))
    await user.keyboard('{Enter}')
    await user.click(await screen.findByRole('option', { name: /Bruno/ }))
    await screen.findByRole('heading', { level: 2, name: 'Bruno' })
    await user.click(await screen.findByRole('button', { name: 'Gravar mensagem de voz' }))
    await screen.findByRole('group', { name: 'Gravação de voz' })
    letStop()
    await waitFor(() => expect(state.sent).toHaveLength(1))
    expect(state.sent[0]).toMatchObject({ contactId: 'rafaela', media: { as: 'voice' } })
    expect(screen.getByRole('group', { name: 'Gravação de voz' })).toBeDefined()
  })

  it.each([
    ['NotAllowedError', /não deixou usar o microfone/],
    ['NotFoundError', /Nenhum microfone foi encontrado/],
    ['NotReadableError', /O microfone está em uso por outro programa/],
  ])('states in words why there is no microphone (%s), and keeps what was written', async (error, sentence) => {
    media.microphone.refuse = error
    const { user } = await open()
    await user.type(await composer(), 'Melhor eu escrever')
    await user.click(screen.getByRole('button', { name: 'Gravar mensagem de voz' }))
    expect((await screen.findByRole('alert')).textContent).toMatch(sentence)
    await user.click(screen.getByRole('button', { name: 'Fechar' }))
    expect((await composer()).value).toBe('Melhor eu escrever')
  })

  it('states in words that this browser records in no format that WhatsApp plays', async () => {
    vi.spyOn(MediaRecorder, 'isTypeSupported').mockReturnValue(false)
    const { user } = await open()
    await user.click(screen.getByRole('button', { name: 'Gravar mensagem de voz' }))
    expect((await screen.findByRole('alert')).textContent).toMatch(/Este navegador não grava voz/)
  })
})

import { act, createEvent, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { someFile, standInForMedia } from '../../../../../test/browser-media.ts'
import { someContact } from '../../testing/chat-server.ts'
import { openLiveChat } from '../../testing/open-live-chat.ts'

vi.setConfig({ testTimeout: 30_000 })

const contacts = () => [
  someContact({ id: 'rafaela', name: 'Rafaela', phone: '5531988776633', serviceStatus: 'attending' }),
  someContact({ id: 'bruno', name: 'Bruno', phone: '5531988776699', serviceStatus: 'attending' }),
]
const open = async () => {
  const live = openLiveChat({ contacts: contacts() }, '/live-chat?contato=rafaela')
  await screen.findByText('Nenhuma mensagem ainda')
  await live.user.click(screen.getByRole('tab', { name: /Atendendo/ }))
  return live
}
const box = () => screen.findByRole<HTMLTextAreaElement>('textbox', { name: /^(Digite|Legenda)/ })
const tray = () => screen.findByRole('group', { name: 'Arquivos para enviar' })
const drop = async (...files: File[]) => {
  const place = (await box()).closest('form')?.parentElement as HTMLElement
  const dropped = createEvent.drop(place)
  Object.defineProperty(dropped, 'dataTransfer', { value: { types: ['Files'], files } })
  fireEvent(place, dropped)
  await within(await tray()).findByRole('button', { name: `Remover ${files[0]?.name}` })
}
const pdf = (name: string) => someFile(name, 'application/pdf')

const slowPictures = () => {
  const look = globalThis.createImageBitmap
  let letGo: (() => void) | undefined
  const held = new Promise<void>((resolve) => {
    letGo = resolve
  })
  vi.stubGlobal('createImageBitmap', async (file: Blob) => {
    await held
    return look(file)
  })
  return () => letGo?.()
}
const sentTexts = ({ sent }: ReturnType<typeof openLiveChat>['state']) =>
  sent.map(({ message, media }) => [message, media?.fileName])

beforeEach(() => {
  localStorage.clear()
  sessionStorage.clear()
  standInForMedia()
  vi.spyOn(Element.prototype, 'clientHeight', 'get').mockReturnValue(680)
  vi.spyOn(Element.prototype, 'clientWidth', 'get').mockReturnValue(340)
})

afterEach(() => {
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

describe('files that were sent and are still being prepared', () => {
  it('keep the words of the press; what is written or attached next is not theirs', async () => {
    const letGo = slowPictures()
    const { state, user } = await open()
    await drop(someFile('vitrine.jpg', 'image/jpeg'))
    await user.type(await box(), 'Segue a foto{Enter}')
    expect((await box()).value).toBe('')
    expect(within(await tray()).getByText('Preparando o envio')).toBeDefined()
    expect(screen.queryByRole('button', { name: 'Remover vitrine.jpg' })).toBeNull()
    await user.type(await box(), 'O valor fica 200{Enter}')
    expect((await box()).value).toBe('')
    expect(within(await tray()).getByText('O valor fica 200')).toBeDefined()
    await drop(pdf('tabela.pdf'))
    await user.type(await box(), 'e a ta')
    expect(state.sent).toEqual([])
    letGo()
    await waitFor(() => expect(state.sent).toHaveLength(2))
    await waitFor(() => expect(screen.queryByText('Preparando o envio')).toBeNull())
    expect(sentTexts(state)).toEqual(
      expect.arrayContaining([
        ['Segue a foto', 'vitrine.jpg'],
        ['O valor fica 200', undefined],
      ]),
    )
    expect((await box()).value).toBe('e a ta')
    expect(screen.getByRole('button', { name: 'Remover tabela.pdf' })).toBeDefined()
  })

  it('go once and before the later ones, however often Enter is pressed and whatever is opened meanwhile', async () => {
    const letGo = slowPictures()
    const { state, user } = await open()
    await drop(someFile('vitrine.jpg', 'image/jpeg'))
    await user.type(await box(), 'Segue{Enter}{Enter}')
    await user.click(await screen.findByRole('option', { name: /Bruno/ }))
    await screen.findByRole('heading', { level: 2, name: 'Bruno' })
    await user.click(await screen.findByRole('option', { name: /Rafaela/ }))
    await screen.findByRole('heading', { level: 2, name: 'Rafaela' })
    expect(await within(await tray()).findByText('Preparando o envio')).toBeDefined()
    await drop(pdf('tabela.pdf'))
    await user.type(await box(), 'e a tabela{Enter}')
    letGo()
    await waitFor(() => expect(state.sent).toHaveLength(2))
    await waitFor(() => expect(screen.queryByRole('group', { name: 'Arquivos para enviar' })).toBeNull())
    expect(sentTexts(state)).toEqual([
      ['Segue', 'vitrine.jpg'],
      ['e a tabela', 'tabela.pdf'],
    ])
  })

  it('go to whoever the contact has become by then', async () => {
    const letGo = slowPictures()
    const { state, user, push } = await open()
    await drop(someFile('vitrine.jpg', 'image/jpeg'))
    await user.type(await box(), 'Segue{Enter}')
    const [rafaela] = contacts()
    state.contacts = [
      { ...someContact({ ...rafaela, id: 'antiga' }), merged: [{ id: 'rafaela', name: '', phone: null }] },
    ]
    act(() => push('whatsapp:contact_update', { contactId: 'rafaela', position: '1' }))
    await waitFor(() => expect(screen.getByLabelText('Endereço').textContent).toBe('?contato=antiga'))
    letGo()
    await waitFor(() => expect(state.sent[0]).toMatchObject({ contactId: 'antiga', message: 'Segue' }))
    await waitFor(() => expect(screen.queryByText('Preparando o envio')).toBeNull())
  })

  it('come back with their sentence and words when they turn out to be refused; what was written after them goes', async () => {
    vi.stubGlobal('createImageBitmap', async () => {
      throw new DOMException('no picture', 'InvalidStateError')
    })
    const letGo = slowPictures()
    const { state, user } = await open()
    const none = someFile('foto.jpg', 'image/jpeg', 50)
    Object.defineProperty(none, 'size', { value: 120 * 1024 * 1024 })
    await drop(none)
    await user.type(await box(), 'Segue a foto{Enter}')
    await user.type(await box(), 'O valor fica 200{Enter}')
    letGo()
    expect((await within(await tray()).findByRole('alert')).textContent).toBe(
      'O arquivo tem 120 MB e o limite do WhatsApp é 100 MB.',
    )
    await waitFor(() => expect(sentTexts(state)).toEqual([['O valor fica 200', undefined]]))
    expect((await box()).value).toBe('Segue a foto')
    expect(state.files).toEqual([])
  })
})

describe('what was written before a file was attached', () => {
  it('stays in the browser until it is sent, and in the box when the file is taken out', async () => {
    const { user } = await open()
    await user.type(await box(), 'Um texto longo')
    await drop(pdf('um.pdf'))
    expect((await box()).value).toBe('Um texto longo')
    await user.type(await box(), ' demais')
    expect(localStorage.getItem('prosa:drafts')).toContain('Um texto longo demais')
    await user.click(screen.getByRole('button', { name: 'Remover um.pdf' }))
    expect((await box()).value).toBe('Um texto longo demais')
    await drop(pdf('dois.pdf'))
    await user.type(await box(), '{Enter}')
    expect((await box()).value).toBe('')
    expect(localStorage.getItem('prosa:drafts')).not.toContain('Um texto')
  })

  it('is the caption of the next file then', async () => {
    const { state, user } = await open()
    await user.type(await box(), 'Segue')
    await drop(pdf('um.pdf'), pdf('dois.pdf'))
    await user.click(screen.getByRole('button', { name: 'Remover um.pdf' }))
    expect((await box()).value).toBe('Segue')
    await user.type(await box(), '{Enter}')
    await waitFor(() => expect(sentTexts(state)).toEqual([['Segue', 'dois.pdf']]))
  })

  it('takes in the caption of another file that is taken out', async () => {
    const { user } = await open()
    await user.type(await box(), 'Segue')
    await drop(pdf('um.pdf'), pdf('dois.pdf'))
    await user.click(within(await tray()).getByRole('button', { name: 'dois.pdf' }))
    await user.type(await box(), 'A segunda')
    await user.click(screen.getByRole('button', { name: 'Remover dois.pdf' }))
    expect((await box()).value).toBe('A segunda\nSegue')
  })
})

import { act, screen, waitFor } from '@testing-library/react'
import { HttpResponse, http } from 'msw'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { chooseAlerts } from '../../../lib/browser/alert-choice.ts'
import { chatServer, someContact } from '../testing/chat-server.ts'
import { renderLiveChat } from '../testing/render-live-chat.tsx'
import { playAlertTone } from './alert-tone.ts'

const lastMessage = {
  content: 'Tem na cor azul?',
  kind: 'text',
  sender: 'contact',
  status: null,
  isFlow: false,
} as const
const mariana = () => someContact({ id: 'mariana', name: 'Mariana', unreadCount: 1, lastMessage })
const thiago = () => someContact({ id: 'thiago', name: 'Thiago', phone: '5521988776644' })

const shown: { title: string; body?: string | undefined; click: () => void }[] = []
const asked = vi.fn(async (): Promise<NotificationPermission> => 'granted')
let permission: NotificationPermission = 'granted'

class Notified {
  static requestPermission = asked
  static get permission() {
    return permission
  }
  onclick: (() => void) | null = null
  constructor(title: string, { body }: NotificationOptions) {
    shown.push({ title, body, click: () => this.onclick?.() })
  }
  close() {
    shown.length = 0
  }
}

let notes = 0
let faded = 0
let cut = 0
const node = () => {
  let ended: () => void = () => undefined
  return {
    frequency: { value: 0 },
    type: '',
    gain: { setValueAtTime: vi.fn(), linearRampToValueAtTime: vi.fn(), exponentialRampToValueAtTime: vi.fn() },
    connect: (next: unknown) => next,
    addEventListener: (_ended: string, listener: () => void) => {
      ended = listener
    },
    start: () => {
      notes++
    },
    stop: () =>
      setTimeout(() => {
        faded++
        if (Sounding.last?.state !== 'running') cut++
        ended()
      }),
  }
}
let maySound = true
const waiting: (() => void)[] = []
const firstClick = () => {
  maySound = true
  for (const goOn of waiting.splice(0)) goOn()
}
class Sounding {
  static last: Sounding | undefined
  state = 'suspended'
  currentTime = 0
  destination = {}
  createOscillator = node
  createGain = node
  constructor() {
    Sounding.last = this
  }
  async resume() {
    if (!maySound) await new Promise<void>((goOn) => waiting.push(goOn))
    this.state = 'running'
  }
  async suspend() {
    this.state = 'suspended'
  }
}

let started: ReturnType<typeof chatServer>['server'] | undefined

const open = (address?: string) => {
  const { server, state } = chatServer({ contacts: [mariana(), thiago()] })
  const read: string[] = []
  server.events.on('response:mocked', ({ request }) => {
    read.push(new URL(request.url).pathname)
  })
  server.listen({ onUnhandledRequest: 'error' })
  started = server
  const rendered = renderLiveChat(address)
  const arrives = (contactId: string) => act(() => rendered.push('whatsapp:new_message', { contactId, position: '1' }))
  const looks = (id = 'mariana') => read.filter((path) => path === `/api/whatsapp/contacts/${id}`).length
  return { state, ...rendered, arrives, looks }
}

let clockMs = 0
beforeEach(() => {
  localStorage.clear()
  sessionStorage.clear()
  shown.length = 0
  notes = 0
  faded = 0
  cut = 0
  maySound = true
  permission = 'granted'
  asked.mockClear()
  vi.stubGlobal('Notification', Notified)
  vi.stubGlobal('AudioContext', Sounding)
  vi.spyOn(document, 'hasFocus').mockReturnValue(false)
  vi.spyOn(window, 'focus').mockImplementation(() => undefined)
  clockMs += 60_000
  vi.spyOn(performance, 'now').mockImplementation(() => clockMs)
  chooseAlerts({ sound: true, notifications: true })
})

afterEach(() => {
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
  started?.close()
})

describe('a message whose chat is not in view', () => {
  it('is announced with a tone and the name alone, and a click leads to the chat', async () => {
    const { arrives } = open()
    await screen.findByText('Selecione uma conversa')
    arrives('mariana')
    await waitFor(() => expect(shown).toHaveLength(1))
    expect(shown[0]).toMatchObject({ title: 'Mariana', body: 'Enviou uma mensagem' })
    expect(notes).toBe(2)
    act(() => shown[0]?.click())
    expect(window.focus).toHaveBeenCalled()
    expect(screen.getByLabelText('Endereço').textContent).toBe('?contato=mariana')
  })

  it('leaves the sound device alone once its tone has faded', async () => {
    const { arrives } = open()
    await screen.findByText('Selecione uma conversa')
    arrives('mariana')
    await waitFor(() => expect([notes, faded]).toEqual([2, 2]))
    await waitFor(() => expect(Sounding.last?.state).toBe('suspended'))
  })

  it('is shown at once where the browser allows no sound before the first click', async () => {
    maySound = false
    const { arrives } = open()
    await screen.findByText('Selecione uma conversa')
    arrives('mariana')
    await waitFor(() => expect(shown).toHaveLength(1))
    expect(notes).toBe(0)
    firstClick()
    await waitFor(() => expect([notes, faded]).toEqual([2, 2]))
  })

  it('sounds whole when a tone that had to wait for the first click comes too late', async () => {
    maySound = false
    const { arrives } = open()
    await screen.findByText('Selecione uma conversa')
    arrives('mariana')
    await waitFor(() => expect(waiting).toHaveLength(1))
    clockMs += 5_000
    playAlertTone()
    firstClick()
    await waitFor(() => expect([notes, faded]).toEqual([2, 2]))
    await waitFor(() => expect(Sounding.last?.state).toBe('suspended'))
    expect(cut).toBe(0)
  })

  it('is announced once, however many pushes name it', async () => {
    const { arrives, looks, state } = open()
    await screen.findByText('Selecione uma conversa')
    arrives('mariana')
    await waitFor(() => expect(shown).toHaveLength(1))
    arrives('mariana')
    await waitFor(() => expect(looks()).toBe(2))
    state.contacts = [{ ...mariana(), unreadCount: 2 }, thiago()]
    await waitFor(() => {
      arrives('mariana')
      expect(shown[1]?.body).toBe('2 mensagens não lidas')
    })
    expect(shown).toHaveLength(2)
  })

  it('is announced although an automatic reply to it came right behind', async () => {
    const { arrives, state } = open()
    await screen.findByText('Selecione uma conversa')
    state.contacts = [{ ...mariana(), lastMessage: { ...lastMessage, sender: 'user', status: 'sent' } }, thiago()]
    arrives('mariana')
    await waitFor(() => expect(shown.map(({ title }) => title)).toEqual(['Mariana']))
  })

  it('makes no sound and shows nothing when it is of the own side', async () => {
    const { arrives } = open()
    await screen.findByText('Selecione uma conversa')
    arrives('thiago')
    arrives('mariana')
    await waitFor(() => expect(shown.map(({ title }) => title)).toEqual(['Mariana']))
    expect(notes).toBe(2)
  })

  it('only sounds while the person looks at another chat', async () => {
    vi.spyOn(document, 'hasFocus').mockReturnValue(true)
    const { arrives } = open('/live-chat?contato=thiago')
    await screen.findByText('Nenhuma mensagem ainda', { selector: 'p' })
    arrives('mariana')
    await waitFor(() => expect(notes).toBe(2))
    expect(shown).toEqual([])
  })

  it('is not announced where the one who wrote stands behind the contact in view', async () => {
    vi.spyOn(document, 'hasFocus').mockReturnValue(true)
    const { arrives, looks, state } = open('/live-chat?contato=thiago')
    started?.use(http.post('*/api/whatsapp/contacts/:id/seen', () => HttpResponse.json({ id: 'thiago' })))
    const merged = [{ id: 'younger', name: null, phone: null }]
    state.contacts = [mariana(), { ...thiago(), unreadCount: 1, lastMessage, merged }]
    await screen.findByText('Nenhuma mensagem ainda', { selector: 'p' })
    await waitFor(() => {
      arrives('younger')
      expect(looks('younger')).toBe(2)
    })
    expect(notes).toBe(0)
  })

  it('is not announced by a browser that chose silence', async () => {
    chooseAlerts({ sound: false, notifications: false })
    const { arrives } = open()
    await screen.findByText('Selecione uma conversa')
    arrives('mariana')
    chooseAlerts({ sound: true })
    arrives('thiago')
    arrives('mariana')
    await waitFor(() => expect(notes).toBe(2))
    expect(shown).toEqual([])
  })
})

describe('a possible robot', () => {
  const suspectedRobot = { at: '2026-11-25T12:00:00.000Z', reason: 'starts', count: 10, withinSeconds: 600 } as const
  const pauses = (push: ReturnType<typeof open>['push']) =>
    act(() => push('whatsapp:robot_suspected', { contactId: 'mariana', position: '1' }))

  it('is announced with a tone, a notification and a toast, both of which lead to the conversation', async () => {
    const { push, state, user } = open()
    state.contacts = [{ ...mariana(), suspectedRobot }, thiago()]
    await screen.findByText('Selecione uma conversa')
    pauses(push)
    await waitFor(() => expect(shown).toHaveLength(1))
    expect(shown[0]).toMatchObject({ title: 'Mariana', body: 'Possível robô: os fluxos pararam' })
    expect(notes).toBe(2)
    expect(await screen.findByText('Os fluxos pararam com Mariana. A conversa espera por uma pessoa.')).toBeDefined()
    await user.click(screen.getByRole('button', { name: 'Abrir conversa' }))
    expect(screen.getByLabelText('Endereço').textContent).toBe('?contato=mariana')
  })

  it('is not announced to who looks at the conversation, or where it has been said already that it is none', async () => {
    vi.spyOn(document, 'hasFocus').mockReturnValue(true)
    const { push, looks, state } = open('/live-chat?contato=thiago')
    state.contacts = [mariana(), { ...thiago(), suspectedRobot }]
    await screen.findByRole('note')
    act(() => push('whatsapp:robot_suspected', { contactId: 'thiago', position: '1' }))
    pauses(push)
    await waitFor(() => expect(looks()).toBe(1))
    expect([notes, shown]).toEqual([0, []])
    expect(screen.queryByText('Possível robô', { selector: '[role="status"] *' })).toBeNull()
  })
})

describe('who asked for a person', () => {
  const asks = (push: ReturnType<typeof open>['push']) =>
    act(() => push('whatsapp:person_asked', { contactId: 'mariana', position: '1' }))

  it('is announced with a tone, a notification and a toast', async () => {
    const { push, state } = open()
    state.contacts = [{ ...mariana(), personAskedAt: '2026-11-27T12:00:00.000Z' }, thiago()]
    await screen.findByText('Selecione uma conversa')
    asks(push)
    await waitFor(() => expect(shown).toHaveLength(1))
    expect(shown[0]).toMatchObject({ title: 'Mariana', body: 'Pediu uma pessoa' })
    expect(notes).toBe(2)
    expect(await screen.findByText('O fluxo transferiu Mariana, que espera pela equipe.')).toBeDefined()
  })

  it('is not announced once somebody attends', async () => {
    const { push, looks } = open()
    await screen.findByText('Selecione uma conversa')
    asks(push)
    await waitFor(() => expect(looks()).toBe(1))
    expect([notes, shown]).toEqual([0, []])
  })
})

describe('what is written to the robot', () => {
  it('rings nowhere', async () => {
    const { arrives, state, looks } = open()
    state.contacts = [{ ...mariana(), botSince: '2026-11-27T12:00:00.000Z' }, thiago()]
    await screen.findByText('Selecione uma conversa')
    arrives('mariana')
    await waitFor(() => expect(looks()).toBe(1))
    expect([notes, shown]).toEqual([0, []])
  })
})

describe('on a phone, where only a service worker may show notifications', () => {
  const notifications: { title: string; data: unknown; close: () => void }[] = []
  const closed = vi.fn()
  const registration = {
    showNotification: async (title: string, { data }: NotificationOptions) => {
      notifications.push({ title, data, close: closed })
    },
    getNotifications: async () => notifications,
  }
  const workers = Object.assign(new EventTarget(), {
    register: vi.fn(async () => registration),
    ready: Promise.resolve(registration),
    getRegistration: async () => registration,
  })
  beforeEach(() => {
    notifications.length = 0
    Object.defineProperty(navigator, 'serviceWorker', { configurable: true, value: workers })
  })
  afterEach(() => Reflect.deleteProperty(navigator, 'serviceWorker'))

  it('a message is announced by it, a press leads to the chat, and nothing stays once one has signed out', async () => {
    const { arrives, unmount } = open()
    await screen.findByText('Selecione uma conversa')
    arrives('mariana')
    await waitFor(() => expect(notifications).toHaveLength(1))
    expect(workers.register).toHaveBeenCalledWith('/notifications.js')
    expect(notifications[0]).toMatchObject({ title: 'Mariana', data: { path: '/live-chat?contato=mariana' } })
    act(() => {
      workers.dispatchEvent(new MessageEvent('message', { data: { open: '/live-chat?contato=mariana' } }))
    })
    expect(screen.getByLabelText('Endereço').textContent).toBe('?contato=mariana')
    unmount()
    await waitFor(() => expect(closed).toHaveBeenCalled())
  })
})

describe('Avisos de novas mensagens', () => {
  it('asks for the permission only when notifications are switched on, and keeps the choice', async () => {
    permission = 'default'
    chooseAlerts({ sound: true, notifications: false })
    const { user } = open()
    await screen.findByText('Selecione uma conversa')
    expect(asked).not.toHaveBeenCalled()
    await user.click(screen.getByLabelText('Avisos de novas mensagens'))
    asked.mockImplementationOnce(async () => {
      permission = 'granted'
      return permission
    })
    await user.click(await screen.findByText('Avisos na área de trabalho'))
    expect(asked).toHaveBeenCalledTimes(1)
    await user.click(screen.getByText('Som'))
    await waitFor(() =>
      expect(JSON.parse(localStorage.getItem('prosa-alerts') ?? '')).toEqual({ sound: false, notifications: true }),
    )
  })

  it('shows where notifications are blocked', async () => {
    permission = 'denied'
    const { user } = open()
    await user.click(screen.getByLabelText('Avisos de novas mensagens'))
    expect(await screen.findByText('Bloqueados nas permissões do navegador')).toBeDefined()
    const item = screen.getByText('Avisos na área de trabalho').closest('li')
    expect(item?.getAttribute('aria-disabled')).toBe('true')
    await user.keyboard('{ArrowDown}')
    expect(document.activeElement).toBe(item)
    await user.keyboard('{Enter}')
    expect(asked).not.toHaveBeenCalled()
  })
})

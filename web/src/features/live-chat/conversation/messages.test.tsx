import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { HttpResponse, http } from 'msw'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { standInForMedia } from '../../../../test/browser-media.ts'
import { refuse } from '../../../../test/prosa-server.ts'
import { keys } from '../api.ts'
import { type History, maxMessages } from '../history-page.ts'
import { anewEachTest } from '../testing/anew-each-test.ts'
import { chatServer, someContact } from '../testing/chat-server.ts'
import { someMedia, someMessage } from '../testing/message-routes.ts'
import { renderLiveChat } from '../testing/render-live-chat.tsx'

const rafaela = () =>
  someContact({ id: 'rafaela', name: 'Rafaela', phone: '5531988776633', serviceStatus: 'attending' })
const messageOf = (over: Partial<Parameters<typeof someMessage>[0]> & { id: string }) =>
  someMessage({ contactId: 'rafaela', ...over })

vi.setConfig({ testTimeout: 30_000 })

let started: ReturnType<typeof chatServer>['server'] | undefined

const open = (messages: ReturnType<typeof someMessage>[], contact = rafaela()) => {
  const { server, state } = chatServer({ contacts: [contact], messages })
  server.listen({ onUnhandledRequest: 'error' })
  started = server
  return { server, state, ...renderLiveChat('/live-chat?contato=rafaela') }
}
const log = () => screen.findByRole('log')
const composer = () =>
  screen.findByPlaceholderText<HTMLTextAreaElement>('Digite uma mensagem ou / para respostas rápidas')

anewEachTest()

afterEach(() => started?.close())

describe('a message that nobody wrote', () => {
  it('is marked as an automatic reply, and no other is', async () => {
    const closed = { content: 'Abrimos às 8h.', sender: 'user', isAutomatic: true } as const
    open([messageOf({ id: 'q' }), messageOf({ id: 'a', ...closed }), messageOf({ id: 'b', sender: 'user' })])
    const marks = await within(await log()).findAllByText(/Resposta automática/)
    expect(marks).toHaveLength(1)
    expect(within(await log()).queryByText(/Fluxo/)).toBeNull()
  })

  it('is marked as a flow’s', async () => {
    open([messageOf({ id: 'f', content: 'Olá!', sender: 'user', isAutomatic: true, isFlow: true })])
    expect(await within(await log()).findAllByText(/Fluxo ·/)).toHaveLength(1)
    expect(within(await log()).queryByText(/Resposta automática/)).toBeNull()
  })
})

describe('a message with a file', () => {
  it('shows a picture in its place, and all pictures in full, one after the other', async () => {
    const picture = (id: string, content: string) =>
      messageOf({ id, content, kind: 'image', media: someMedia({ id, width: 800, height: 400 }) })
    const { user } = open([picture('p1', 'A vitrine'), messageOf({ id: 'x' }), picture('p2', 'O balcão')])
    const first = await within(await log()).findByRole('button', { name: 'Abrir foto: A vitrine' })
    expect(first.parentElement?.style.aspectRatio).toBe('2 / 1')
    await user.click(first)
    const viewer = await screen.findByRole('dialog', { name: 'Foto de Rafaela' })
    expect(within(viewer).getByText(/1 de 2/)).toBeDefined()
    await user.keyboard('{ArrowRight}')
    expect(within(viewer).getByAltText('O balcão')).toBeDefined()
    expect(within(viewer).getByRole('link', { name: 'Baixar' }).getAttribute('href')).toBe(
      '/api/whatsapp/media/p2?download=',
    )
    await user.keyboard('{Escape}')
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  })

  it('shows in the large view that a picture is coming, or that it did not come, and asks for it again', async () => {
    const media = someMedia({ id: 'p', width: 800, height: 400 })
    const { user } = open([messageOf({ id: 'p', content: 'A vitrine', kind: 'image', media })])
    await user.click(await within(await log()).findByRole('button', { name: 'Abrir foto: A vitrine' }))
    const viewer = within(await screen.findByRole('dialog', { name: 'Foto de Rafaela' }))
    const picture = () => viewer.queryByAltText('A vitrine')
    expect(viewer.getByRole('progressbar', { name: 'Carregando foto...' })).toBeDefined()
    fireEvent.error(picture() as HTMLElement)
    expect(viewer.getByText('A foto não pôde ser aberta')).toBeDefined()
    expect(picture()).toBeNull()
    await user.click(viewer.getByRole('button', { name: 'Tentar de novo' }))
    fireEvent.load(picture() as HTMLElement)
    expect(viewer.queryByRole('progressbar')).toBeNull()
    expect(viewer.queryByText('A foto não pôde ser aberta')).toBeNull()
  })

  it('plays one voice message at a time, faster when wanted', async () => {
    const { played } = standInForMedia()
    const voice = (id: string) =>
      messageOf({
        id,
        content: '',
        kind: 'audio',
        media: someMedia({ id, voice: true, seconds: 75, waveform: [0, 100] }),
      })
    const { user } = open([voice('v1'), voice('v2')])
    const [one, two] = await within(await log()).findAllByRole('button', { name: 'Ouvir mensagem de voz' })
    if (!one || !two) throw new Error('two players')
    expect(screen.getAllByText('01:15')).toHaveLength(2)
    await user.click(one)
    expect(within(await log()).getAllByRole('button', { name: 'Pausar mensagem de voz' })).toHaveLength(1)
    await user.click(two)
    expect(within(await log()).getAllByRole('button', { name: 'Pausar mensagem de voz' })).toHaveLength(1)
    expect(played).toEqual(['/api/whatsapp/media/v1', '/api/whatsapp/media/v2'])
    await user.click(screen.getAllByRole('button', { name: 'Velocidade 1×' })[0] as HTMLElement)
    expect(screen.getAllByRole('button', { name: 'Velocidade 1,5×' })).toHaveLength(2)
  })

  it('offers a document with its name and size', async () => {
    const media = someMedia({ id: 'd', fileName: 'Orçamento.pdf', mediaType: 'application/pdf', bytes: 1_258_291 })
    open([messageOf({ id: 'd', content: '', kind: 'document', media })])
    expect(await within(await log()).findByText('PDF · 1,2 MB')).toBeDefined()
    expect(screen.getByRole('link', { name: 'Baixar Orçamento.pdf' }).getAttribute('href')).toBe(
      '/api/whatsapp/media/d?download=',
    )
  })

  it('offers a picture that no browser should decode as a file, and shows nothing of it', async () => {
    const preview = 'data:image/jpeg;base64,AAAA'
    const media = someMedia({ id: 'bomb', mediaType: 'application/octet-stream', preview })
    const other = someMedia({ id: 'photo' })
    open([
      messageOf({ id: 'a', content: '', kind: 'image', media }),
      messageOf({ id: 'b', content: '', kind: 'sticker', media: { ...media, mediaType: 'image/avif' } }),
      messageOf({ id: 'c', content: '', kind: 'image', media: other }),
    ])
    const region = within(await log())
    expect(await region.findByRole('button', { name: 'Abrir foto: Foto' })).toBeDefined()
    expect(await region.findAllByRole('link', { name: /^Baixar/ })).toHaveLength(2)
    const addresses = (await log()).querySelectorAll('img')
    expect([...addresses].map((image) => image.getAttribute('src'))).toEqual(['/api/whatsapp/media/photo'])
  })

  it('shows that a file is on its way, or why it is not there, and asks for it again', async () => {
    const media = someMedia({ id: 'gone', status: 'unavailable', problem: 'O WhatsApp não tem mais este arquivo.' })
    const { user, state } = open([messageOf({ id: 'm', kind: 'image', media })])
    expect(await within(await log()).findByText('O WhatsApp não tem mais este arquivo.')).toBeDefined()
    await user.click(screen.getByRole('button', { name: 'Tentar de novo' }))
    expect(await within(await log()).findByText('Chegando do WhatsApp')).toBeDefined()
    expect(state.retried).toEqual(['gone'])
  })
})

describe('a message that changed', () => {
  it('shows that it was deleted, and its text only when asked', async () => {
    const { user } = open([messageOf({ id: 'm', content: '', kind: 'deleted', original: 'Meu CPF é 123' })])
    expect(await within(await log()).findByText('Mensagem apagada')).toBeDefined()
    expect(screen.queryByText('Meu CPF é 123')).toBeNull()
    await user.click(screen.getByRole('button', { name: 'Ver original' }))
    expect(screen.getByText('Meu CPF é 123')).toBeDefined()
  })

  it('shows that it was edited, and how it was before when asked', async () => {
    const { user } = open([
      messageOf({ id: 'm', content: 'Às 15h', original: 'Às 14h', editedAt: new Date().toISOString() }),
    ])
    await user.click(await within(await log()).findByRole('button', { name: 'editada' }))
    expect(screen.getByText('Às 14h')).toBeDefined()
    expect(screen.getByText('Às 15h')).toBeDefined()
  })
})

describe('answering', () => {
  it('quotes the message that the keys stand on, Esc lets go, and what is sent names what it answers', async () => {
    const { user, state } = open([
      messageOf({ id: 'm1', content: 'Tem azul?' }),
      messageOf({ id: 'm2', content: 'E verde?' }),
    ])
    await within(await log()).findByText('E verde?')
    await user.click(await composer())
    await user.keyboard('{ArrowUp}{ArrowUp}r')
    const bar = await screen.findByRole('group', { name: 'Respondendo a' })
    expect(within(bar).getByText('Tem azul?')).toBeDefined()
    expect(document.activeElement).toBe(await composer())
    await user.keyboard('{Escape}')
    expect(screen.queryByRole('group', { name: 'Respondendo a' })).toBeNull()

    await user.keyboard('{ArrowUp}r')
    await user.keyboard('Temos{Enter}')
    await waitFor(() => expect(state.sent).toHaveLength(1))
    expect(state.sent[0]).toMatchObject({ message: 'Temos', quotedMessageId: 'm2' })
    expect(screen.queryByRole('group', { name: 'Respondendo a' })).toBeNull()
  })

  it('goes from a quote to the message, also when it is not loaded, and back to the latest', async () => {
    const many = Array.from({ length: 160 }, (_, index) => messageOf({ id: `m${index}`, content: `mensagem ${index}` }))
    const answer = messageOf({
      id: 'a',
      content: 'Essa',
      quoted: { id: 'm20', content: 'mensagem 20', sender: 'contact' },
    })
    const { user } = open([...many, answer])
    await user.click(await within(await log()).findByRole('button', { name: /mensagem 20/ }))
    await waitFor(() => expect(screen.queryByText('Essa')).toBeNull())
    expect(within(await log()).getByText('mensagem 20')).toBeDefined()
    await user.click(await screen.findByText('Mensagens recentes'))
    expect(await within(await log()).findByText('Essa')).toBeDefined()
  })

  it('shows a notice when the quoted message is not there any more', async () => {
    const { user } = open([messageOf({ id: 'a', quoted: { id: 'lost', content: 'Antiga', sender: 'user' } })])
    await user.click(await within(await log()).findByRole('button', { name: /Antiga/ }))
    expect(await screen.findByText('Esta mensagem não está mais aqui')).toBeDefined()
  })
})

describe('a long conversation', () => {
  const many = (count: number) =>
    Array.from({ length: count }, (_, index) => messageOf({ id: `m${index}`, content: `mensagem ${index}` }))
  const viewport = async () => (await log()).parentElement as HTMLElement
  const scroll = async (top: number) => {
    const element = await viewport()
    element.scrollTop = top
    element.dispatchEvent(new Event('scroll'))
  }

  it('opens at its end, keeps few messages at hand, and brings older ones as they are scrolled to', async () => {
    open(many(150))
    expect(await screen.findByText('mensagem 149')).toBeDefined()
    expect(screen.queryByText('mensagem 60')).toBeNull()
    await waitFor(async () => {
      await scroll(0)
      expect(screen.getByText('mensagem 0')).toBeDefined()
    })
    expect(screen.queryByText('mensagem 149')).toBeNull()
  })

  const messagesIn = ({ queries }: ReturnType<typeof open>) =>
    queries.getQueryData<History>(keys.history('rafaela'))?.messages ?? []
  const loadedIn = (opened: ReturnType<typeof open>) => messagesIn(opened).map(({ id }) => id)
  const climb = async (to: string, top: () => number) => {
    for (let steps = 0; screen.queryByText(to) === null; steps++) {
      if (steps > 600 || !screen.queryByRole('log')) throw new Error(`scrolling does not lead to ${to}`)
      await scroll(top())
      await new Promise((done) => setTimeout(done, 20))
    }
  }

  it('has a part of itself loaded however far one scrolls, and shows what changed meanwhile on the way back', async () => {
    const opened = open(many(620))
    await screen.findByText('mensagem 619')
    await climb('mensagem 0', () => 0)
    expect(loadedIn(opened).length).toBeLessThanOrEqual(maxMessages + 100)
    expect(loadedIn(opened)).not.toContain('m619')
    opened.state.messages = opened.state.messages.map((message) =>
      ['m3', 'm400', 'm619'].includes(message.id) ? { ...message, content: `corrigida ${message.id}` } : message,
    )
    opened.push('whatsapp:new_message', { contactId: 'rafaela', position: '7' })
    // In view, by the push.
    expect(await screen.findByText('corrigida m3')).toBeDefined()
    const element = await viewport()
    const seen = new Map<string, string>()
    await climb('corrigida m619', () => {
      for (const { id, content } of messagesIn(opened)) seen.set(id, content)
      // jsdom does not end at the end.
      return Math.min(element.scrollTop + 1500, element.scrollHeight - element.clientHeight)
    })
    expect(seen.get('m400')).toBe('corrigida m400')
    expect(loadedIn(opened).length).toBeLessThanOrEqual(maxMessages + 100)
    expect(loadedIn(opened)).not.toContain('m0')
    await waitFor(async () => {
      await scroll(element.scrollHeight)
      expect(screen.queryByText('Mensagens recentes')).toBeNull()
    })
  }, 90_000)

  it('goes to its end with one press from a part that overlaps the latest page', async () => {
    const { server } = chatServer({ contacts: [rafaela()], messages: many(300) })
    server.listen({ onUnhandledRequest: 'error' })
    started = server
    const { user } = renderLiveChat('/live-chat?contato=rafaela&mensagem=m170')
    await screen.findByText('mensagem 170')
    await user.click(await screen.findByText('Mensagens recentes'))
    expect(await screen.findByText('mensagem 299')).toBeDefined()
    await waitFor(() => expect(screen.queryByText('Mensagens recentes')).toBeNull())
  })

  it('goes to its end for what is written while a far part of it is in view', async () => {
    const opened = open(many(620))
    await screen.findByText('mensagem 619')
    await climb('mensagem 0', () => 0)
    await opened.user.type(await composer(), 'Já separei{Enter}')
    expect(await screen.findByText('Já separei', { selector: '[role="log"] *' })).toBeDefined()
    await waitFor(() => expect(opened.state.sent).toHaveLength(1))
    expect(await screen.findByText('mensagem 619')).toBeDefined()
    await waitFor(() => expect(loadedIn(opened).at(-1)).toBe(opened.state.sent[0]?.messageId))
  })

  it('has its latest page alone once another conversation is open', async () => {
    const opened = open(many(250))
    await screen.findByText('mensagem 249')
    await climb('mensagem 0', () => 0)
    opened.unmount()
    expect(loadedIn(opened)).toEqual(
      many(250)
        .slice(150)
        .map(({ id }) => id),
    )
  })

  it('shows at its very top that older messages did not come, and asks for them again', async () => {
    const { server, user } = open(many(150))
    await screen.findByText('mensagem 149')
    let refuses = true
    server.use(
      http.get('*/api/whatsapp/contacts/:id/messages', ({ request }) =>
        refuses && new URL(request.url).searchParams.has('cursor') ? HttpResponse.error() : undefined,
      ),
    )
    await waitFor(async () => {
      await scroll(0)
      expect(screen.getByText('As mensagens anteriores não puderam ser carregadas.')).toBeDefined()
    })
    refuses = false
    await user.click(screen.getByRole('button', { name: 'Tentar de novo' }))
    await waitFor(() => expect(screen.queryByText('As mensagens anteriores não puderam ser carregadas.')).toBeNull())
    await waitFor(async () => {
      await scroll(0)
      expect(screen.getByText('mensagem 0')).toBeDefined()
    })
  })

  it('counts what arrives while older messages are read, and goes there when asked', async () => {
    const { user, state, push } = open(many(60))
    await screen.findByText('mensagem 59')
    await scroll(0)
    await screen.findByText('mensagem 0')
    state.messages = [...state.messages, messageOf({ id: 'new', content: 'Olá de novo' })]
    push('whatsapp:new_message', { contactId: 'rafaela', position: '7' })
    await user.click(await screen.findByText('1 nova mensagem'))
    expect(await within(await log()).findByText('Olá de novo')).toBeDefined()
    expect(screen.queryByText('1 nova mensagem')).toBeNull()
  })

  it('opens at the message that a search found, and is not seen while only old messages are in view', async () => {
    const { server, state } = chatServer({ contacts: [{ ...rafaela(), unreadCount: 2 }], messages: many(300) })
    server.listen({ onUnhandledRequest: 'error' })
    started = server
    const { user } = renderLiveChat('/live-chat?contato=rafaela&mensagem=m40')
    const down = await screen.findByText('2 novas mensagens')
    expect(within(await log()).getByText('mensagem 40')).toBeDefined()
    expect(state.seen).toEqual([])
    await user.click(down)
    await waitFor(() => expect(state.seen).toEqual(['rafaela']))
    expect(await within(await log()).findByText('mensagem 299')).toBeDefined()
  })
})

describe('reactions', () => {
  it('are chosen with the keyboard, shown at once, changed and taken back', async () => {
    const { user, state } = open([messageOf({ id: 'm', reactions: [{ emoji: '❤️', sender: 'contact' }] })])
    await within(await log()).findByText('m')
    await user.click(await composer())
    await user.keyboard('{ArrowUp}+')
    await user.click(await screen.findByRole('button', { name: /^Reagir com 👍/ }))
    const mine = await screen.findByRole('button', { name: /^Reação 👍 de você/ })
    await waitFor(() => expect(state.reactions).toEqual([{ messageId: 'm', emoji: '👍' }]))
    expect(screen.getByRole('button', { name: /^Reação ❤️ de Rafaela/ })).toBeDefined()
    // The name states the action: a pressed state would contradict it.
    expect([mine.ariaPressed, mine.ariaLabel]).toEqual([null, 'Reação 👍 de você. Retirar a sua'])
    await user.click(mine)
    await waitFor(() => expect(state.reactions.at(-1)).toEqual({ messageId: 'm', emoji: null }))
    await waitFor(() => expect(screen.queryByRole('button', { name: /^Reação 👍/ })).toBeNull())
  })

  it('go away again, with the reason, when they were refused', async () => {
    const { user, state } = open([messageOf({ id: 'm', reactions: [{ emoji: '❤️', sender: 'contact' }] })])
    state.refuseReaction = true
    await user.click(await screen.findByRole('button', { name: /^Reação ❤️ de Rafaela/ }))
    expect(await screen.findByText('Esta mensagem ainda não chegou ao contato.')).toBeDefined()
    expect(screen.queryByRole('button', { name: /de Rafaela e você|de você/ })).toBeNull()
  })
})

describe('reactions that are refused one after the other', () => {
  it('lead back to what stood before the first of them', async () => {
    const { user, state } = open([
      messageOf({
        id: 'm',
        reactions: [
          { emoji: '❤️', sender: 'contact' },
          { emoji: '👍', sender: 'user' },
        ],
      }),
    ])
    let letGo: (() => void) | undefined
    state.refuseReaction = true
    state.holdReaction = new Promise((resolve) => {
      letGo = resolve
    })
    await user.click(await screen.findByRole('button', { name: /^Reação ❤️ de Rafaela/ }))
    await user.click(await screen.findByRole('button', { name: /^Reação ❤️ de Rafaela e você/ }))
    await waitFor(() => expect(screen.queryByRole('button', { name: /de você|e você/ })).toBeNull())
    letGo?.()
    expect(await screen.findByRole('button', { name: /^Reação 👍 de você/ })).toBeDefined()
    expect(screen.getByRole('button', { name: /^Reação ❤️ de Rafaela\./ })).toBeDefined()
  })
})

describe('the contact', () => {
  it('is seen typing, recording and online while the line holds', async () => {
    const { push } = open([])
    await screen.findByRole('heading', { level: 2, name: 'Rafaela' })
    push('whatsapp:presence', { contactId: 'rafaela', state: 'typing' })
    expect(await screen.findByText('digitando...')).toBeDefined()
    push('whatsapp:presence', { contactId: 'somebody else', state: 'recording' })
    push('whatsapp:presence', { contactId: 'rafaela', state: 'available' })
    expect(await screen.findByText('online')).toBeDefined()
    expect(screen.queryByText('gravando áudio...')).toBeNull()
  })

  it('is notified that somebody writes, once for many keys, and when it ends', async () => {
    const { user, emitted } = open([])
    await user.type(await composer(), 'Um momento{Enter}')
    const notified = () => emitted.filter(([name]) => name === 'contact:typing').map(([, , state]) => state)
    await waitFor(() => expect(notified()).toEqual(['typing', 'paused']))
  })

  it('can be separated from the one it was merged with', async () => {
    const merged = [{ id: 'other', name: null, phone: '5531888776633' }]
    const { user, state } = open([], { ...rafaela(), merged })
    await screen.findByRole('heading', { level: 2, name: 'Rafaela' })
    await user.keyboard('{Control>}i{/Control}')
    await user.click(await screen.findByRole('button', { name: /^Separar/ }))
    await waitFor(() => expect(state.separated).toEqual(['other']))
    await waitFor(() => expect(screen.queryByRole('button', { name: /^Separar/ })).toBeNull())
  })

  it('is erased only when that is meant, and its conversation closes', async () => {
    const { user, state, server } = open([messageOf({ id: 'm' })])
    await user.click(await screen.findByRole('button', { name: 'Detalhes do contato' }))
    await user.click(await screen.findByRole('button', { name: 'Apagar contato' }))
    const dialog = await screen.findByRole('dialog', { name: 'Apagar Rafaela?' })
    const erase = within(dialog).getByRole('button', { name: 'Apagar contato' })
    expect(erase).toHaveProperty('disabled', true)
    await user.type(within(dialog).getByRole('textbox'), 'apagar')
    let fails = true
    server.use(http.delete('*/api/whatsapp/contacts/:id', () => (fails ? refuse('unexpected') : undefined)))
    await user.click(erase)
    expect(await within(dialog).findByText('O contato não foi apagado. Tente novamente.')).toBeDefined()
    fails = false
    await user.click(erase)
    expect(await screen.findByText('Selecione uma conversa')).toBeDefined()
    expect(state.contacts).toEqual([])
  })
})

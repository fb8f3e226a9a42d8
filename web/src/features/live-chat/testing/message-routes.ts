import type { Contact, Message, MessageMedia } from '@prosa/contracts/http/live-chat'
import type { SendMessageBody } from '@prosa/contracts/http/messages'
import { cursorHeader, newerCursorHeader } from '@prosa/contracts/http/problem'
import { HttpResponse, http } from 'msw'

const origin = 'http://127.0.0.1:3000'
const pageSize = 100

const problem = (status: number, type: string, title: string) =>
  HttpResponse.json({ type, title, status, correlationId: 'x' }, { status })

export const someMessage = (over: Partial<Message> & Pick<Message, 'id' | 'contactId'>): Message => ({
  connectionId: null,
  content: over.id,
  kind: 'text',
  sender: 'contact',
  timestamp: new Date().toISOString(),
  status: over.sender === 'user' ? 'sent' : null,
  failure: null,
  sentElsewhere: false,
  media: null,
  quoted: null,
  reactions: [],
  editedAt: null,
  original: null,
  ...over,
})

export const someMedia = (over: Partial<MessageMedia> = {}): MessageMedia => ({
  id: '6f9c6f0e-7a39-4a5e-9a39-0b0c0d0e0f10',
  status: 'ready',
  problem: null,
  mediaType: 'image/jpeg',
  bytes: 51_200,
  fileName: null,
  seconds: null,
  width: null,
  height: null,
  voice: false,
  waveform: null,
  preview: null,
  ...over,
})

const kinds = {
  image: 'image',
  video: 'video',
  audio: 'audio',
  voice: 'audio',
  document: 'document',
  sticker: 'sticker',
} as const

const storedOf = (body: SendMessageBody, line: string | null): Message => {
  const { media } = body
  return someMessage({
    id: body.messageId ?? 'made-by-the-server',
    contactId: body.contactId,
    connectionId: body.connectionId ?? line,
    content: body.message ?? '',
    sender: 'user',
    kind: media ? kinds[media.as] : 'text',
    media: media
      ? someMedia({
          id: media.id,
          fileName: media.fileName ?? null,
          width: media.width ?? null,
          height: media.height ?? null,
          seconds: media.seconds ?? null,
          voice: media.as === 'voice',
        })
      : null,
    quoted: body.quotedMessageId ? { id: body.quotedMessageId, content: '', sender: null } : null,
  })
}

export interface MessageState {
  contacts: readonly Contact[]
  messages: Message[]
  refuseSend: string | null
  refuseSendAs: string
  /** Null accepts files. */
  refuseFile: string | null
  /** Files wait for it. */
  holdFile: Promise<void> | null
  sent: SendMessageBody[]
  /** Sizes in bytes. */
  files: number[]
  reactions: { messageId: string; emoji: string | null; connectionId?: string }[]
  refuseReaction: boolean
  holdReaction: Promise<void> | null
  /** For edits and deletions; null accepts them. */
  refuseCorrection: string | null
  /** `text` null: a deletion. */
  corrections: { messageId: string; text: string | null }[]
  retried: string[]
}

/** Pages of 100, like the server. */
export const messageRoutes = (state: MessageState) => [
  http.get(`${origin}/api/whatsapp/contacts/:id/messages`, ({ params, request }) => {
    const { searchParams } = new URL(request.url)
    const all = state.messages.filter(({ contactId }) => contactId === params.id)
    const around = searchParams.get('around')
    const place = all.findIndex(({ id }) => id === around)
    if (around !== null && place === -1) return problem(404, 'message_not_found', 'Mensagem não encontrada.')
    const after = searchParams.get('after')
    const end =
      after !== null
        ? Number(after) + pageSize
        : around !== null
          ? place + pageSize / 2
          : Number(searchParams.get('cursor') ?? all.length)
    const from = after !== null ? Number(after) : Math.max(0, end - pageSize)
    const headers = new Headers()
    if (from > 0) headers.set(cursorHeader, String(from))
    if (end < all.length) headers.set(newerCursorHeader, String(end))
    return HttpResponse.json(all.slice(from, end), { headers })
  }),
  http.post(`${origin}/api/whatsapp/send-message`, async ({ request }) => {
    const body = (await request.json()) as SendMessageBody
    state.sent.push(body)
    if (state.refuseSend !== null) return problem(409, state.refuseSendAs, state.refuseSend)
    const line = state.contacts.find(({ id }) => id === body.contactId)?.connectionId ?? null
    const stored = storedOf(body, line)
    state.messages = [...state.messages.filter(({ id }) => id !== stored.id), stored]
    const { id, contactId, connectionId } = stored
    return HttpResponse.json({ id, contactId, connectionId, status: 'queued' }, { status: 202 })
  }),
  http.post(`${origin}/api/whatsapp/media`, async ({ request }) => {
    const { byteLength } = await request.arrayBuffer()
    await state.holdFile
    if (state.refuseFile !== null) return problem(422, 'media_type_refused', state.refuseFile)
    state.files.push(byteLength)
    const id = `00000000-0000-4000-8000-${String(state.files.length).padStart(12, '0')}`
    return HttpResponse.json({ id, mediaType: 'image/jpeg', bytes: byteLength }, { status: 201 })
  }),
  http.post(`${origin}/api/whatsapp/media/:id/retry`, ({ params }) => {
    state.retried.push(String(params.id))
    state.messages = state.messages.map((message) => {
      const { media } = message
      return media && media.id === params.id ? { ...message, media: { ...media, status: 'waiting' as const } } : message
    })
    return HttpResponse.json({ id: params.id }, { status: 202 })
  }),
  http.post(`${origin}/api/whatsapp/contacts/:id/messages/:messageId/reaction`, async ({ params, request }) => {
    const { emoji, ...wish } = (await request.json()) as { emoji: string | null; connectionId?: string }
    await state.holdReaction
    if (state.refuseReaction) return problem(409, 'message_not_ready', 'Esta mensagem ainda não chegou ao contato.')
    state.reactions.push({ messageId: String(params.messageId), emoji, ...wish })
    state.messages = state.messages.map((message) =>
      message.id === params.messageId
        ? {
            ...message,
            reactions: [
              ...message.reactions.filter(({ sender }) => sender !== 'user'),
              ...(emoji === null ? [] : [{ emoji, sender: 'user' as const }]),
            ],
          }
        : message,
    )
    return HttpResponse.json({ messageId: params.messageId, contactId: params.id, emoji }, { status: 202 })
  }),
  http.patch(`${origin}/api/whatsapp/contacts/:id/messages/:messageId`, async ({ params, request }) => {
    const { message } = (await request.json()) as { message: string }
    if (state.refuseCorrection !== null) return problem(409, 'edit_too_late', state.refuseCorrection)
    const messageId = String(params.messageId)
    state.corrections.push({ messageId, text: message })
    state.messages = state.messages.map((each) =>
      each.id === messageId
        ? { ...each, content: message, original: each.content, editedAt: new Date().toISOString() }
        : each,
    )
    return HttpResponse.json({ messageId, contactId: params.id }, { status: 202 })
  }),
  http.delete(`${origin}/api/whatsapp/contacts/:id/messages/:messageId`, ({ params }) => {
    if (state.refuseCorrection !== null) return problem(409, 'deletion_too_late', state.refuseCorrection)
    const messageId = String(params.messageId)
    state.corrections.push({ messageId, text: null })
    state.messages = state.messages.map((each) =>
      each.id === messageId
        ? { ...each, kind: 'deleted' as const, content: 'Mensagem apagada', original: each.content }
        : each,
    )
    return HttpResponse.json({ messageId, contactId: params.id }, { status: 202 })
  }),
]

import { brazilianNumber, simulatorEndpoints as endpoints } from '@prosa/contracts/http/simulator'
import type { FastifyInstance, FastifyPluginAsync } from 'fastify'
import { examplePicture, examplePictureSize } from '../demo/example-picture.ts'
import { exampleVoice } from '../demo/example-voice.ts'
import type { ChatMessage } from './chat.ts'
import { phoneById } from './find-phone.ts'
import type { FileToSend, PhoneChats } from './phone-chats.ts'
import { parse, Refusal } from './refusal.ts'
import type { Simulator } from './simulator.ts'
import { simulatorRoute } from './simulator-route.ts'

function exampleFile(kind: 'voice' | 'image'): FileToSend {
  if (kind === 'voice') {
    const { bytes, mediaType, seconds, waveform } = exampleVoice
    return { kind, data: bytes, mimetype: mediaType, seconds, waveform: Uint8Array.from(waveform) }
  }
  return { kind, data: examplePicture(Math.floor(Math.random() * 4)), mimetype: 'image/png', ...examplePictureSize }
}

const MAX_FILE_BYTES = 101 << 20

interface MessageParams {
  id: string
  /** A number or a group's id. */
  chat: string
  message: string
}

const ms = (instant: string | undefined) => (instant === undefined ? undefined : Date.parse(instant))

const partnerOf = (simulator: Simulator, { phone }: PhoneChats, typed: string): string => {
  if (simulator.sandbox.directory.group(typed)?.members.has(phone.account)) return typed
  const number = brazilianNumber(typed)
  if (number === phone.number) throw new Refusal(422, 'Um telefone não escreve para si mesmo.', 'number')
  if (!number || !simulator.hasNumber(number)) {
    throw new Refusal(422, 'Nenhum telefone simulado tem este número. Adicione-o antes de escrever.', 'number')
  }
  return number
}

const messageOf = (
  simulator: Simulator,
  { id, chat, message }: MessageParams,
): { phone: PhoneChats; found: ChatMessage } => {
  const phone = phoneById(simulator, id)
  const found = phone.chat(chat)?.find(message)
  if (!found || found.deleted) throw new Refusal(404, 'Esta mensagem não existe mais.')
  return { phone, found }
}

const ownMessageOf = (simulator: Simulator, params: MessageParams, toDo: string) => {
  const { phone, found } = messageOf(simulator, params)
  if (!found.fromMe) throw new Refusal(422, `Só quem escreveu a mensagem pode ${toDo}.`)
  return { phone: online(phone), found }
}

const online = (phone: PhoneChats) => {
  if (!phone.phone.online) throw new Refusal(409, 'O telefone está sem internet. Conecte-o e tente de novo.')
  return phone
}

const checkQuote = (phone: PhoneChats, partner: string, quotedId: string | undefined) => {
  if (quotedId === undefined || phone.chat(partner)?.find(quotedId)) return
  throw new Refusal(422, 'A mensagem citada não está nesta conversa.', 'quotedId')
}

const sendRoutes = (app: FastifyInstance, simulator: Simulator) => {
  simulatorRoute(app, simulator, endpoints.sendText, async ({ params, body }) => {
    const phone = phoneById(simulator, params.id)
    const { text, quotedId, at } = parse(endpoints.sendText.body, body)
    const partner = partnerOf(simulator, phone, params.chat)
    checkQuote(phone, partner, quotedId)
    const written = phone.write(partner, text, { quotedId, at: ms(at) })
    return simulator.describe(phone, written)
  })

  simulatorRoute(
    app,
    simulator,
    endpoints.sendFile,
    async ({ params, query, body, headers }) => {
      const phone = phoneById(simulator, params.id)
      const { quotedId, at, kind, mediaType, caption, waveform, ...details } = parse(endpoints.sendFile.query, query)
      const partner = partnerOf(simulator, phone, params.chat)
      checkQuote(phone, partner, quotedId)
      if (!(body instanceof Buffer) || body.length === 0) {
        throw new Refusal(422, 'Envie o arquivo como ele é, com content-type application/octet-stream.', 'file')
      }
      const file = {
        ...details,
        kind,
        data: body,
        mimetype: mediaType ?? headers['content-type'] ?? 'application/octet-stream',
        ...(caption && { caption }),
        ...(waveform && { waveform: Uint8Array.from(waveform.split(','), Number) }),
      }
      const sent = await phone.sendFile(partner, file, { quotedId, at: ms(at) })
      return simulator.describe(phone, sent)
    },
    { bodyLimit: MAX_FILE_BYTES },
  )

  simulatorRoute(app, simulator, endpoints.sendExample, async ({ params, body }) => {
    const phone = phoneById(simulator, params.id)
    const { kind } = parse(endpoints.sendExample.body, body)
    const sent = await phone.sendFile(partnerOf(simulator, phone, params.chat), exampleFile(kind))
    return simulator.describe(phone, sent)
  })
}

const changeRoutes = (app: FastifyInstance, simulator: Simulator) => {
  simulatorRoute(app, simulator, endpoints.editMessage, async ({ params, body }) => {
    const { text } = parse(endpoints.editMessage.body, body)
    const { phone, found } = ownMessageOf(simulator, params, 'editá-la')
    if (found.kind !== 'text') throw new Refusal(422, 'Só mensagens de texto podem ser editadas.')
    await phone.edit(params.chat, found.id, text)
    return simulator.describe(phone, found)
  })

  simulatorRoute(app, simulator, endpoints.deleteMessage, async ({ params }) => {
    const { phone, found } = ownMessageOf(simulator, params, 'apagá-la para todos')
    await phone.delete(params.chat, found.id)
  })

  simulatorRoute(app, simulator, endpoints.react, async ({ params, body }) => {
    const { emoji } = parse(endpoints.react.body, body)
    const { phone, found } = messageOf(simulator, params)
    await online(phone).react(params.chat, found, emoji)
    return simulator.describe(phone, found)
  })
}

const readRoutes = (app: FastifyInstance, simulator: Simulator) => {
  simulatorRoute(app, simulator, endpoints.messages, async ({ params }) =>
    simulator.messages(phoneById(simulator, params.id), params.chat),
  )

  simulatorRoute(app, simulator, endpoints.file, async ({ params }, reply) => {
    const { phone, found } = messageOf(simulator, params)
    const data = await phone.fileOf(params.chat, found.id)
    if (!data) throw new Refusal(404, 'Esta mensagem não tem arquivo.')
    return reply
      .header('content-type', found.file?.mediaType ?? 'application/octet-stream')
      .header('cache-control', 'private, max-age=31536000, immutable')
      .header('x-content-type-options', 'nosniff')
      .header('content-security-policy', "default-src 'none'; sandbox")
      .send(data)
  })

  simulatorRoute(app, simulator, endpoints.showActivity, async ({ params, body }) => {
    const phone = phoneById(simulator, params.id)
    const { activity } = parse(endpoints.showActivity.body, body)
    const partner = partnerOf(simulator, phone, params.chat)
    // WhatsApp shows typing in groups too; the sandbox does not.
    if (!simulator.hasGroup(partner)) online(phone).phone.setActivity(partner, activity)
  })

  simulatorRoute(app, simulator, endpoints.read, async ({ params }) => {
    phoneById(simulator, params.id).read(params.chat)
  })
}

export const chatRoutes =
  (simulator: Simulator): FastifyPluginAsync =>
  async (app) => {
    app.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: MAX_FILE_BYTES }, (_request, body, parsed) =>
      parsed(null, body),
    )
    readRoutes(app, simulator)
    sendRoutes(app, simulator)
    changeRoutes(app, simulator)
  }

/** Chats: writing, files, quotes, edits, deletions, reactions, reading, typing. */
import type { FastifyPluginAsync } from 'fastify'
import { exampleFile } from '../demo/example-file.ts'
import type { ChatMessage } from './chat.ts'
import { answeringAfterSave, phoneById } from './find-phone.ts'
import type { PhoneChats } from './phone-chats.ts'
import { parse, Refusal } from './refusal.ts'
import type { Simulator } from './simulator.ts'
import * as contract from './simulator-contract.ts'

const MOST_FILE_BYTES = 101 << 20

interface ChatParams {
  id: string
  /** A number, or the id of a group. */
  chat: string
}

interface ChatRoute {
  Params: ChatParams
}

interface MessageRoute {
  Params: ChatParams & { message: string }
}

const milliseconds = (instant: string | undefined) => (instant === undefined ? undefined : Date.parse(instant))

export const chatRoutes =
  (simulator: Simulator): FastifyPluginAsync =>
  async (app) => {
    const done = answeringAfterSave(simulator)
    app.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: MOST_FILE_BYTES }, (_request, body, parsed) =>
      parsed(null, body),
    )

    /** The number or group that a phone may write to. */
    const partnerOf = ({ phone }: PhoneChats, typed: string): string => {
      if (simulator.sandbox.directory.group(typed)?.members.has(phone.account)) return typed
      const number = contract.brazilianNumber(typed)
      if (number === phone.number) throw new Refusal(422, 'Um telefone não escreve para si mesmo.', 'number')
      if (!number || !simulator.hasNumber(number)) {
        throw new Refusal(422, 'Nenhum telefone simulado tem este número. Adicione-o antes de escrever.', 'number')
      }
      return number
    }
    const messageOf = ({ id, chat, message }: MessageRoute['Params']): { phone: PhoneChats; found: ChatMessage } => {
      const phone = phoneById(simulator, id)
      const found = phone.chat(chat)?.find(message)
      if (!found || found.deleted) throw new Refusal(404, 'Esta mensagem não existe mais.')
      return { phone, found }
    }
    const ownMessageOf = (params: MessageRoute['Params'], toDo: string) => {
      const { phone, found } = messageOf(params)
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

    app.get<ChatRoute>('/phones/:id/chats/:chat/messages', async ({ params }) =>
      simulator.messages(phoneById(simulator, params.id), params.chat),
    )

    app.post<ChatRoute>('/phones/:id/chats/:chat/messages', async ({ params, body }, reply) => {
      const phone = phoneById(simulator, params.id)
      const { text, quotedId, at } = parse(contract.sendText, body)
      const partner = partnerOf(phone, params.chat)
      checkQuote(phone, partner, quotedId)
      const written = phone.write(partner, text, { quotedId, at: milliseconds(at) })
      return done(reply, 201, simulator.describe(phone, written))
    })

    app.post<ChatRoute>(
      '/phones/:id/chats/:chat/files',
      { bodyLimit: MOST_FILE_BYTES },
      async ({ params, query, body, headers }, reply) => {
        const phone = phoneById(simulator, params.id)
        const { quotedId, at, kind, mediaType, caption, waveform, ...details } = parse(contract.sendFile, query)
        const partner = partnerOf(phone, params.chat)
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
        const sent = await phone.sendFile(partner, file, { quotedId, at: milliseconds(at) })
        return done(reply, 201, simulator.describe(phone, sent))
      },
    )

    app.post<ChatRoute>('/phones/:id/chats/:chat/examples', async ({ params, body }, reply) => {
      const phone = phoneById(simulator, params.id)
      const { kind } = parse(contract.sendExample, body)
      const sent = await phone.sendFile(partnerOf(phone, params.chat), exampleFile(kind))
      return done(reply, 201, simulator.describe(phone, sent))
    })

    app.get<MessageRoute>('/phones/:id/chats/:chat/messages/:message/file', async ({ params }, reply) => {
      const { phone, found } = messageOf(params)
      const data = await phone.fileOf(params.chat, found.id)
      if (!data) throw new Refusal(404, 'Esta mensagem não tem arquivo.')
      return reply
        .header('content-type', found.file?.mediaType ?? 'application/octet-stream')
        .header('cache-control', 'private, max-age=31536000, immutable')
        .header('x-content-type-options', 'nosniff')
        .header('content-security-policy', "default-src 'none'; sandbox")
        .send(data)
    })

    app.patch<MessageRoute>('/phones/:id/chats/:chat/messages/:message', async ({ params, body }, reply) => {
      const { text } = parse(contract.editMessage, body)
      const { phone, found } = ownMessageOf(params, 'editá-la')
      if (found.kind !== 'text') throw new Refusal(422, 'Só mensagens de texto podem ser editadas.')
      await phone.edit(params.chat, found.id, text)
      return done(reply, 200, simulator.describe(phone, found))
    })

    app.delete<MessageRoute>('/phones/:id/chats/:chat/messages/:message', async ({ params }, reply) => {
      const { phone, found } = ownMessageOf(params, 'apagá-la para todos')
      await phone.delete(params.chat, found.id)
      return done(reply)
    })

    app.put<MessageRoute>('/phones/:id/chats/:chat/messages/:message/reaction', async ({ params, body }, reply) => {
      const { emoji } = parse(contract.react, body)
      const { phone, found } = messageOf(params)
      await online(phone).react(params.chat, found, emoji)
      return done(reply, 200, simulator.describe(phone, found))
    })

    app.post<ChatRoute>('/phones/:id/chats/:chat/activity', async ({ params, body }, reply) => {
      const phone = phoneById(simulator, params.id)
      const { activity } = parse(contract.showActivity, body)
      const partner = partnerOf(phone, params.chat)
      // WhatsApp shows it in groups too; the sandbox keeps it to chats of two.
      if (!simulator.hasGroup(partner)) online(phone).phone.setActivity(partner, activity)
      return done(reply)
    })

    app.post<ChatRoute>('/phones/:id/chats/:chat/read', async ({ params }, reply) => {
      phoneById(simulator, params.id).read(params.chat)
      return done(reply)
    })
  }

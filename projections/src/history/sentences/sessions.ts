import type { connectionEvents, lineEvents, mediaEvents } from '@prosa/contracts/events/sessions'
import { parseStream } from '@prosa/contracts/streams'
import { formatPhone } from '@prosa/contracts/values/phone'
import type { StoredOf } from '@prosa/kernel/event-store/codec'
import { failureReason } from '../../chat-messages/failure-reason.ts'
import { refusalReason } from '../../connections/refusal-reason.ts'
import { messageLine } from '../../message-text.ts'
import { always, type Names, type Sentences } from './sentence.ts'
import { kilobytes, quoted } from './words.ts'

type SessionEventType = keyof typeof connectionEvents | keyof typeof lineEvents | keyof typeof mediaEvents

const own = ({ stream }: { stream: string }, names: Names) => quoted(names.connection(parseStream(stream).id))

/** First sentence, without full stop. */
const clause = (reason: string): string => (reason.split('. ')[0] ?? reason).replace(/\.$/, '')

const unavailable: Record<StoredOf<'MediaUnavailable'>['data']['reason'], string> = {
  expired: 'o WhatsApp não o guarda mais',
  too_large: 'é grande demais',
  wrong_type: 'não é do tipo que diz ser',
  foreign_host: 'vinha de um endereço sem confiança',
  damaged: 'está danificado',
  out_of_reach: 'o WhatsApp está fora de alcance',
  no_room: 'o espaço da conta acabou',
}

const reported: Record<StoredOf<'DeliveryReported'>['data']['status'], string> = {
  delivered: 'a mensagem chegou ao aparelho do contato',
  read: 'o contato leu a mensagem',
  played: 'o contato ouviu a mensagem',
}

const side = (fromMe: boolean) => (fromMe ? 'a loja' : 'o contato')

export const sessionSentences: Sentences<SessionEventType> = {
  ConnectionAdded: ({ data: { name } }, { actor }) => ({
    text: `${actor} criou a conexão ${quoted(name)}`,
    icon: 'connection',
  }),
  LinkingStarted: (event, names) => ({
    text: `A conexão ${own(event, names)} pediu um QR Code ao WhatsApp`,
    icon: 'connection',
  }),
  LinkingDelayed: (event, names) => ({
    text: `A conexão ${own(event, names)} espera a vez de pedir um QR Code`,
    icon: 'connection',
  }),
  QrCodeIssued: (event, names) => ({
    text: `O WhatsApp deu um QR Code para ${own(event, names)}`,
    icon: 'connection',
  }),
  PairingCodeIssued: ({ data: { phone }, ...event }, names) => ({
    text: `O WhatsApp deu um código para ${own(event, names)}${phone === null ? '' : `, para o número ${formatPhone(phone)}`}`,
    icon: 'connection',
  }),
  LinkingExpired: (event, names) => ({
    text: `Ninguém escaneou o QR Code de ${own(event, names)} a tempo`,
    icon: 'trouble',
  }),
  NumberLinked: ({ data: { phone }, ...event }, names) => ({
    text:
      phone === null
        ? `Um celular foi conectado a ${own(event, names)}`
        : `O número ${formatPhone(phone)} foi conectado a ${own(event, names)}`,
    icon: 'connection',
  }),
  LineOpened: (event, names) => ({ text: `A linha de ${own(event, names)} com o WhatsApp abriu`, icon: 'connection' }),
  LineDropped: ({ data: { code }, ...event }, names) => ({
    text: `A linha de ${own(event, names)} com o WhatsApp caiu (código ${code})`,
    icon: 'trouble',
  }),
  ConnectionReplaced: (event, names) => ({
    text: `Outro programa tomou o lugar da conexão ${own(event, names)}`,
    icon: 'trouble',
  }),
  ConnectionRefused: ({ data: { code }, ...event }, names) => ({
    text: `O WhatsApp recusou a conexão ${own(event, names)} (código ${code}): ${clause(refusalReason(code))}`,
    icon: 'trouble',
  }),
  NumberUnlinked: (event, names) => ({
    text: `O celular desconectou ${own(event, names)} dos aparelhos conectados`,
    icon: 'trouble',
  }),
  ConnectionDisconnected: (event, names) => ({
    text: `${names.actor} desconectou ${own(event, names)}`,
    icon: 'connection',
  }),
  ConnectionRemoved: (event, names) => ({
    text: `${names.actor} apagou a conexão ${own(event, names)}`,
    icon: 'connection',
  }),

  MessageArrived: ({ data: { content, fromMe } }) => ({
    text: `Do WhatsApp chegou uma mensagem d${side(fromMe)}: ${quoted(messageLine(content))}`,
    icon: 'message',
  }),
  EditArrived: ({ data: { content, fromMe } }) => ({
    text: `Do WhatsApp chegou uma edição d${side(fromMe)}: ${quoted(messageLine(content))}`,
    icon: 'message',
  }),
  DeletionArrived: ({ data: { fromMe } }) => ({
    text: `Do WhatsApp chegou o aviso de que ${side(fromMe)} apagou uma mensagem`,
    icon: 'message',
  }),
  ReactionArrived: ({ data: { emoji, fromMe } }) => ({
    text:
      emoji === null
        ? `Do WhatsApp chegou o aviso de que ${side(fromMe)} tirou uma reação`
        : `Do WhatsApp chegou uma reação d${side(fromMe)}: ${emoji}`,
    icon: 'message',
  }),
  MessageDispatched: ({ data: { contactId } }, names) => ({
    text: `O servidor do WhatsApp aceitou a mensagem para ${names.contact(contactId)}`,
    icon: 'message',
  }),
  DeliveryReported: ({ data: { status } }) => ({ text: `O WhatsApp avisou: ${reported[status]}`, icon: 'message' }),
  DispatchFailed: ({ data: { contactId, code } }, names) => ({
    text: `A mensagem para ${names.contact(contactId)} não saiu: ${clause(failureReason(code))}`,
    icon: 'trouble',
  }),

  MediaStored: ({ data: { mediaType, bytes } }) => ({
    text: `Um arquivo foi guardado (${mediaType}, ${kilobytes(bytes)})`,
    icon: 'file',
  }),
  MediaUnavailable: ({ data: { reason } }) => ({
    text: `Um arquivo não pôde ser guardado: ${unavailable[reason]}`,
    icon: 'trouble',
  }),
  MediaAskedAgain: (_, { actor }) => ({ text: `${actor} pediu um arquivo outra vez ao WhatsApp`, icon: 'file' }),
  MediaErased: always('erased', 'Um arquivo foi apagado'),
}

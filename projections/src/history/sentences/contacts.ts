import type {
  chatEvents,
  contactEvents,
  contactFieldEvents,
  contactKeyEvents,
  labelEvents,
  openingHoursEvents,
  quickReplyEvents,
} from '@prosa/contracts/events/contacts'
import { tooOften } from '@prosa/contracts/flows/too-often'
import { parseStream } from '@prosa/contracts/streams'
import { answerTypeNames } from '@prosa/contracts/values/answers/answer-type'
import { shownAnswer } from '@prosa/contracts/values/answers/read-answer'
import type { LabelColour } from '@prosa/contracts/values/label-colour'
import { formatPhone } from '@prosa/contracts/values/phone'
import { correctionReason, failureReason } from '../../chat-messages/failure-reason.ts'
import { messageLine } from '../../message-text.ts'
import { always, type Names, type Sentences } from './sentence.ts'
import { quoted } from './words.ts'

type ContactEventType =
  | keyof typeof contactEvents
  | keyof typeof contactKeyEvents
  | keyof typeof quickReplyEvents
  | keyof typeof openingHoursEvents
  | keyof typeof labelEvents
  | keyof typeof contactFieldEvents

export const colourNames: Readonly<Record<LabelColour, string>> = {
  gray: 'cinza',
  red: 'vermelho',
  orange: 'laranja',
  yellow: 'amarelo',
  green: 'verde',
  teal: 'turquesa',
  blue: 'azul',
  indigo: 'anil',
  purple: 'roxo',
  pink: 'rosa',
}

/** Streams have the contact's id. */
const own = ({ stream }: { stream: string }, names: Names) => names.contact(parseStream(stream).id)

/** First sentence, without full stop. */
const clause = (reason: string): string => (reason.split('. ')[0] ?? reason).replace(/\.$/, '')

const origins = {
  message: (who: string) => `${who} escreveu pela primeira vez`,
  attendant: (who: string, actor: string) => `${actor} adicionou o contato ${who}`,
  phone: (who: string) => `A conversa com ${who} começou no celular`,
}

export const contactSentences: Sentences<ContactEventType> = {
  ContactAdded: ({ data: { name, phone, origin }, ...event }, names) => ({
    text: origins[origin](name ?? (phone === null ? own(event, names) : formatPhone(phone)), names.actor),
    icon: 'conversation',
  }),
  ContactIdentified: ({ data: { phone } }) => ({
    text:
      phone === null
        ? 'O WhatsApp informou outro endereço do contato'
        : `O WhatsApp informou o número do contato: ${formatPhone(phone)}`,
    icon: 'conversation',
  }),
  ContactNamed: ({ data: { name } }) => ({
    text: `O nome do contato no WhatsApp é ${quoted(name)}`,
    icon: 'conversation',
  }),
  ContactRenamed: ({ data: { name } }, { actor }) => ({
    text: name === null ? `${actor} tirou o nome que deu ao contato` : `${actor} deu ao contato o nome ${quoted(name)}`,
    icon: 'conversation',
  }),
  ContactNoteWritten: ({ data: { text } }, { actor }) => ({
    text: `${actor} anotou sobre o contato: ${quoted(text)}`,
    icon: 'conversation',
  }),
  ContactNoteRemoved: (_, { actor }) => ({ text: `${actor} apagou uma nota sobre o contato`, icon: 'conversation' }),
  ContactFieldSet: ({ data: { fieldId, type, value } }, { actor, field }) => ({
    text:
      value === null
        ? `${actor} esvaziou ${field(fieldId)} do contato`
        : `${actor} preencheu ${field(fieldId)} do contato: ${quoted(shownAnswer(type, value))}`,
    icon: 'conversation',
  }),
  ContactLabelled: ({ data: { labelId } }, names) => ({
    text: `${names.actor} pôs ${names.label(labelId)} no contato`,
    icon: 'conversation',
  }),
  ContactUnlabelled: ({ data: { labelId } }, names) => ({
    text: `${names.actor} tirou ${names.label(labelId)} do contato`,
    icon: 'conversation',
  }),
  ConversationAccepted: ({ data: { attendantId } }, names) => ({
    text: `${names.user(attendantId)} aceitou a conversa`,
    icon: 'conversation',
  }),
  ConversationResolved: ({ data: { attendantId, flowId } }, names) => ({
    text: flowId === undefined ? `${names.user(attendantId)} finalizou a conversa` : 'Um fluxo finalizou a conversa',
    icon: 'conversation',
  }),
  ConversationReopened: (event, names) => ({
    text: `A conversa com ${own(event, names)} voltou a esperar`,
    icon: 'conversation',
  }),
  ConversationResumed: ({ data: { attendantId } }, names) => ({
    text: `${names.user(attendantId)} retomou a conversa`,
    icon: 'conversation',
  }),
  LineChosen: ({ data: { attendantId, connectionId } }, names) => ({
    text: `${names.user(attendantId)} escolheu responder por ${quoted(names.connection(connectionId))}`,
    icon: 'conversation',
  }),
  RobotSuspected: ({ data, ...event }, names) => ({
    text: `${own(event, names)} foi marcado como possível robô: ${tooOften(data)}`,
    icon: 'trouble',
  }),
  RobotSuspicionCleared: ({ data: { attendantId } }, names) => ({
    text:
      attendantId === null
        ? 'O contato não está mais marcado como possível robô'
        : `${names.user(attendantId)} disse que o contato não é um robô`,
    icon: 'conversation',
  }),
  ContactMerged: ({ data: { absorbed }, ...event }, names) => ({
    text: `${own(event, names)} e ${names.contact(absorbed)} são a mesma pessoa: as conversas foram unidas`,
    icon: 'conversation',
  }),
  ContactAbsorbed: ({ data: { into } }, names) => ({
    text: `O contato passou a fazer parte de ${names.contact(into)}`,
    icon: 'conversation',
  }),
  ContactSeparated: ({ data: { restored } }, names) => ({
    text: `${names.actor} separou ${names.contact(restored)} deste contato`,
    icon: 'conversation',
  }),
  ContactRestored: ({ data: { from } }, names) => ({
    text: `O contato voltou a existir separado de ${names.contact(from)}`,
    icon: 'conversation',
  }),
  ContactNumberPassedOn: ({ data: { to } }, names) => ({
    text: `O número do contato passou a ser de ${names.contact(to)}`,
    icon: 'conversation',
  }),
  ContactNumberTakenOver: ({ data: { from } }, names) => ({
    text: `O contato ficou com o número que era de ${names.contact(from)}`,
    icon: 'conversation',
  }),
  ContactErased: (_, { actor }) => ({ text: `${actor} apagou os dados pessoais do contato`, icon: 'erased' }),

  ContactKeyClaimed: ({ data: { contactId } }, names) => ({
    text: `Um endereço do WhatsApp leva a ${names.contact(contactId)}`,
    icon: 'conversation',
  }),
  ContactKeyMoved: ({ data: { contactId } }, names) => ({
    text: `Um endereço do WhatsApp passou a levar a ${names.contact(contactId)}`,
    icon: 'conversation',
  }),
  ContactKeyReleased: always('conversation', 'Um endereço do WhatsApp ficou livre: o contato dele foi apagado'),

  QuickReplyAdded: ({ data: { shortcut } }, { actor }) => ({
    text: `${actor} criou a resposta rápida ${quoted(`/${shortcut}`)}`,
    icon: 'message',
  }),
  QuickReplyChanged: ({ data: { shortcut, isActive } }, { actor }) => ({
    text: `${actor} mudou a resposta rápida ${quoted(`/${shortcut}`)} (${isActive ? 'ativa' : 'inativa'})`,
    icon: 'message',
  }),
  QuickReplyRemoved: (_, { actor }) => ({ text: `${actor} apagou uma resposta rápida`, icon: 'message' }),

  OpeningHoursSet: ({ data: { timeZone, holidays } }, { actor }) => ({
    text: `${actor} definiu os horários de atendimento (${timeZone}, ${holidays.length} ${holidays.length === 1 ? 'feriado' : 'feriados'})`,
    icon: 'account',
  }),
  OutOfHoursReplyWritten: ({ data: { text } }, { actor }) => ({
    text: `${actor} escreveu a resposta fora do horário: ${quoted(text)}`,
    icon: 'message',
  }),
  OutOfHoursReplyTurnedOn: (_, { actor }) => ({ text: `${actor} ligou a resposta fora do horário`, icon: 'message' }),
  OutOfHoursReplyTurnedOff: (_, { actor }) => ({
    text: `${actor} desligou a resposta fora do horário`,
    icon: 'message',
  }),
  LabelCreated: ({ data: { name, colour } }, { actor }) => ({
    text: `${actor} criou a etiqueta ${quoted(name)} (${colourNames[colour]})`,
    icon: 'conversation',
  }),
  LabelRenamed: ({ data: { name } }, { actor }) => ({
    text: `${actor} mudou o nome de uma etiqueta para ${quoted(name)}`,
    icon: 'conversation',
  }),
  LabelRecoloured: ({ data: { labelId, colour } }, names) => ({
    text: `${names.actor} pintou ${names.label(labelId)} de ${colourNames[colour]}`,
    icon: 'conversation',
  }),
  ContactFieldCreated: ({ data: { name, type } }, { actor }) => ({
    text: `${actor} criou o campo de contatos ${quoted(name)} (${answerTypeNames[type]})`,
    icon: 'conversation',
  }),
  ContactFieldRenamed: ({ data: { name } }, { actor }) => ({
    text: `${actor} mudou o nome de um campo de contatos para ${quoted(name)}`,
    icon: 'conversation',
  }),
  ContactFieldDeleted: (_, { actor }) => ({ text: `${actor} excluiu um campo de contatos`, icon: 'conversation' }),
  LabelDeleted: (_, { actor }) => ({ text: `${actor} excluiu uma etiqueta`, icon: 'conversation' }),
}

const sides = { contact: 'O contato', user: 'A loja' }

export const chatSentences: Sentences<keyof typeof chatEvents> = {
  MessageReceived: ({ data: { content }, ...event }, names) => ({
    text: `${own(event, names)} escreveu: ${quoted(messageLine(content))}`,
    icon: 'message',
  }),
  MessageSentElsewhere: ({ data: { content } }) => ({
    text: `Pelo celular foi escrito: ${quoted(messageLine(content))}`,
    icon: 'message',
  }),
  MessageQueued: ({ data: { content, attendantId, isRetry, automatic } }, names) => {
    const rules = {
      out_of_hours: 'A resposta fora do horário foi enviada',
      flow: 'O fluxo escreveu',
      program: `${names.actor} escreveu`,
    }
    const who = automatic ? rules[automatic] : `${names.user(attendantId)} ${isRetry ? 'tentou de novo' : 'escreveu'}`
    return { text: `${who}: ${quoted(messageLine(content))}`, icon: 'message' }
  },
  MessageSent: always('message', 'O WhatsApp aceitou a mensagem'),
  MessageDelivered: always('message', 'A mensagem chegou ao aparelho do contato'),
  MessageRead: always('message', 'O contato leu a mensagem'),
  MessageFailed: ({ data: { code } }) => ({
    text: `A mensagem falhou: ${clause(failureReason(code))}`,
    icon: 'trouble',
  }),
  MessageEdited: ({ data: { content } }) => ({
    text: `Uma mensagem foi editada: ${quoted(messageLine(content))}`,
    icon: 'message',
  }),
  MessageDeleted: ({ data: { by } }) => ({ text: `${sides[by]} apagou uma mensagem`, icon: 'message' }),
  EditQueued: ({ data: { content, attendantId } }, names) => ({
    text: `${names.user(attendantId)} editou uma mensagem: ${quoted(messageLine(content))}`,
    icon: 'message',
  }),
  DeletionQueued: ({ data: { attendantId } }, names) => ({
    text: `${names.user(attendantId)} apagou uma mensagem para todos`,
    icon: 'message',
  }),
  CorrectionFailed: ({ data: { code } }) => ({
    text: `A mudança de uma mensagem não chegou ao contato: ${clause(correctionReason(code))}`,
    icon: 'trouble',
  }),
  MessageReacted: ({ data: { by, emoji } }) => ({
    text: emoji === null ? `${sides[by]} tirou uma reação` : `${sides[by]} reagiu com ${emoji}`,
    icon: 'message',
  }),
  ReactionQueued: ({ data: { emoji, attendantId } }, names) => ({
    text:
      emoji === null ? `${names.user(attendantId)} tirou uma reação` : `${names.user(attendantId)} reagiu com ${emoji}`,
    icon: 'message',
  }),
  ReactionFailed: ({ data: { code } }) => ({
    text: `Uma reação não chegou ao contato: ${clause(failureReason(code))}`,
    icon: 'trouble',
  }),
  ChatSeen: ({ data: { attendantId } }, names) => ({
    text: `${names.user(attendantId)} viu a conversa até aqui`,
    icon: 'message',
  }),
  ChatErased: always('erased', 'As mensagens do contato foram apagadas'),
}

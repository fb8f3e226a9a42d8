import type { HistoryIcon } from '@prosa/contracts/http/history'
import type { Instant } from '@prosa/contracts/values/instant'
import type { MessageContent } from '@prosa/contracts/values/message-content'
import type { Stored, StoredOf } from '@prosa/kernel/event-store/codec'
import { messageLine } from '../../message-text.ts'
import type { Names, Sentence } from '../sentences/sentence.ts'
import { sentenceOf } from '../sentences/sentence-of.ts'
import { quoted } from '../sentences/words.ts'
import type { Elapsed } from './waits-and-ticks.ts'

const timeZone = 'America/Sao_Paulo'
const clock = new Intl.DateTimeFormat('pt-BR', { timeZone, timeStyle: 'medium' })
const day = new Intl.DateTimeFormat('pt-BR', { timeZone, dateStyle: 'short' })

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs

/** '35 s', '4 min', '1 h 20 min', '2 dias'. */
export const lasted = ({ ms, isAtLeast }: Elapsed): string => {
  const words = () => {
    if (ms < minuteMs) return `${Math.round(ms / 1000)} s`
    const minutes = Math.floor((ms % hourMs) / minuteMs)
    if (ms < hourMs) return `${minutes} min`
    if (ms < dayMs) return `${Math.floor(ms / hourMs)} h${minutes === 0 ? '' : ` ${minutes} min`}`
    const days = Math.floor(ms / dayMs)
    return `${days} ${days === 1 ? 'dia' : 'dias'}`
  }
  return isAtLeast ? `mais de ${words()}` : words()
}

/** '14:02:03'; with its day where that is not the other's. */
export const timeBeside = (at: Instant, other: Instant): string => {
  const [date, time] = [new Date(at), clock.format(new Date(at))]
  return day.format(date) === day.format(new Date(other)) ? time : `${time} de ${day.format(date)}`
}

const things: Record<Exclude<MessageContent['kind'], 'text'>, string> = {
  image: 'uma foto',
  video: 'um vídeo',
  audio: 'um áudio',
  document: 'um documento',
  sticker: 'uma figurinha',
  unsupported: 'uma mensagem de outro tipo',
}

const thingOf = (content: MessageContent): string | undefined => {
  if (content.kind === 'text') return undefined
  return content.kind === 'audio' && content.voice ? 'uma mensagem de voz' : things[content.kind]
}

/** What else is known of an event, from those around it. */
export interface Beside {
  withTexts: boolean
  after: Elapsed | undefined
  /** When the message was written that reopened the conversation. */
  writtenAt: Instant | undefined
}

const wrote = (who: string, content: MessageContent, { withTexts }: Beside): string => {
  if (withTexts) return `${who} escreveu: ${quoted(messageLine(content))}`
  const thing = thingOf(content)
  return thing === undefined ? `${who} escreveu` : `${who} enviou ${thing}`
}

const answered = (who: string, content: MessageContent, after: Elapsed, { withTexts }: Beside): string => {
  const thing = thingOf(content)
  const what = withTexts ? `: ${quoted(messageLine(content))}` : thing === undefined ? '' : `, com ${thing}`
  return `${who} respondeu depois de ${lasted(after)}${what}`
}

const queued = ({ data }: StoredOf<'MessageQueued'>, names: Names, beside: Beside): string => {
  const { content, attendantId, automatic, isRetry } = data
  if (automatic === 'out_of_hours')
    return `A resposta fora do horário foi enviada${beside.withTexts ? `: ${quoted(messageLine(content))}` : ''}`
  if (automatic) return wrote(automatic === 'flow' ? 'O fluxo' : names.actor, content, beside)
  const who = names.user(attendantId)
  if (isRetry) return `${who} tentou enviar de novo`
  return beside.after ? answered(who, content, beside.after, beside) : wrote(who, content, beside)
}

const message = (text: string, icon: HistoryIcon = 'message'): Sentence => ({ text, icon })
const text = (content: MessageContent, { withTexts }: Beside) => (withTexts ? `: ${quoted(messageLine(content))}` : '')
const reacted = (who: string, emoji: string | null, { withTexts }: Beside) => {
  if (emoji === null) return `${who} tirou uma reação`
  return withTexts ? `${who} reagiu com ${emoji}` : `${who} reagiu a uma mensagem`
}
const sideOf = (by: 'contact' | 'user', names: Names, contactId: string) =>
  by === 'contact' ? names.contact(contactId) : 'A loja'

/** Undefined for what has no text. */
const ofChat = (event: Stored, names: Names, beside: Beside, contactId: string): Sentence | undefined => {
  switch (event.type) {
    case 'MessageReceived':
      return message(wrote(names.contact(contactId), event.data.content, beside))
    case 'MessageSentElsewhere':
      return message(
        beside.after
          ? answered('Alguém, pelo celular,', event.data.content, beside.after, beside)
          : wrote('Alguém, pelo celular,', event.data.content, beside),
      )
    case 'MessageQueued':
      return message(queued(event, names, beside))
    case 'MessageEdited':
      return message(`Uma mensagem foi editada${text(event.data.content, beside)}`)
    case 'EditQueued':
      return message(`${names.user(event.data.attendantId)} editou uma mensagem${text(event.data.content, beside)}`)
    case 'MessageReacted':
      return message(reacted(sideOf(event.data.by, names, contactId), event.data.emoji, beside))
    case 'ReactionQueued':
      return message(reacted(names.user(event.data.attendantId), event.data.emoji, beside))
    default:
      return undefined
  }
}

const withoutTexts = (event: Stored, names: Names): Sentence | undefined => {
  if (event.type === 'ContactNoteWritten')
    return { text: `${names.actor} anotou sobre o contato`, icon: 'conversation' }
  if (event.type === 'ContactFieldSet')
    return { text: `${names.actor} mudou um campo do contato`, icon: 'conversation' }
  if (event.type === 'FlowFieldRequested')
    return { text: 'O fluxo pediu para guardar uma resposta num campo do contato', icon: 'flow' }
  return event.type === 'FlowRunStarted'
    ? sentenceOf({ ...event, data: { ...event.data, text: '' } }, names)
    : undefined
}

/** Of an event of a conversation. */
export const conversationSentence = (event: Stored, names: Names, beside: Beside, contactId: string): Sentence => {
  const own = ofChat(event, names, beside, contactId) ?? (beside.withTexts ? undefined : withoutTexts(event, names))
  if (own) return own
  const known = sentenceOf(event, names)
  const { after, writtenAt } = beside
  if (event.type === 'ConversationAccepted' && after)
    return { ...known, text: `${known.text} depois de ${lasted(after)} de espera` }
  if (event.type === 'ConversationResolved' && after)
    return { ...known, text: `${known.text} depois de ${lasted(after)} de atendimento` }
  if (event.type === 'ConversationReopened' && writtenAt)
    return { ...known, text: `${known.text}, pela mensagem das ${timeBeside(writtenAt, event.metadata.recordedAt)}` }
  return known
}

import type { BinaryNode } from '@whiskeysockets/baileys'
import type { PresenceState } from '../gateway.ts'
import { personJidOf } from './person-jid.ts'

export interface PresenceNews {
  jid: string
  state: PresenceState
}

const typing = (news: BinaryNode | undefined): PresenceState | undefined => {
  if (news?.tag === 'paused') return 'paused'
  if (news?.tag !== 'composing') return undefined
  return news.attrs.media === 'audio' ? 'recording' : 'typing'
}

/**
 * What a `presence` or `chatstate` stanza says that a person does; undefined for groups and for what is unknown. Baileys' own
 * event does not tell who stopped typing from who is there.
 */
export const presenceNews = ({ tag, attrs, content }: BinaryNode): PresenceNews | undefined => {
  const jid = personJidOf(attrs.from)
  if (!jid || attrs.participant) return undefined
  if (tag === 'presence') return { jid, state: attrs.type === 'unavailable' ? 'unavailable' : 'available' }
  const state = typing(Array.isArray(content) ? content[0] : undefined)
  return state && { jid, state }
}

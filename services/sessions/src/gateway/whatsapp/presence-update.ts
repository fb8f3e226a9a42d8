import type { BinaryNode } from '@whiskeysockets/baileys'
import type { PresenceState } from '../gateway.ts'
import { personJidOf } from './person-jid.ts'

export interface PresenceUpdate {
  jid: string
  state: PresenceState
}

const typing = (update: BinaryNode | undefined): PresenceState | undefined => {
  if (update?.tag === 'paused') return 'paused'
  if (update?.tag !== 'composing') return undefined
  return update.attrs.media === 'audio' ? 'recording' : 'typing'
}

/** undefined for groups and unknown stanzas. Baileys' event does not distinguish stopped typing from online. */
export const presenceUpdate = ({ tag, attrs, content }: BinaryNode): PresenceUpdate | undefined => {
  const jid = personJidOf(attrs.from)
  if (!jid || attrs.participant) return undefined
  if (tag === 'presence') return { jid, state: attrs.type === 'unavailable' ? 'unavailable' : 'available' }
  const state = typing(Array.isArray(content) ? content[0] : undefined)
  return state && { jid, state }
}

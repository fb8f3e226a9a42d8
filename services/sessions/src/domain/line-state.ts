import type { Instant } from '@prosa/contracts/values/instant'
import { erasedText } from '@prosa/contracts/values/personal'
import { type Entries, entryOf, requireEntries, setEntry } from '@prosa/kernel/domain/snapshots/entries'

export type Fate = 'failed' | 'dispatched' | 'delivered' | 'read' | 'played'

/** Never deleted: old messages are recognized when repeated. */
export interface LineState {
  /**
   * `arrivalKey`: latest chat of a message, edit, deletion or reaction with this id; `alsoInKey`: `true` for earlier chats; `partnerKey`:
   * time of the latest message with a person; `sentKey`: progress of our message.
   */
  entries: Entries
}

export const steps: Record<Fate, number> = { failed: 0, dispatched: 1, delivered: 2, read: 3, played: 4 }

/** A chat's messages from us, or from the contact. */
interface ChatSide {
  chatJid: string
  fromMe: boolean
}

export const arrivalKey = (fromMe: boolean, id: string) => `${fromMe ? '>' : '<'} ${id}`
const alsoInKey = (arrival: string, chatJid: string) => `~ ${arrival} ${chatJid}`
export const partnerKey = (jid: string) => `@ ${jid}`
export const sentKey = (messageId: string) => `! ${messageId}`

export const fateOf = ({ entries }: LineState, messageId: string) => entryOf<Fate>(entries, sentKey(messageId))

const wasIn = ({ entries }: LineState, arrival: string, chatJid: string): boolean => {
  const latest = entryOf<string>(entries, arrival)
  return latest === chatJid || (latest !== undefined && entryOf<true>(entries, alsoInKey(arrival, chatJid)) === true)
}

/** undefined when unknown or erased. */
export const chatOf = ({ entries }: LineState, messageId: string, fromMe = false): string | undefined => {
  const chatJid = entryOf<string>(entries, arrivalKey(fromMe, messageId))
  return chatJid === erasedText ? undefined : chatJid
}

export const byChat = (state: LineState, messageIds: readonly string[]): Map<string, string[]> => {
  requireEntries(
    state.entries,
    messageIds.map((id) => arrivalKey(false, id)),
  )
  const chats = new Map<string, string[]>()
  for (const id of messageIds) {
    const chatJid = chatOf(state, id)
    if (chatJid) chats.set(chatJid, [...(chats.get(chatJid) ?? []), id])
  }
  return chats
}

export const isKnown = (state: LineState, { chatJid, fromMe }: ChatSide, id: string): boolean => {
  const arrival = arrivalKey(fromMe, id)
  // The id of an erased message stays: a repetition must not restore it.
  return wasIn(state, arrival, chatJid) || wasIn(state, arrival, erasedText)
}

export const withArrival = ({ entries }: LineState, { chatJid, fromMe }: ChatSide, id: string): LineState => {
  const arrival = arrivalKey(fromMe, id)
  const latest = entryOf<string>(entries, arrival)
  const before =
    latest === undefined || latest === chatJid ? entries : setEntry(entries, alsoInKey(arrival, latest), true)
  return { entries: setEntry(before, arrival, chatJid) }
}

export const isOwnMessage = (state: LineState, chatJid: string, messageId: string): boolean =>
  fateOf(state, messageId) !== undefined || wasIn(state, arrivalKey(true, messageId), chatJid)

/** False for unknown messages. */
export const isOfTheOther = (state: LineState, { chatJid, fromMe, messageId }: ChatSide & { messageId: string }) =>
  fromMe ? wasIn(state, arrivalKey(false, messageId), chatJid) : isOwnMessage(state, chatJid, messageId)

export const isPartner = ({ entries }: LineState, jid: string, since?: Instant): boolean => {
  const latest = entryOf<Instant>(entries, partnerKey(jid))
  return latest !== undefined && (since === undefined || latest >= since)
}

export const withPartner = ({ entries }: LineState, jid: string | null, sentAt: Instant): LineState => {
  if (jid === null) return { entries }
  const latest = entryOf<Instant>(entries, partnerKey(jid))
  return latest !== undefined && latest >= sentAt
    ? { entries }
    : { entries: setEntry(entries, partnerKey(jid), sentAt) }
}

export const withFate = ({ entries }: LineState, messageId: string, fate: Fate): LineState => ({
  entries: setEntry(entries, sentKey(messageId), fate),
})

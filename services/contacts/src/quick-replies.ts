import type { EventOf } from '@prosa/contracts/events/all-events'
import type { quickReplyEvents } from '@prosa/contracts/events/contacts'
import { maximumQuickReplies } from '@prosa/contracts/values/lengths'
import { withoutMarks } from '@prosa/contracts/values/text/without-marks'
import type { Decider } from '@prosa/kernel/domain/decider'
import { withLast } from '@prosa/kernel/domain/last-of'

interface Texts {
  shortcut: string
  content: string
  isActive: boolean
}

export type QuickReplyCommand =
  | { type: 'AddQuickReply'; data: Texts & { quickReplyId: string } }
  /** Omitted fields do not change. */
  | { type: 'ChangeQuickReply'; data: { [F in keyof Texts]?: Texts[F] | undefined } & { quickReplyId: string } }
  | { type: 'RemoveQuickReply'; data: { quickReplyId: string } }
  /** The account was erased. */
  | { type: 'RemoveAllQuickReplies'; data: Record<never, never> }

export type QuickReplyEvent = EventOf<typeof quickReplyEvents>

export type QuickReplyRefusal = 'quick_reply_not_found' | 'shortcut_taken' | 'too_many_quick_replies'

export interface QuickReplies {
  /** By id. */
  replies: ReadonlyMap<string, Texts>
  /** Recently removed ids. */
  removed: readonly string[]
}

/** Repeated commands are also recognized by their events. */
const maxRemoved = 1000

/** 'Endereço' and 'endereco' are one shortcut. */
const plain = (shortcut: string) => withoutMarks(shortcut, 'NFKD').toLowerCase()

const isTaken = ({ replies }: QuickReplies, shortcut: string, quickReplyId: string): boolean =>
  [...replies].some(([id, reply]) => id !== quickReplyId && plain(reply.shortcut) === plain(shortcut))

const isSame = (one: Texts, other: Texts) =>
  one.shortcut === other.shortcut && one.content === other.content && one.isActive === other.isActive

const put = (state: QuickReplies, id: string, { shortcut, content, isActive }: Texts): QuickReplies => ({
  ...state,
  replies: new Map(state.replies).set(id, { shortcut, content, isActive }),
})

/** Shortcuts are unique regardless of case and accents. */
export const quickReplies: Decider<QuickReplyCommand, QuickReplyEvent, QuickReplies, QuickReplyRefusal> = {
  initial: { replies: new Map(), removed: [] },

  decide: {
    AddQuickReply: (state, data) => {
      if (state.replies.has(data.quickReplyId) || state.removed.includes(data.quickReplyId)) return []
      if (isTaken(state, data.shortcut, data.quickReplyId)) return { rejected: 'shortcut_taken' }
      if (state.replies.size >= maximumQuickReplies) return { rejected: 'too_many_quick_replies' }
      return [{ type: 'QuickReplyAdded', data }]
    },
    ChangeQuickReply: (state, { quickReplyId, ...wish }) => {
      const known = state.replies.get(quickReplyId)
      if (!known) return { rejected: 'quick_reply_not_found' }
      const texts = {
        shortcut: wish.shortcut ?? known.shortcut,
        content: wish.content ?? known.content,
        isActive: wish.isActive ?? known.isActive,
      }
      if (isSame(known, texts)) return []
      if (isTaken(state, texts.shortcut, quickReplyId)) return { rejected: 'shortcut_taken' }
      return [{ type: 'QuickReplyChanged', data: { quickReplyId, ...texts } }]
    },
    RemoveQuickReply: ({ replies, removed }, { quickReplyId }) => {
      if (removed.includes(quickReplyId)) return []
      if (!replies.has(quickReplyId)) return { rejected: 'quick_reply_not_found' }
      return [{ type: 'QuickReplyRemoved', data: { quickReplyId } }]
    },
    RemoveAllQuickReplies: ({ replies }) =>
      [...replies.keys()].map((quickReplyId) => ({ type: 'QuickReplyRemoved', data: { quickReplyId } })),
  },

  evolve: {
    QuickReplyAdded: (state, { quickReplyId, ...texts }) => put(state, quickReplyId, texts),
    QuickReplyChanged: (state, { quickReplyId, ...texts }) => put(state, quickReplyId, texts),
    QuickReplyRemoved: ({ replies, removed }, { quickReplyId }) => ({
      replies: new Map([...replies].filter(([id]) => id !== quickReplyId)),
      removed: withLast(removed, quickReplyId, maxRemoved),
    }),
  },
}

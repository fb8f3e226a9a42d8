import { fileOf } from '@prosa/contracts/values/message-content'
import type { Position } from '@prosa/kernel/event-store/port'
import type { Past } from '../contact-list/versions/contacts-then.ts'
import { findFiles } from '../media/queries.ts'
import { foldEvents, readUpTo } from '../moments/read-up-to.ts'
import { chatMessages } from './projection.ts'
import type { MessagesAsked, MessagesFound, PageAsked } from './queries.ts'
import { shownMessage } from './shown-message.ts'
import type { MessageRow } from './table.ts'

interface Part {
  from: number
  to: number
}

const partOf = (rows: readonly MessageRow[], page: PageAsked, limit: number): Part | undefined => {
  switch (page.kind) {
    case 'latest':
      return { from: Math.max(0, rows.length - limit), to: rows.length }
    case 'before': {
      const to = rows.findLastIndex(({ place }) => place < page.position) + 1
      return { from: Math.max(0, to - limit), to }
    }
    case 'after': {
      const from = rows.findLastIndex(({ place }) => place <= page.position) + 1
      return { from, to: from + limit }
    }
    case 'around': {
      const at = rows.findIndex(({ messageId }) => messageId === page.messageId)
      const half = Math.floor(limit / 2)
      return at === -1 ? undefined : { from: Math.max(0, at - half), to: at + limit - half }
    }
  }
}

/** `findMessages` as of a position, folded from the chats themselves. Files are as they are today. */
export const findMessagesThen = async (
  past: Past,
  { tenant, contactId, mergedIds, page, limit, moment }: MessagesAsked & { moment: Position },
): Promise<MessagesFound | undefined> => {
  const chats = [contactId, ...mergedIds]
  const streams = await Promise.all(chats.map((id) => readUpTo(past, `chat-${id}`, moment)))
  const byKey = foldEvents(chatMessages, streams.flat())
  const rows = [...byKey.values()].toSorted((one, other) => (one.place < other.place ? -1 : 1))
  const part = partOf(rows, page, limit)
  if (!part) return undefined
  const shown = rows.slice(part.from, part.to)
  const files = await findFiles(
    past.pool,
    tenant,
    shown.flatMap(({ content }) => fileOf(content)?.id ?? []),
  )
  const answeredBy = ({ content }: MessageRow) =>
    chats
      .toSorted()
      .flatMap((chat) => byKey.get(`${chat}:${content.quoted?.messageId}`) ?? [])
      .at(0)
  return {
    messages: shown.map((row) =>
      shownMessage({ row, file: files.get(fileOf(row.content)?.id ?? ''), answered: answeredBy(row) }, contactId),
    ),
    positions: shown.map(({ place }) => place),
    since: rows[part.from - 1]?.place ?? '',
    olderBefore: part.from > 0 ? shown[0]?.place : undefined,
    newerAfter: part.to < rows.length ? shown.at(-1)?.place : undefined,
  }
}

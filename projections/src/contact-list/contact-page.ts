import type { Contact, ServiceStatus } from '@prosa/contracts/http/live-chat'
import type { Page } from '@prosa/contracts/http/page'
import { contactId } from '@prosa/contracts/values/ids'
import { instant } from '@prosa/contracts/values/instant'
import type { Pool } from 'pg'
import { z } from 'zod'
import { decodeCursor, encodeCursor } from '../cursor.ts'
import { searchText } from '../search-text.ts'
import { findContacts, sortKeyOf } from './queries.ts'

const pageSize = 50

/** `~` precedes the moment of contacts without an unanswered message. */
const sortKeyAndId = z.tuple([
  z.string().refine((text) => instant.safeParse(text.replace(/^~/, '')).success),
  contactId,
])

const afterOf = (text: string) => {
  const [sortKey, id] = decodeCursor(text, sortKeyAndId)
  return { sortKey, id }
}

interface PageAsked {
  status?: ServiceStatus | undefined
  search?: string | undefined
  label?: string | undefined
  connectionId?: string | undefined
  cursor?: string | undefined
}

/** 50 contacts of a tenant in the order of `findContacts`. */
export const contactPage = async (
  pool: Pool,
  owner: string,
  { status, search, label, connectionId, cursor }: PageAsked,
): Promise<Page<Contact>> => {
  const found = await findContacts(pool, {
    owner,
    status,
    search: search && searchText(search),
    label,
    connectionId,
    after: cursor === undefined ? undefined : afterOf(cursor),
    limit: pageSize + 1,
  })
  const items = found.slice(0, pageSize)
  const last = items.at(-1)
  const nextCursor = last && found.length > pageSize ? encodeCursor([sortKeyOf(last, status), last.id]) : null
  return { items, nextCursor }
}

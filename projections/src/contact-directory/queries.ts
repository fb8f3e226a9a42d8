import type { ListedContact } from '@prosa/contracts/http/administration/admin-lists'
import type { ServiceStatus } from '@prosa/contracts/http/live-chat'
import { build, built } from '@prosa/kernel/postgres/built-statement'
import type { Pool } from 'pg'
import { searchText } from '../search-text.ts'
import { type AccountShown, accountOf } from '../users/account-of.ts'
import { beginningWith, wordsIn } from '../word-index.ts'

export interface FoundContact extends AccountShown {
  id: string
  place: string
  name: string | null
  phone: string | null
  /** Null while missing or parked in `contact-list`. */
  serviceStatus: ServiceStatus | null
  lastActivity: string
}

export interface ContactsOfAllAsked {
  search?: string | undefined
  before?: string | undefined
  limit: number
}

/** Administrators only. Latest first, without merged contacts. Search is materialized first: otherwise the planner reads whole tables. */
export const findContactsOfAll = async (
  pool: Pool,
  { search, before, limit }: ContactsOfAllAsked,
): Promise<FoundContact[]> => {
  // Accepts '(11) 98877-6655'.
  const words = beginningWith(search && searchText(search))
  if (search?.trim() && !words) return []
  const found = build('contact_directory').whereRaw(`${wordsIn('words')} @@ ?::tsquery`, [words])
  const page = build(words ? 'found' : 'contact_directory')
    .select('id', 'owner', 'place')
    .whereRaw('not is_absorbed')
  if (before !== undefined) page.whereRaw('place < ? collate "C"', [before])
  page.orderBy('place', 'desc').limit(limit)
  const list = (words ? build.withMaterialized('found', found) : build)
    .select('d.id', 'd.place', 'c.name', 'c.phone')
    .select({ serviceStatus: 'c.service_status', lastActivity: 'c.last_activity' })
    .select({ accountId: 'u.id', firstName: 'u.first_name', lastName: 'u.last_name', email: 'u.email' })
    .from(page.as('d'))
    .leftJoin('contact_list as c', 'c.id', 'd.id')
    .leftJoin('listed_user as u', 'u.id', 'd.owner')
    .orderBy('d.place', 'desc')
  const name = `contacts of all ${words ? 'found' : 'all'} ${before === undefined ? 'first' : 'before'}`
  return (await pool.query<FoundContact>({ name, ...built(list) })).rows
}

/** Null: hidden, but still a cursor. */
export const shownContactOfAll = (row: FoundContact): ListedContact | null => {
  const { id, name, phone, serviceStatus, lastActivity } = row
  return serviceStatus && { id, name, phone, serviceStatus, lastActivity, account: accountOf(row) }
}

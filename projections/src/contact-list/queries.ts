import type { Contact, ContactCounts, ServiceStatus } from '@prosa/contracts/http/live-chat'
import type { Pool } from 'pg'
import { messageText } from '../message-text.ts'
import { selectList } from '../runner/table.ts'
import { type ContactRow, contactTable } from './table.ts'

const columns = selectList(contactTable)

const lastMessageOf = (row: ContactRow): Contact['lastMessage'] =>
  row.lastMessageContent && row.lastMessageSender
    ? { content: messageText(row.lastMessageContent), sender: row.lastMessageSender, status: row.lastMessageStatus }
    : null

const contactOf = (row: ContactRow): Contact => ({
  id: row.id,
  name: row.name,
  phone: row.phone,
  lastActivity: row.lastActivity,
  serviceStatus: row.serviceStatus,
  waitingSince: row.waitingSince,
  unreadCount: row.unreadCount,
  lastMessage: lastMessageOf(row),
})

export interface ContactsAsked {
  owner: string
  status?: ServiceStatus
  /** In the form of `searchText`. */
  search?: string
  /** Only contacts after this one. */
  after?: { lastActivity: string; id: string }
  limit: number
}

/** Contacts of one subscriber, latest activity first. */
export const findContacts = async (
  pool: Pool,
  { owner, status, search, after, limit }: ContactsAsked,
): Promise<Contact[]> => {
  const values: unknown[] = [owner]
  const parameter = (value: unknown) => `$${values.push(value)}`
  const conditions = ['owner = $1']
  if (status) conditions.push(`service_status = ${parameter(status)}`)
  if (search) conditions.push(`position(${parameter(search)} in search) > 0`)
  if (after) conditions.push(`(last_activity, id) < (${parameter(after.lastActivity)}, ${parameter(after.id)})`)
  const { rows } = await pool.query<ContactRow>(
    `select ${columns} from contact_list where ${conditions.join(' and ')}
     order by last_activity desc, id desc limit ${parameter(limit)}`,
    values,
  )
  return rows.map(contactOf)
}

export const findContact = async (pool: Pool, owner: string, id: string): Promise<Contact | undefined> => {
  const { rows } = await pool.query<ContactRow>({
    name: 'contact of owner',
    text: `select ${columns} from contact_list where id = $1 and owner = $2`,
    values: [id, owner],
  })
  return rows[0] && contactOf(rows[0])
}

export const countContacts = async (pool: Pool, owner: string): Promise<ContactCounts> => {
  const { rows } = await pool.query<ContactCounts>(
    `select count(*) filter (where service_status = 'waiting')::int as waiting,
            count(*) filter (where service_status = 'attending')::int as attending,
            count(*) filter (where service_status = 'resolved')::int as resolved
     from contact_list where owner = $1`,
    [owner],
  )
  return rows[0] ?? { waiting: 0, attending: 0, resolved: 0 }
}

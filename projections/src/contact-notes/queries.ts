import type { ContactNote } from '@prosa/contracts/http/contact-details'
import type { Pool } from 'pg'

/** Latest first. */
export const findContactNotes = async (
  pool: Pool,
  tenant: string,
  contactIds: readonly string[],
): Promise<ContactNote[]> => {
  const { rows } = await pool.query<ContactNote>({
    name: 'notes about contacts',
    text: `select n.id, n.text, n.written_at as "writtenAt",
                  nullif(trim(a.first_name || ' ' || a.last_name), '') as author
           from contact_note n left join account a on a.id = n.attendant_id
           where n.contact_id = any($1) and n.owner = $2
           order by n.written_at desc, n.id`,
    values: [contactIds, tenant],
  })
  return rows
}

import type { ContactField, ContactFieldValue, ContactNote } from '@prosa/contracts/http/contact-details'
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

/** By name, ignoring case and accents. */
export const findContactFields = async (pool: Pool, tenant: string): Promise<ContactField[]> => {
  const { rows } = await pool.query<ContactField>({
    name: 'fields of contacts',
    text: 'select id, name, variable, type from contact_field where owner = $1 order by sort_name, id',
    values: [tenant],
  })
  return rows
}

/** Of existing fields, by their names. */
export const findContactFieldValues = async (
  pool: Pool,
  tenant: string,
  contactId: string,
): Promise<ContactFieldValue[]> => {
  const { rows } = await pool.query<ContactFieldValue>({
    name: 'values of fields',
    text: `select v.field_id as "fieldId", v.value
           from contact_field_value v join contact_field f on f.id = v.field_id and f.owner = $2
           where v.contact_id = $1 and v.owner = $2
           order by f.sort_name, f.id`,
    values: [contactId, tenant],
  })
  return rows
}

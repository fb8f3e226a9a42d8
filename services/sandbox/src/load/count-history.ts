import type { ProductClient, ProductContact, ProductMessage } from './product-client.ts'
import { numberIn } from './texts.ts'

const statuses = ['waiting', 'attending', 'resolved']

/** Contacts move between lists and pages meanwhile, so it reads until nobody new appears. */
const contactIds = async (client: Pick<ProductClient, 'pages'>): Promise<Set<string>> => {
  const found = new Set<string>()
  for (let before = -1; found.size > before; ) {
    before = found.size
    for (const status of statuses)
      for await (const contacts of client.pages<ProductContact>(`/api/whatsapp/contacts?status=${status}`))
        for (const { id } of contacts) found.add(id)
  }
  return found
}

/** Counts each message of the driver in an account's history; the same message on two pages counts once. */
export const countHistory = async (client: Pick<ProductClient, 'pages'>, counts: Uint8Array): Promise<void> => {
  for (const contactId of await contactIds(client)) {
    const known = new Set<string>()
    for await (const messages of client.pages<ProductMessage>(`/api/whatsapp/contacts/${contactId}/messages`))
      for (const { id, content, sender } of messages) {
        const number = sender === 'contact' && !known.has(id) ? numberIn(content) : undefined
        known.add(id)
        if (number !== undefined) counts[number] = (counts[number] ?? 0) + 1
      }
  }
}

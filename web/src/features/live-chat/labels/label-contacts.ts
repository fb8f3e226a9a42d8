import type { Label } from '@prosa/contracts/http/labels'
import type { Contact } from '@prosa/contracts/http/live-chat'
import { maximumContactsAtOnce } from '@prosa/contracts/values/lengths'
import type { InfiniteData } from '@tanstack/react-query'
import { call } from '../../../lib/http/call.ts'
import type { Page } from '../../../lib/http/http.ts'
import { useCommand } from '../../../lib/http/use-command.ts'
import { keys } from '../api.ts'

interface Labelling {
  label: Label
  contactIds: readonly string[]
  isLabelled: boolean
}

const labelled = (contact: Contact, { label: { id }, contactIds, isLabelled }: Labelling): Contact => {
  if (!contactIds.includes(contact.id)) return contact
  const others = contact.labels.filter((each) => each !== id)
  return { ...contact, labels: isLabelled ? [...others, id] : others }
}

/** Optimistic, then refetched. Returns who refused. */
export const useLabelContacts = () =>
  useCommand({
    run: async ({ label: { id }, contactIds, isLabelled }: Labelling) => {
      const refused: { contactId: string; title: string }[] = []
      for (let from = 0; from < contactIds.length; from += maximumContactsAtOnce) {
        const body = { contactIds: contactIds.slice(from, from + maximumContactsAtOnce), isLabelled }
        refused.push(...(await call('POST /api/labels/:id/contacts', { params: { id }, body })).refused)
      }
      return refused
    },
    expect: async (queries, labelling) => {
      await queries.cancelQueries({ queryKey: keys.lists })
      queries.setQueriesData<InfiniteData<Page<Contact>>>(
        { queryKey: keys.lists },
        (list) =>
          list && {
            ...list,
            pages: list.pages.map((page) => ({ ...page, items: page.items.map((each) => labelled(each, labelling)) })),
          },
      )
      for (const id of labelling.contactIds)
        queries.setQueryData<Contact | null>(keys.contact(id), (known) => known && labelled(known, labelling))
      return undefined
    },
    rereads: ({ contactIds }) => [keys.lists, ...contactIds.map(keys.contact)],
  })

import type { Label } from '@prosa/contracts/http/labels'
import type { Contact } from '@prosa/contracts/http/live-chat'
import { useState } from 'react'
import { plural } from '../../../lib/format/format.ts'
import { refusalOr } from '../../../lib/http/http.ts'
import { useLabelContacts } from './label-contacts.ts'

type Refused = { contactId: string; title: string }[]

const sentenceOfRefused = (refused: Refused, count: number): string => {
  const why = [...new Set(refused.map(({ title }) => title))].join(' ')
  return count === 1 ? why : `${plural(refused.length, 'contato ficou', 'contatos ficaram')} como antes. ${why}`
}

/** Initial labels plus changes made here. */
export const useLabelling = (contacts: readonly Contact[]) => {
  const [having, setHaving] = useState(() => new Map(contacts.map(({ id, labels }) => [id, new Set(labels)])))
  const [failure, setFailure] = useState<string | null>(null)
  const { mutate } = useLabelContacts()

  const countOf = ({ id }: Label) => contacts.filter((contact) => having.get(contact.id)?.has(id)).length

  const set = ({ id }: Label, contactIds: readonly string[], isLabelled: boolean) =>
    setHaving((before) => {
      const after = new Map(before)
      for (const contactId of contactIds) {
        const labels = new Set(after.get(contactId))
        if (isLabelled) labels.add(id)
        else labels.delete(id)
        after.set(contactId, labels)
      }
      return after
    })

  /** Adds it to all; removes it where all have it. */
  const toggle = (label: Label) => {
    const isLabelled = countOf(label) < contacts.length
    const contactIds = contacts.map(({ id }) => id).filter((id) => having.get(id)?.has(label.id) !== isLabelled)
    setFailure(null)
    set(label, contactIds, isLabelled)
    mutate(
      { label, contactIds, isLabelled },
      {
        onSuccess: (refused) => {
          if (refused.length === 0) return
          set(
            label,
            refused.map(({ contactId }) => contactId),
            !isLabelled,
          )
          setFailure(sentenceOfRefused(refused, contacts.length))
        },
        onError: (error) => {
          set(label, contactIds, !isLabelled)
          setFailure(refusalOr(error, 'As etiquetas não puderam ser mudadas. Tente novamente.'))
        },
      },
    )
  }
  return { countOf, toggle, failure }
}

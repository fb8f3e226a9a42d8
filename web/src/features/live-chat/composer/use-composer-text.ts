import { useState } from 'react'
import { useEditing } from '../conversation/corrections/use-editing.ts'
import type { Attachments } from './attachments/use-attachments.ts'
import { useDraft } from './use-draft.ts'

const counterFrom = 3_900

export const hasCounter = (text: string): boolean => text.length >= counterFrom

export const useComposerText = (contactId: string, { going, setCaption }: Attachments) => {
  const editing = useEditing(contactId)
  const [draft, setDraft] = useDraft(contactId)
  const [chosenId, choose] = useState<string | null>(null)
  const chosen = editing.message ? undefined : (going.find(({ id }) => id === chosenId) ?? going[0])
  if (editing.message) return { editing, chosen, choose, text: editing.text, setText: editing.setText }
  return {
    editing,
    chosen,
    choose,
    text: chosen ? chosen.caption : draft,
    setText: chosen ? (text: string) => setCaption(chosen.id, text) : setDraft,
  }
}

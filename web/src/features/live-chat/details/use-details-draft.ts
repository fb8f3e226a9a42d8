import { useAtom } from 'jotai'
import { detailsDraftsAtom } from '../atoms.ts'

/** Outlives the forms: between the column of a wide window and the drawer of a narrow one they are mounted anew. */
export const useDetailsDraft = (contactId: string, field: 'name' | 'note') => {
  const [all, setAll] = useAtom(detailsDraftsAtom)
  const setText = (text: string | undefined) =>
    setAll((drafts) => ({ ...drafts, [contactId]: { ...drafts[contactId], [field]: text } }))
  return [all[contactId]?.[field], setText] as const
}

import type { Contact } from '@prosa/contracts/http/live-chat'
import { useAtom, useSetAtom } from 'jotai'
import { chosenAtom, labellingAtom } from '../atoms.ts'
import { toggled } from './toggled.ts'

interface Options {
  /** As far as they are listed. */
  contacts: Contact[]
  selectedId: string | null
  cursor: string | null
}

/** What the keys of labels do; each answers false where there is nothing for it to act on. */
export const useLabelKeys = ({ contacts, selectedId, cursor }: Options) => {
  const [chosen, choose] = useAtom(chosenAtom)
  const setLabelling = useSetAtom(labellingAtom)
  return {
    /** Labels those that are chosen, or else the one that is open or under the cursor. */
    label: (): boolean => {
      const listed = contacts.map(({ id }) => id).filter((id) => chosen?.has(id))
      const one = selectedId ?? cursor
      const ids = listed.length > 0 ? listed : one === null ? [] : [one]
      if (ids.length > 0) setLabelling(ids)
      return ids.length > 0
    },
    /** Chooses the row under the cursor, or takes the choice back. */
    choose: (): true => {
      const one = cursor ?? selectedId
      choose(one === null ? new Set() : toggled(chosen, one))
      return true
    },
    /** Ends the choosing. */
    stopChoosing: (): boolean => {
      if (chosen !== null) choose(null)
      return chosen !== null
    },
  }
}

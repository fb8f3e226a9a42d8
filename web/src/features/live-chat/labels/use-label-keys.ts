import type { Contact } from '@prosa/contracts/http/live-chat'
import { useAtom, useSetAtom } from 'jotai'
import { chosenAtom, labellingAtom } from '../atoms.ts'
import { toggled } from './toggled.ts'

interface Options {
  contacts: Contact[]
  selectedId: string | null
  cursor: string | null
}

/** Each returns false where it does nothing. */
export const useLabelKeys = ({ contacts, selectedId, cursor }: Options) => {
  const [chosen, choose] = useAtom(chosenAtom)
  const setLabelling = useSetAtom(labellingAtom)
  return {
    /** The chosen ones, else the open one or the one under the cursor. */
    label: (): boolean => {
      const listed = contacts.map(({ id }) => id).filter((id) => chosen?.has(id))
      const one = selectedId ?? cursor
      const ids = listed.length > 0 ? listed : one === null ? [] : [one]
      if (ids.length > 0) setLabelling(ids)
      return ids.length > 0
    },
    choose: (): true => {
      const one = cursor ?? selectedId
      choose(one === null ? new Set() : toggled(chosen, one))
      return true
    },
    stopChoosing: (): boolean => {
      if (chosen !== null) choose(null)
      return chosen !== null
    },
  }
}

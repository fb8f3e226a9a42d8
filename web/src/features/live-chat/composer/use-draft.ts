import { useAtom, useAtomValue } from 'jotai'
import { selectAtom } from 'jotai/utils'
import { useCallback, useMemo } from 'react'
import { draftsAtom } from '../atoms.ts'

export const useDraftText = (contactId: string): string =>
  useAtomValue(useMemo(() => selectAtom(draftsAtom, (drafts) => drafts[contactId] ?? ''), [contactId]))

/** Stored in this browser; removed when empty. */
export const useDraft = (contactId: string): [string, (text: string) => void] => {
  const [drafts, setDrafts] = useAtom(draftsAtom)
  const setDraft = useCallback(
    (text: string) =>
      setDrafts(({ [contactId]: _before, ...others }) => (text === '' ? others : { ...others, [contactId]: text })),
    [contactId, setDrafts],
  )
  return [drafts[contactId] ?? '', setDraft]
}

import { type Dispatch, type SetStateAction, useState } from 'react'

const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other)

/** Follows the server until the user begins to edit. */
export const useFollowedDraft = <Draft>(known: Draft): [Draft, Dispatch<SetStateAction<Draft>>] => {
  const [draft, setDraft] = useState(known)
  const [followed, setFollowed] = useState(known)
  if (!isSame(known, followed)) {
    setFollowed(known)
    if (isSame(draft, followed)) setDraft(known)
  }
  return [draft, setDraft]
}

import { type Dispatch, type SetStateAction, useState } from 'react'

const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other)

/** A draft of what the server knows. What is changed elsewhere is shown here, too, unless somebody has begun to change it here. */
export const useFollowedDraft = <Draft>(known: Draft): [Draft, Dispatch<SetStateAction<Draft>>] => {
  const [draft, setDraft] = useState(known)
  const [followed, setFollowed] = useState(known)
  if (!isSame(known, followed)) {
    setFollowed(known)
    if (isSame(draft, followed)) setDraft(known)
  }
  return [draft, setDraft]
}

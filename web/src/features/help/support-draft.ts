import { type SupportPriority, supportPriorities } from '@prosa/contracts/values/support'
import { type Dispatch, type SetStateAction, useEffect, useState } from 'react'
import { useSearchParams } from 'react-router-dom'
import { type SupportText, supportTextIn, withoutSupportText } from '../../lib/account/support-address.ts'
import { personalKey } from '../../lib/browser/personal-storage.ts'

export interface SupportDraft {
  subject: string
  message: string
  priority: SupportPriority
}

export const noDraft: SupportDraft = { subject: '', message: '', priority: 'medium' }

const key = personalKey('support-draft')

const textIn = (value: unknown): string => (typeof value === 'string' ? value : '')

/** Storage is untrusted input. */
const readDraft = (): SupportDraft => {
  const text = localStorage.getItem(key)
  if (text === null) return noDraft
  try {
    const { subject, message, priority } = JSON.parse(text) as Partial<Record<keyof SupportDraft, unknown>>
    return {
      subject: textIn(subject),
      message: textIn(message),
      priority: supportPriorities.find((each) => each === priority) ?? noDraft.priority,
    }
  } catch {
    return noDraft
  }
}

/** What somebody wrote about something else is not lost to a link. */
const filledIn = (draft: SupportDraft, text: SupportText | null): SupportDraft => {
  const isOther = draft.subject !== text?.subject && (draft.subject !== '' || draft.message !== '')
  return text === null || isOther ? draft : { ...draft, ...text }
}

/** An unsent message survives failures and navigation: it is stored in this browser. An address may begin one, once. */
export const useSupportDraft = (): [SupportDraft, Dispatch<SetStateAction<SupportDraft>>] => {
  const [address, setAddress] = useSearchParams()
  const text = supportTextIn(address)
  const [draft, setDraft] = useState(() => filledIn(readDraft(), text))
  const isFilledIn = text !== null
  useEffect(() => {
    if (isFilledIn) setAddress(withoutSupportText, { replace: true, preventScrollReset: true })
  }, [isFilledIn, setAddress])
  useEffect(() => {
    try {
      if (draft.subject === '' && draft.message === '') localStorage.removeItem(key)
      else localStorage.setItem(key, JSON.stringify(draft))
    } catch {
      // The storage is full: the draft stays in the form, but not after a reload.
    }
  }, [draft])
  return [draft, setDraft]
}

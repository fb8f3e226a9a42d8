import { type SupportPriority, supportPriorities } from '@prosa/contracts/values/support'
import { useEffect, useState } from 'react'
import { personalKey } from '../../lib/personal-storage.ts'

export interface SupportDraft {
  subject: string
  message: string
  priority: SupportPriority
}

export const noDraft: SupportDraft = { subject: '', message: '', priority: 'medium' }

const key = personalKey('support-draft')

const textIn = (value: unknown): string => (typeof value === 'string' ? value : '')

/** What this browser kept; whatever else may stand there is no draft. */
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
    // Not ours: it is written anew with the first letter.
    return noDraft
  }
}

/** What is written to support and not sent: kept in this browser, so that neither a failure nor another screen loses it. */
export const useSupportDraft = (): [SupportDraft, (draft: SupportDraft) => void] => {
  const [draft, setDraft] = useState(readDraft)
  useEffect(() => {
    try {
      if (draft.subject === '' && draft.message === '') localStorage.removeItem(key)
      else localStorage.setItem(key, JSON.stringify(draft))
    } catch {
      // The browser's storage is full: what is written stays in the form, only a reload would lose it.
    }
  }, [draft])
  return [draft, setDraft]
}

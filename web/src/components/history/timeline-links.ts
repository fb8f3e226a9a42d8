import type { PastRecord } from '@prosa/contracts/http/past/past-records'
import { createContext, useContext } from 'react'

/** Where a timeline's names lead; undefined: nowhere. `key`: `order:<id>`. */
export interface TimelineLinks {
  record: (key: string) => string | undefined
  actor: (id: string) => string | undefined
  /** The record as it was at a moment; undefined: nothing to show. */
  asItWas: (em: string, record: PastRecord) => string | undefined
}

const Links = createContext<TimelineLinks>({
  record: () => undefined,
  actor: () => undefined,
  asItWas: () => undefined,
})

export const TimelineLinksProvider = Links.Provider

export const useTimelineLinks = (): TimelineLinks => useContext(Links)

import type { HistoryRecord } from '@prosa/contracts/http/history'
import { createContext, type ReactNode, useContext } from 'react'

/** Where a timeline's names lead; undefined: nowhere. `key`: `order:<id>`. */
export interface TimelineLinks {
  record: (key: string) => string | undefined
  actor: (id: string) => string | undefined
  /** Shows what a record was at a moment. */
  asItWas: (em: string, record: HistoryRecord) => ReactNode
}

const Links = createContext<TimelineLinks>({
  record: () => undefined,
  actor: () => undefined,
  asItWas: () => null,
})

export const TimelineLinksProvider = Links.Provider

export const useTimelineLinks = (): TimelineLinks => useContext(Links)

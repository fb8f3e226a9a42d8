import { createContext, useContext } from 'react'

/** Where a timeline's names lead; undefined: nowhere. `key`: `order:<id>`. */
export interface TimelineLinks {
  record: (key: string) => string | undefined
  actor: (id: string) => string | undefined
}

const Links = createContext<TimelineLinks>({ record: () => undefined, actor: () => undefined })

export const TimelineLinksProvider = Links.Provider

export const useTimelineLinks = (): TimelineLinks => useContext(Links)

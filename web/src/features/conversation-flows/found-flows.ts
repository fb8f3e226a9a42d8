import type { Flow, FlowFolder, FlowStatus } from '@prosa/contracts/http/flows'
import { plainText } from '../../lib/plain-text.ts'

/** What stands in the address for flows that are in no folder. */
export const noFolder = 'nenhuma'

export interface FlowFilters {
  search: string
  /** '' of all; so are the others. */
  status: FlowStatus | ''
  /** An id, or `noFolder`. */
  folder: string
  /** '2026-11-16' each, of the last change, both included. */
  from: string
  to: string
}

// The form of Sweden's dates is that of ISO 8601.
const day = new Intl.DateTimeFormat('sv-SE')

const isWithin = (instant: string, { from, to }: Pick<FlowFilters, 'from' | 'to'>): boolean => {
  const changed = day.format(Date.parse(instant))
  return (from === '' || changed >= from) && (to === '' || changed <= to)
}

const hasText = (search: string, ...texts: string[]): boolean =>
  texts.some((text) => plainText(text).includes(plainText(search.trim())))

/** The folders with this text in name or description that changed within the dates. */
export const foundFolders = (folders: readonly FlowFolder[], filters: FlowFilters): FlowFolder[] =>
  folders.filter(
    ({ name, description, updatedAt }) => hasText(filters.search, name, description) && isWithin(updatedAt, filters),
  )

/** The flows with this text in their name that fit every filter. */
export const foundFlows = (flows: readonly Flow[], filters: FlowFilters): Flow[] =>
  flows.filter(
    ({ name, status, folderId, updatedAt }) =>
      hasText(filters.search, name) &&
      (filters.status === '' || status === filters.status) &&
      (filters.folder === '' || (folderId ?? noFolder) === filters.folder) &&
      isWithin(updatedAt, filters),
  )

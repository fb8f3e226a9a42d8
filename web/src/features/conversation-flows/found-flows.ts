import type { Flow, FlowFolder, FlowStatus } from '@prosa/contracts/http/flows'
import { plainText } from '../../lib/format/plain-text.ts'

/** Filter value in the address for flows without a folder. */
export const noFolder = 'nenhuma'

export interface FlowFilters {
  search: string
  /** '' means no filter, here and below. */
  status: FlowStatus | ''
  /** An id or `noFolder`. */
  folder: string
  /** Dates such as '2026-11-16' of the last change, inclusive. */
  from: string
  to: string
}

// Swedish dates have the form of ISO 8601.
const day = new Intl.DateTimeFormat('sv-SE')

const isWithin = (instant: string, { from, to }: Pick<FlowFilters, 'from' | 'to'>): boolean => {
  const changed = day.format(Date.parse(instant))
  return (from === '' || changed >= from) && (to === '' || changed <= to)
}

const hasText = (search: string, ...texts: string[]): boolean =>
  texts.some((text) => plainText(text).includes(plainText(search.trim())))

export const foundFolders = (folders: readonly FlowFolder[], filters: FlowFilters): FlowFolder[] =>
  folders.filter(
    ({ name, description, updatedAt }) => hasText(filters.search, name, description) && isWithin(updatedAt, filters),
  )

export const foundFlows = (flows: readonly Flow[], filters: FlowFilters): Flow[] =>
  flows.filter(
    ({ name, status, folderId, updatedAt }) =>
      hasText(filters.search, name) &&
      (filters.status === '' || status === filters.status) &&
      (filters.folder === '' || (folderId ?? noFolder) === filters.folder) &&
      isWithin(updatedAt, filters),
  )

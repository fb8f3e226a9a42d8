import Box from '@mui/material/Box'
import type { PastRecordKind } from '@prosa/contracts/http/past/past-records'
import { type QueryKey, type UseQueryOptions, type UseQueryResult, useQuery } from '@tanstack/react-query'
import { createContext, Fragment, type ReactNode, useContext } from 'react'
import { useCurrentUser } from '../../lib/account/current-user.ts'
import { useAddressFilter } from '../../lib/forms/use-address-filter.ts'
import { momentParameter } from '../../lib/paths.ts'
import { staysMs } from './api.ts'
import { RecordPast } from './record-past.tsx'

const Moment = createContext<string | null>(null)

/** A screen as it was: its queries ask `em`, its buttons are away and its fields cannot be changed. */
const ScreenThen = ({ em, children }: { em: string; children: ReactNode }) => (
  <Moment.Provider value={em}>
    <Box
      component="fieldset"
      disabled
      sx={{ m: 0, p: 0, border: 0, minWidth: 0, '& button:disabled': { display: 'none' } }}
    >
      {/* Forms begin with what was stored. */}
      <Fragment key={em}>{children}</Fragment>
    </Box>
  </Moment.Provider>
)

/** Inside the frame of the past, which shows nothing of today. */
export const useIsThen = (): boolean => useContext(Moment) !== null

/** A screen's query, or in the frame of the past what it would have answered then. */
export const useQueryThen = <Data, Key extends QueryKey>(
  now: UseQueryOptions<Data, Error, Data, Key>,
  ask: (em: string, signal: AbortSignal) => Promise<Data>,
): UseQueryResult<Data> => {
  const em = useContext(Moment)
  const then = {
    queryKey: ['then', em, ...now.queryKey],
    queryFn: ({ signal }: { signal: AbortSignal }) => ask(em ?? '', signal),
    staleTime: staysMs,
    retry: false,
  }
  return useQuery((em === null ? now : then) as UseQueryOptions<Data, Error, Data, QueryKey>)
}

interface SectionProps {
  kind: PastRecordKind
  em: string
  /** Address of the section today. */
  present: string
  children: ReactNode
}

/** A section of the account's settings as it was. */
export const SectionThen = ({ kind, em, present, children }: SectionProps) => {
  const user = useCurrentUser()
  const [, goTo] = useAddressFilter(momentParameter)
  if (!user) return null
  return (
    <RecordPast of={{ kind, id: user.id }} {...{ em, present }} onMoment={goTo}>
      <ScreenThen em={em}>{children}</ScreenThen>
    </RecordPast>
  )
}

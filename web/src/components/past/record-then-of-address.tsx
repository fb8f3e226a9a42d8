import Box from '@mui/material/Box'
import type { PastRecord } from '@prosa/contracts/http/past/past-records'
import { type ReactNode, useEffect, useRef } from 'react'
import { useSearchParams } from 'react-router-dom'
import { useAddressFilter } from '../../lib/forms/use-address-filter.ts'
import { pastRecordIn, recordParameter } from '../../lib/past-addresses.ts'
import { momentParameter } from '../../lib/paths.ts'
import { RecordPast } from './record-past.tsx'

interface Props {
  asAdmin?: boolean
  /** Beside its values. */
  below?: (of: PastRecord, em: string) => ReactNode
}

/** The record that a page of history shows as it was, as its address says. */
export const RecordThenOfAddress = ({ asAdmin = false, below }: Props) => {
  const [parameters] = useSearchParams()
  const [em, goTo] = useAddressFilter(momentParameter)
  const of = pastRecordIn(parameters.get(recordParameter) ?? '')
  const frame = useRef<HTMLDivElement>(null)
  const opened = of && em !== '' ? `${of.kind}:${of.id}` : null
  useEffect(() => {
    if (opened !== null) frame.current?.scrollIntoView?.({ block: 'start' })
  }, [opened])
  if (!of || opened === null) return null
  const present = new URLSearchParams(parameters)
  for (const name of [recordParameter, momentParameter]) present.delete(name)
  return (
    <Box ref={frame} key={opened}>
      <RecordPast of={of} em={em} asAdmin={asAdmin} present={`?${present}`} onMoment={goTo} below={below?.(of, em)} />
    </Box>
  )
}

import Button from '@mui/material/Button'
import type { HistoryRecordKind } from '@prosa/contracts/http/history'
import type { PastRecordKind } from '@prosa/contracts/http/past/past-records'
import { Link } from 'react-router-dom'
import HistoryIcon from '~icons/ic/round-history'
import type { HistoryTarget } from '../../../components/history/record-words.ts'
import { recordThenParameters } from '../../../lib/past-addresses.ts'
import { adminTab } from '../../../lib/paths.ts'

const kinds: { [K in HistoryRecordKind]?: PastRecordKind } = {
  user: 'access',
  order: 'order',
  delivery: 'delivery',
  plan: 'plan',
  connection: 'connection',
  contact: 'contact',
  flow: 'flow',
  folder: 'folder',
}

/** From a record to what it was; begins now, from where one steps back. */
export const AsItWasButton = ({ of: { kind, id } }: { of: Pick<HistoryTarget, 'kind' | 'id'> }) => {
  const past = kinds[kind]
  if (!past) return null
  // A minute ago: clocks of browsers may be ahead of the server's.
  const em = new Date(Date.now() - 60_000).toISOString()
  const registro = `${kind}:${id}`
  return (
    <Button
      component={Link}
      to={adminTab('historico', { ...recordThenParameters(em, { kind: past, id }), registro })}
      color="inherit"
      startIcon={<HistoryIcon />}
      sx={{ justifySelf: 'start' }}
    >
      Ver como era
    </Button>
  )
}

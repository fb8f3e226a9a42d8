import Box from '@mui/material/Box'
import Typography from '@mui/material/Typography'
import type { RefusedRequestRow } from '@prosa/contracts/http/administration/refused-requests'
import { type SyntheticEvent, useState } from 'react'
import { Link } from 'react-router-dom'
import { keyOf } from '../../../components/history/record-words.ts'
import { panelStyle } from '../../../components/layout/panel.tsx'
import { NotRead } from '../../../components/notices/not-read-panel.tsx'
import { CountedRow } from '../../../components/tables/counted-row.tsx'
import { DayFilters } from '../../../components/tables/day-filters.tsx'
import { adminTab } from '../../../lib/paths.ts'
import { useRefused } from './api.ts'

const Row = ({ row, nowMs }: { row: RefusedRequestRow; nowMs: number }) => {
  const { account, command, route, reason, address, count, lastAt } = row
  return (
    <CountedRow what={command ?? route} detail={reason} {...{ count, lastAt, nowMs }}>
      <Typography component="span" variant="caption" sx={{ color: 'text.secondary' }}>
        {account ? (
          <Link to={adminTab('historico', { registro: keyOf({ kind: 'user', id: account.id }) })}>{account.name}</Link>
        ) : (
          'sem conta'
        )}
        {' · '}
        {address === null ? 'outros endereços' : `endereço ${address.slice(0, 8)}`}
      </Typography>
    </CountedRow>
  )
}

const Rows = ({ user, from, to }: { user: string | undefined; from: string; to: string }) => {
  const { data, error, refetch } = useRefused(user, { from: from || undefined, to: to || undefined })
  if (data === undefined && error)
    return <NotRead title="As recusas não puderam ser carregadas" error={error} onRetry={() => void refetch()} />
  if (data === undefined) return <Typography role="status">Carregando...</Typography>
  if (data.length === 0)
    return (
      <Typography>
        {from === '' && to === '' ? 'Nada foi recusado nos últimos 30 dias.' : 'Nada foi recusado nestes dias.'}
      </Typography>
    )
  return (
    <Box component="ul" aria-label="Recusas" sx={{ m: 0, p: 0, pb: 2, listStyle: 'none' }}>
      {data.map((row) => (
        <Row
          key={[row.day, row.account?.id, row.route, row.reason, row.address].join(' ')}
          row={row}
          nowMs={Date.now()}
        />
      ))}
    </Box>
  )
}

const List = ({ user }: { user: string | undefined }) => {
  const [from, setFrom] = useState('')
  const [to, setTo] = useState('')
  return (
    <Box sx={{ display: 'grid', gap: 4, gridTemplateColumns: 'minmax(0, 1fr)', pb: 4 }}>
      <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 3 }}>
        <DayFilters from={from} to={to} onFrom={setFrom} onTo={setTo} />
      </Box>
      <Rows user={user} from={from} to={to} />
    </Box>
  )
}

/** Sign-ins and commands that were refused; read once opened, as that is a reading of its own. */
export const RefusedRequests = ({ user }: { user?: string | undefined }) => {
  const [isOpen, setOpen] = useState(false)
  return (
    <Box
      component="details"
      sx={{ ...panelStyle, px: 4 }}
      onToggle={(event: SyntheticEvent<HTMLDetailsElement>) => setOpen(event.currentTarget.open)}
    >
      <Box component="summary" sx={{ cursor: 'pointer', minHeight: 'var(--target)', alignContent: 'center' }}>
        Recusas
      </Box>
      {isOpen && <List user={user} />}
    </Box>
  )
}

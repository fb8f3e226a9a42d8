import Box from '@mui/material/Box'
import ButtonBase from '@mui/material/ButtonBase'
import Typography from '@mui/material/Typography'
import type { RefusedRequestRow } from '@prosa/contracts/http/administration/refused-requests'
import { type SyntheticEvent, useState } from 'react'
import { Link } from 'react-router-dom'
import { Field } from '../../../components/forms/field.tsx'
import { keyOf } from '../../../components/history/record-words.ts'
import { panelStyle } from '../../../components/layout/panel.tsx'
import { NotRead } from '../../../components/notices/not-read-panel.tsx'
import { CountedRow } from '../../../components/tables/counted-row.tsx'
import { DayFilters } from '../../../components/tables/day-filters.tsx'
import { adminTab } from '../../../lib/paths.ts'
import { useRefused } from './api.ts'

/** As shown. */
const codeLength = 8

const isAddressCode = (text: string) => /^[0-9a-f]{4,64}$/i.test(text)

type Open = (address: string) => void

const Row = ({ row, onAddress }: { row: RefusedRequestRow; onAddress: Open }) => {
  const { account, command, route, reason, address, count, lastAt } = row
  const code = address?.slice(0, codeLength)
  return (
    <CountedRow what={command ?? route} detail={reason} {...{ count, lastAt }}>
      <Typography component="span" variant="caption" sx={{ color: 'text.secondary' }}>
        {account ? (
          <Link to={adminTab('historico', { registro: keyOf({ kind: 'user', id: account.id }) })}>{account.name}</Link>
        ) : (
          'sem conta'
        )}
        {' · '}
        {code === undefined ? (
          'outros endereços'
        ) : (
          <>
            endereço{' '}
            <ButtonBase
              aria-label={`Só as recusas do endereço ${code}`}
              onClick={() => onAddress(code)}
              sx={{ minWidth: 24, minHeight: 24, font: 'inherit', color: 'primary.main', textDecoration: 'underline' }}
            >
              {code}
            </ButtonBase>
          </>
        )}
      </Typography>
    </CountedRow>
  )
}

interface RowsProps {
  user: string | undefined
  address: string
  from: string
  to: string
  onAddress: Open
}

const Rows = ({ user, onAddress, ...filters }: RowsProps) => {
  const { address, from, to } = filters
  const asked = { address: isAddressCode(address) ? address : undefined, from: from || undefined, to: to || undefined }
  const { data, error, refetch } = useRefused(user, asked)
  if (data === undefined && error)
    return <NotRead title="As recusas não puderam ser carregadas" error={error} onRetry={() => void refetch()} />
  if (data === undefined) return <Typography role="status">Carregando...</Typography>
  if (data.length === 0)
    return (
      <Typography>
        {Object.values(asked).every((each) => each === undefined)
          ? 'Nada foi recusado nos últimos 30 dias.'
          : 'Nada foi recusado com estes filtros.'}
      </Typography>
    )
  return (
    <Box component="ul" aria-label="Recusas" sx={{ m: 0, p: 0, pb: 2, listStyle: 'none' }}>
      {data.map((row) => (
        <Row
          key={[row.day, row.account?.id, row.route, row.reason, row.address].join(' ')}
          row={row}
          onAddress={onAddress}
        />
      ))}
    </Box>
  )
}

const List = ({ user, searched }: { user: string | undefined; searched: string }) => {
  const [address, setAddress] = useState(searched)
  const [from, setFrom] = useState('')
  const [to, setTo] = useState('')
  return (
    <Box sx={{ display: 'grid', gap: 4, gridTemplateColumns: 'minmax(0, 1fr)', pb: 4 }}>
      <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 3 }}>
        <Field
          label="Código do endereço"
          value={address}
          maxLength={64}
          autoComplete="off"
          error={address === '' || isAddressCode(address) ? undefined : 'De 4 a 64 letras de A a F e números.'}
          onChange={setAddress}
        />
        <DayFilters from={from} to={to} onFrom={setFrom} onTo={setTo} />
      </Box>
      <Rows user={user} {...{ address, from, to }} onAddress={setAddress} />
    </Box>
  )
}

interface Props {
  user?: string | undefined
  /** What the history is searched for; it may be an address's code. */
  searched?: string
}

/** Sign-ins and commands that were refused; read once opened, as that is a reading of its own. */
export const RefusedRequests = ({ user, searched = '' }: Props) => {
  const address = searched.length >= codeLength && isAddressCode(searched) ? searched : ''
  const [isOpen, setOpen] = useState(false)
  return (
    <Box
      component="details"
      sx={{ ...panelStyle, px: 4 }}
      onToggle={(event: SyntheticEvent<HTMLDetailsElement>) => setOpen(event.currentTarget.open)}
    >
      <Box component="summary" sx={{ cursor: 'pointer', minHeight: 'var(--target)', alignContent: 'center' }}>
        Recusas{address && ` do endereço ${address.slice(0, codeLength).toUpperCase()}`}
      </Box>
      {isOpen && <List key={address} user={user} searched={address} />}
    </Box>
  )
}

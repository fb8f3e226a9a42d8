import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Typography from '@mui/material/Typography'
import type { Usage } from '@prosa/contracts/http/usage'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { Link } from 'react-router-dom'
import { currentUserQuery } from '../lib/current-user.ts'
import { dateAndTime } from '../lib/format.ts'
import { paths } from '../lib/paths.ts'
import { usageQuery } from '../lib/usage.ts'

/** A payment is pushed at once; this finds it where pushes do not arrive. */
const pollingMs = 30_000

const graceUntil = (afterEnd: Usage['afterEnd'], until: string): string =>
  afterEnd === 'free_plan'
    ? `os limites do seu plano valem até ${until}, depois vale o plano gratuito.`
    : `você ainda pode enviar até ${until}.`

/** On every screen of an account whose time is over: until when it may still send, or that it may not, and the way on. */
export const SubscriptionNotice = () => {
  const queries = useQueryClient()
  const { data: usage } = useQuery({ ...usageQuery, refetchInterval: pollingMs })
  const access = usage?.access
  useEffect(() => {
    // The account as it was read before has ended: this notice would stay.
    if (access === 'open') void queries.invalidateQueries({ queryKey: currentUserQuery.queryKey })
  }, [access, queries])
  if (!usage?.endsAt || !usage.graceEndsAt || access === 'open') return null
  const now = Date.now()
  return (
    <Box
      role="status"
      sx={{
        display: 'flex',
        flexWrap: 'wrap',
        alignItems: 'center',
        flex: 'none',
        columnGap: 4,
        rowGap: 1,
        px: 4,
        py: 2,
        bgcolor: 'warnSoft',
        borderBottom: '1px solid',
        borderColor: 'divider',
      }}
    >
      <Typography sx={{ flex: '1 1 280px', minWidth: 0, textWrap: 'pretty' }}>
        {access === 'grace'
          ? `Seu período terminou em ${dateAndTime(usage.endsAt, now)}; ${graceUntil(usage.afterEnd, dateAndTime(usage.graceEndsAt, now))}`
          : 'Seu período terminou. Escolha um plano para voltar a enviar. O que seus clientes escrevem continua chegando.'}
      </Typography>
      <Button component={Link} to={paths.billing} color="warning" variant="outlined" size="small">
        Escolher um plano
      </Button>
    </Box>
  )
}

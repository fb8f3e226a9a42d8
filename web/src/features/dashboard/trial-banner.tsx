import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Typography from '@mui/material/Typography'
import { Link } from 'react-router-dom'
import { useCurrentUser } from '../../lib/current-user.ts'
import { paths } from '../../lib/paths.ts'
import { serverNow } from '../../lib/server-clock.ts'
import { trialDaysLeft, trialSentence } from './trial-days.ts'

/** How long the free period lasts, and the way to a plan. */
export const TrialBanner = () => {
  const user = useCurrentUser()
  const days = user ? trialDaysLeft(user, serverNow() ?? Date.now()) : 0
  if (days === 0) return null
  return (
    <Box
      role="note"
      sx={{
        display: 'flex',
        flexWrap: 'wrap',
        alignItems: 'center',
        justifyContent: 'space-between',
        gap: 3,
        bgcolor: 'infoSoft',
        color: 'info.main',
        borderRadius: 'var(--radius-panel)',
        px: 4,
        py: 3,
      }}
    >
      <Box sx={{ minWidth: 0 }}>
        <Typography variant="subtitle2" component="p">
          Período Gratuito Ativo
        </Typography>
        <Typography>{trialSentence(days)}</Typography>
      </Box>
      <Button component={Link} to={paths.billing} variant="outlined" color="inherit">
        Adquirir Plano
      </Button>
    </Box>
  )
}

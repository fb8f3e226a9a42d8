import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import LinearProgress from '@mui/material/LinearProgress'
import Typography from '@mui/material/Typography'
import { useQuery } from '@tanstack/react-query'
import SunIcon from '~icons/ic/round-wb-sunny'
import { demoQuery, useFillMorning } from './api.ts'

/** Adds demo data: the morning of a bakery. */
export const FillMorning = () => {
  const { data: demo } = useQuery(demoQuery)
  const fill = useFillMorning()
  const running = demo?.state === 'running'
  return (
    <Box sx={{ display: 'grid', gap: 2, justifyItems: 'start' }}>
      <Button
        variant="outlined"
        startIcon={<SunIcon />}
        disabled={running || fill.isPending}
        onClick={() => fill.mutate(undefined)}
      >
        Encher com uma manhã de exemplo
      </Button>
      {running && (
        <LinearProgress
          variant="determinate"
          value={demo.total ? (100 * demo.done) / demo.total : 0}
          aria-label="Manhã de exemplo"
          sx={{ width: '100%', borderRadius: 'var(--radius-control)' }}
        />
      )}
      <Typography
        role="status"
        variant="caption"
        sx={{ color: demo?.state === 'failed' ? 'danger' : 'text.secondary' }}
      >
        {demo?.sentence}
      </Typography>
    </Box>
  )
}

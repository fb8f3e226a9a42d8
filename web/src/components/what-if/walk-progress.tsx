import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import LinearProgress from '@mui/material/LinearProgress'
import Typography from '@mui/material/Typography'
import type { WalkPart } from '@prosa/contracts/http/what-if/walk'
import { count } from '../../lib/format/format.ts'
import type { Walk } from '../../lib/http/use-walk.ts'

interface Props<Part extends WalkPart> {
  walk: Walk<Part>
  /** 'conversas' */
  records: string
}

/** How far the walk is, with a way to stop it; afterwards what was left out. */
export const WalkProgress = <Part extends WalkPart>({ walk: { status, parts, stop }, records }: Props<Part>) => {
  const last = parts.at(-1)
  const share = last === undefined || last.total === 0 ? 0 : Math.floor((100 * last.done) / last.total)
  const soFar = last ? `${count(last.done)} de ${count(last.total)} ${records}` : `Lendo as ${records}…`
  if (status === 'going')
    return (
      <Box sx={{ display: 'grid', gap: 2 }}>
        <LinearProgress
          variant={last ? 'determinate' : 'indeterminate'}
          value={share}
          aria-label="Andamento"
          sx={{ borderRadius: 'var(--radius-control)' }}
        />
        <Box sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', justifyContent: 'space-between', gap: 2 }}>
          <Typography role="status" sx={{ color: 'text.secondary', fontVariantNumeric: 'tabular-nums' }}>
            {soFar}
          </Typography>
          <Button color="inherit" onClick={stop}>
            Parar
          </Button>
        </Box>
      </Box>
    )
  if (status !== 'stopped') return null
  return (
    <Typography role="status" sx={{ color: 'text.secondary' }}>
      {last ? `Você parou em ${soFar}. O resultado abaixo é só delas.` : 'Você parou antes do primeiro resultado.'}
    </Typography>
  )
}

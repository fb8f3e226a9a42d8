import Link from '@mui/material/Link'
import Typography from '@mui/material/Typography'
import { simulatorPath } from '../../../lib/paths.ts'

/** Development only: opens a new tab, so that the QR code stays visible. */
export const SimulatorLink = () =>
  (import.meta.env.DEV || import.meta.env.MODE === 'simulator') && (
    <Typography variant="caption" component="p" sx={{ color: 'text.secondary', textAlign: 'center' }}>
      Sem um celular à mão?{' '}
      <Link href={simulatorPath} target="_blank" rel="noopener" underline="always">
        Abra os telefones simulados
      </Link>
    </Typography>
  )

export const SimulatorMark = () =>
  (import.meta.env.DEV || import.meta.env.MODE === 'simulator') && (
    <Typography variant="caption" component="span" sx={{ color: 'text.secondary', alignSelf: 'center' }}>
      Simulador
    </Typography>
  )

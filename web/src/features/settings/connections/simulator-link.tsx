import Link from '@mui/material/Link'
import Typography from '@mui/material/Typography'
import { simulatorPath } from '../../../lib/paths.ts'

/** Development only: the way to the simulated phones, in their own tab so that the QR code stays in view. */
export const SimulatorLink = () =>
  (import.meta.env.DEV || import.meta.env.MODE === 'simulator') && (
    <Typography variant="caption" component="p" sx={{ color: 'text.secondary', textAlign: 'center' }}>
      Sem um celular à mão?{' '}
      <Link href={simulatorPath} target="_blank" rel="noopener" underline="always">
        Abra os telefones simulados
      </Link>
    </Typography>
  )

/** Development only: beside the name of a connection to the simulated network. */
export const SimulatorMark = () =>
  (import.meta.env.DEV || import.meta.env.MODE === 'simulator') && (
    <Typography variant="caption" component="span" sx={{ color: 'text.secondary', alignSelf: 'center' }}>
      Simulador
    </Typography>
  )

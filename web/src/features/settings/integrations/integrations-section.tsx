import Box from '@mui/material/Box'
import Link from '@mui/material/Link'
import { Link as RouterLink } from 'react-router-dom'
import { ApiKeys } from '../../../components/api-keys/api-keys.tsx'
import { paths } from '../../../lib/paths.ts'

const toData = (
  <>
    Com uma chave, um programa seu lê os dados da sua conta. O que há para ler, e como pedir, está em{' '}
    <Link component={RouterLink} to={paths.data} underline="always">
      Dados
    </Link>
    .
  </>
)

/** One section below the other. */
export const IntegrationsSection = () => (
  <Box sx={{ display: 'grid', gap: 8, gridTemplateColumns: 'minmax(0, 1fr)', alignContent: 'start' }}>
    <ApiKeys ofPlatform={false} sentence={toData} />
  </Box>
)

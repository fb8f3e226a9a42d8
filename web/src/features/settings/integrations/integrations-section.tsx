import Box from '@mui/material/Box'
import Link from '@mui/material/Link'
import { Link as RouterLink } from 'react-router-dom'
import { ApiKeys } from '../../../components/api-keys/api-keys.tsx'
import { paths } from '../../../lib/paths.ts'
import { WebhooksSection } from './webhooks/webhooks-section.tsx'

const toData = (
  <>
    Com uma chave, um programa seu lê os dados da sua conta, envia mensagens e começa fluxos: veja a{' '}
    <Link href="/api/docs" target="_blank" rel="noopener" underline="always">
      API pública
    </Link>
    . O que há para ler está em{' '}
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
    <WebhooksSection />
  </Box>
)

import Link from '@mui/material/Link'
import { Link as RouterLink } from 'react-router-dom'
import { ApiKeys } from '../../../../components/api-keys/api-keys.tsx'
import { paths } from '../../../../lib/paths.ts'

export const TenantKeys = () => (
  <ApiKeys
    ofPlatform={false}
    sentence={
      <>
        Com uma chave, um programa seu lê os dados da sua conta. O que há para ler, e como pedir, está em{' '}
        <Link component={RouterLink} to={paths.data} underline="always">
          Dados
        </Link>
        .
      </>
    }
  />
)

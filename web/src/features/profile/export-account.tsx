import Box from '@mui/material/Box'
import Typography from '@mui/material/Typography'
import { ExportData } from '../../components/export-data.tsx'

export const ExportAccount = () => (
  <Box
    component="section"
    aria-labelledby="export-heading"
    sx={{
      display: 'grid',
      gap: 3,
      gridColumn: '1 / -1',
      '& p': { maxWidth: '64ch' },
      pt: 6,
      borderTop: '1px solid',
      borderColor: 'divider',
    }}
  >
    <Typography id="export-heading" variant="h2">
      Seus dados em um arquivo
    </Typography>
    <Typography sx={{ color: 'text.secondary' }}>
      Um arquivo ZIP com tudo o que o Prosa guarda da sua conta: perfil, compras, conexões, respostas rápidas, contatos,
      notas, conversas com seus arquivos e o histórico. Senhas e chaves de acesso ficam de fora.
    </Typography>
    <ExportData label="Exportar meus dados" target={{ kind: 'account' }} />
  </Box>
)

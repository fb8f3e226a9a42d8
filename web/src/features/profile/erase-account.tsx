import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Typography from '@mui/material/Typography'
import { useState } from 'react'
import { EraseAccountDialog } from './erase-account-dialog.tsx'

export const EraseAccount = ({ email }: { email: string }) => {
  const [isAsking, setAsking] = useState(false)
  return (
    <Box
      component="section"
      aria-labelledby="erase-heading"
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
      <Typography id="erase-heading" variant="h2">
        Excluir minha conta
      </Typography>
      <Typography sx={{ color: 'text.secondary' }}>
        Apaga do Prosa seus dados, seus contatos, as conversas com seus arquivos, as respostas rápidas e as conexões com
        o WhatsApp. Não há como desfazer. No WhatsApp, no seu celular e no dos seus clientes, as conversas continuam.
      </Typography>
      <Typography sx={{ color: 'text.secondary' }}>
        Fica só o registro de que houve uma conta e das datas do que aconteceu nela, sem nome, telefone, e-mail ou
        mensagem.
      </Typography>
      <Button color="error" variant="outlined" onClick={() => setAsking(true)} sx={{ justifySelf: 'start' }}>
        Excluir minha conta
      </Button>
      {isAsking && <EraseAccountDialog email={email} onClose={() => setAsking(false)} />}
    </Box>
  )
}

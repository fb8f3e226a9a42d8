import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Dialog from '@mui/material/Dialog'
import DialogActions from '@mui/material/DialogActions'
import DialogContent from '@mui/material/DialogContent'
import DialogContentText from '@mui/material/DialogContentText'
import DialogTitle from '@mui/material/DialogTitle'
import Typography from '@mui/material/Typography'
import { useId } from 'react'
import { CopyButton } from '../../../../components/copy-button.tsx'
import { panelStyle } from '../../../../components/layout/panel.tsx'

/** Closed only by its button: the secret is not shown again. */
export const SecretDialog = ({ secret, onClose }: { secret: string; onClose: () => void }) => {
  const id = useId()
  return (
    <Dialog open fullWidth maxWidth="sm" aria-labelledby={`${id}t`} aria-describedby={`${id}s`}>
      <DialogTitle id={`${id}t`}>Guarde o segredo agora</DialogTitle>
      <DialogContent sx={{ display: 'grid', gap: 4, gridTemplateColumns: 'minmax(0, 1fr)' }}>
        <DialogContentText id={`${id}s`} sx={{ color: 'text.secondary' }}>
          Ele não aparece de novo. Com ele o seu sistema confere que cada entrega veio do Prosa e não foi mudada.
        </DialogContentText>
        <Box sx={{ ...panelStyle, bgcolor: 'sunken', display: 'flex', alignItems: 'center', gap: 2, pl: 3, py: 1 }}>
          <Typography component="code" sx={{ flex: 1, fontFamily: 'monospace', overflowWrap: 'anywhere' }}>
            {secret}
          </Typography>
          <CopyButton text={secret} what="o segredo" done="Segredo copiado" />
        </Box>
        <Typography variant="body2" sx={{ color: 'text.secondary' }}>
          A assinatura vem em “webhook-signature”: HMAC-SHA256 de “webhook-id.webhook-timestamp.corpo”, em base64,
          depois de “v1,”. As bibliotecas do Standard Webhooks já a conferem.
        </Typography>
      </DialogContent>
      <DialogActions>
        <Button variant="contained" onClick={onClose}>
          Já guardei
        </Button>
      </DialogActions>
    </Dialog>
  )
}

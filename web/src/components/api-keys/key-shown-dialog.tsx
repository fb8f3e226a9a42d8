import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Dialog from '@mui/material/Dialog'
import DialogActions from '@mui/material/DialogActions'
import DialogContent from '@mui/material/DialogContent'
import DialogTitle from '@mui/material/DialogTitle'
import Typography from '@mui/material/Typography'
import { useId } from 'react'
import { CopyButton } from '../copy-button.tsx'
import { Notice } from '../notices/notice.tsx'

interface Props {
  name: string
  secret: string
  onClose: () => void
}

/** A press beside it must not lose the key: only the button closes it. */
export const KeyShownDialog = ({ name, secret, onClose }: Props) => {
  const id = useId()
  return (
    <Dialog open fullWidth maxWidth="sm" aria-labelledby={`${id}t`} aria-describedby={`${id}s`}>
      <DialogTitle id={`${id}t`}>Copie a chave {name}</DialogTitle>
      <DialogContent sx={{ display: 'grid', gap: 4, gridTemplateColumns: 'minmax(0, 1fr)' }}>
        <Box id={`${id}s`}>
          <Notice kind="warning">
            Ela só aparece agora: o Prosa guarda apenas o que basta para reconhecê-la. Se a perder, revogue e crie
            outra.
          </Notice>
        </Box>
        <Box
          sx={{
            display: 'flex',
            alignItems: 'center',
            gap: 2,
            pl: 3,
            bgcolor: 'sunken',
            borderRadius: 'var(--radius-control)',
          }}
        >
          <Typography
            component="code"
            data-testid="api-key"
            sx={{ flex: 1, py: 2, fontFamily: 'var(--mono)', overflowWrap: 'anywhere', userSelect: 'all' }}
          >
            {secret}
          </Typography>
          <CopyButton text={secret} what="a chave" done="Chave copiada!" />
        </Box>
        <Typography sx={{ color: 'text.secondary' }}>
          Programas a enviam em cada pedido: <code>Authorization: Bearer …</code>. Não a deixe em código nem em
          mensagens.
        </Typography>
      </DialogContent>
      <DialogActions>
        <Button variant="contained" autoFocus onClick={onClose}>
          Já guardei
        </Button>
      </DialogActions>
    </Dialog>
  )
}

import Button from '@mui/material/Button'
import Dialog from '@mui/material/Dialog'
import DialogActions from '@mui/material/DialogActions'
import DialogContent from '@mui/material/DialogContent'
import DialogContentText from '@mui/material/DialogContentText'
import DialogTitle from '@mui/material/DialogTitle'
import { FormSummary } from '../../../components/forms/form-summary.tsx'
import { refusalOr } from '../../../lib/http/http.ts'
import { useCommand } from '../../../lib/http/use-command.ts'

interface Props {
  onLoad: () => Promise<unknown>
  onSaveOver: () => Promise<unknown>
}

export const ConflictDialog = ({ onLoad, onSaveOver }: Props) => {
  const load = useCommand({ run: onLoad })
  const saveOver = useCommand({ run: onSaveOver })
  const isPending = load.isPending || saveOver.isPending
  const error = load.error ?? saveOver.error
  return (
    <Dialog open maxWidth="xs" fullWidth aria-labelledby="flow-conflict-title" aria-describedby="flow-conflict-text">
      <DialogTitle id="flow-conflict-title">Este fluxo foi mudado em outra janela</DialogTitle>
      <DialogContent>
        <DialogContentText id="flow-conflict-text" sx={{ color: 'text.secondary' }}>
          O que está aqui ainda não foi salvo. Carregue o que está salvo e deixe as suas mudanças, ou salve as suas por
          cima.
        </DialogContentText>
        <FormSummary sentence={error ? refusalOr(error, 'Não deu certo agora. Tente de novo.') : null} />
      </DialogContent>
      <DialogActions sx={{ flexWrap: 'wrap' }}>
        <Button color="inherit" disabled={isPending} onClick={() => saveOver.mutate()}>
          Salvar o meu por cima
        </Button>
        <Button variant="contained" autoFocus disabled={isPending} onClick={() => load.mutate()}>
          Carregar o que está salvo
        </Button>
      </DialogActions>
    </Dialog>
  )
}

import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Dialog from '@mui/material/Dialog'
import DialogActions from '@mui/material/DialogActions'
import DialogContent from '@mui/material/DialogContent'
import DialogContentText from '@mui/material/DialogContentText'
import DialogTitle from '@mui/material/DialogTitle'
import Typography from '@mui/material/Typography'
import type { FlowDocument } from '@prosa/contracts/flows/flow-document'
import { useQuery } from '@tanstack/react-query'
import { FormSummary } from '../../../components/forms/form-summary.tsx'
import { refusalOr } from '../../../lib/http/http.ts'
import { useCommand } from '../../../lib/http/use-command.ts'
import { readFlow } from '../api.ts'
import { useFlowNames } from '../use-flow-names.ts'
import { FlowDifferences } from '../versions/flow-differences.tsx'

interface Props {
  flowId: string
  document: FlowDocument
  onLoad: () => Promise<unknown>
  onSaveOver: () => Promise<unknown>
}

const Differences = ({ flowId, document }: Pick<Props, 'flowId' | 'document'>) => {
  const names = useFlowNames()
  const saved = useQuery({
    queryKey: ['flow-editor', flowId, 'saved elsewhere'],
    queryFn: ({ signal }) => readFlow(flowId, signal),
    gcTime: 0,
    staleTime: 0,
  })
  if (saved.isError) return <Typography>O que está salvo não pôde ser lido agora.</Typography>
  return saved.data ? (
    <FlowDifferences before={saved.data.document} after={document} names={names} />
  ) : (
    <Typography role="status">Comparando…</Typography>
  )
}

export const ConflictDialog = ({ flowId, document, onLoad, onSaveOver }: Props) => {
  const load = useCommand({ run: onLoad })
  const saveOver = useCommand({ run: onSaveOver })
  const isPending = load.isPending || saveOver.isPending
  const error = load.error ?? saveOver.error
  return (
    <Dialog open maxWidth="sm" fullWidth aria-labelledby="flow-conflict-title" aria-describedby="flow-conflict-text">
      <DialogTitle id="flow-conflict-title">Este fluxo foi mudado em outra janela</DialogTitle>
      <DialogContent>
        <DialogContentText id="flow-conflict-text" sx={{ color: 'text.secondary' }}>
          O que está aqui ainda não foi salvo. Carregue o que está salvo e deixe as suas mudanças, ou salve as suas por
          cima.
        </DialogContentText>
        <FormSummary sentence={error ? refusalOr(error, 'Não deu certo agora. Tente de novo.') : null} />
        <Box component="section" aria-label="O que o seu tem de diferente do que está salvo" sx={{ mt: 4 }}>
          <Typography variant="subtitle1" component="h3" sx={{ mb: 3 }}>
            O que o seu tem de diferente do que está salvo
          </Typography>
          <Differences flowId={flowId} document={document} />
        </Box>
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

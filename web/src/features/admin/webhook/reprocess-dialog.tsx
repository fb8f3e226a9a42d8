import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Dialog from '@mui/material/Dialog'
import DialogActions from '@mui/material/DialogActions'
import DialogContent from '@mui/material/DialogContent'
import DialogTitle from '@mui/material/DialogTitle'
import Skeleton from '@mui/material/Skeleton'
import Typography from '@mui/material/Typography'
import type { WebhookPreview } from '@prosa/contracts/http/webhook-logs'
import { useQuery } from '@tanstack/react-query'
import { useId, useState } from 'react'
import ArrowIcon from '~icons/ic/round-arrow-forward'
import { Field } from '../../../components/field.tsx'
import { Notice } from '../../../components/notice.tsx'
import { ScreenReaderText } from '../../../components/screen-reader-text.tsx'
import { sentenceOf } from '../../../lib/http.ts'
import { useReprocess, webhookPreviewQuery } from './api.ts'
import { changeWords } from './webhook-words.ts'

const Changes = ({ changes, note }: WebhookPreview) => {
  const nowMs = Date.now()
  if (changes.length === 0)
    return <Notice kind="info">{note ?? 'Nada mudaria: o que este aviso informa já está valendo.'}</Notice>
  return (
    <Box component="ul" aria-label="O que vai mudar" sx={{ display: 'grid', gap: 3, m: 0, p: 0, listStyle: 'none' }}>
      {changes.map((change) => {
        const { what, before, after } = changeWords(change, nowMs)
        return (
          <li key={what}>
            <Typography variant="caption" component="p" sx={{ color: 'text.secondary' }}>
              {what}
            </Typography>
            <Box sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: 2 }}>
              <span>{before}</span>
              <ArrowIcon aria-hidden="true" />
              <ScreenReaderText>passa a</ScreenReaderText>
              <strong>{after}</strong>
            </Box>
          </li>
        )
      })}
    </Box>
  )
}

const Preview = ({ id }: { id: string }) => {
  const { data, error } = useQuery(webhookPreviewQuery(id))
  if (error) return <Notice kind="error">{sentenceOf(error, 'A prévia não pôde ser feita. Tente de novo.')}</Notice>
  return data ? <Changes {...data} /> : <Skeleton variant="rounded" sx={{ height: 'var(--field-height)' }} />
}

export const ReprocessDialog = ({ id, onClose }: { id: string; onClose: () => void }) => {
  const titleId = useId()
  const [reason, setReason] = useState('')
  const reprocess = useReprocess(id)
  return (
    <Dialog open onClose={onClose} maxWidth="sm" fullWidth aria-labelledby={titleId}>
      <DialogTitle id={titleId}>Reprocessar aviso</DialogTitle>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          if (!reprocess.isPending) reprocess.mutate(reason.trim(), { onSuccess: onClose })
        }}
      >
        <DialogContent sx={{ display: 'grid', gap: 5 }}>
          <Box sx={{ display: 'grid', gap: 3 }}>
            <Typography variant="subtitle2" component="h3">
              O que vai mudar
            </Typography>
            <Preview id={id} />
          </Box>
          <Field
            label="Motivo (opcional)"
            name="reason"
            help="Fica no histórico."
            maxLength={500}
            autoComplete="off"
            value={reason}
            onChange={setReason}
          />
        </DialogContent>
        <DialogActions>
          <Button color="inherit" onClick={onClose}>
            Cancelar
          </Button>
          <Button type="submit" variant="contained" disabled={reprocess.isPending}>
            Reprocessar
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}

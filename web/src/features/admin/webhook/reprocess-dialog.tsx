import Box from '@mui/material/Box'
import Skeleton from '@mui/material/Skeleton'
import Typography from '@mui/material/Typography'
import type { WebhookPreview } from '@prosa/contracts/http/accounts/webhook-logs'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import ArrowIcon from '~icons/ic/round-arrow-forward'
import { FormDialog } from '../../../components/form-dialog.tsx'
import { Notice } from '../../../components/notice.tsx'
import { ScreenReaderText } from '../../../components/screen-reader-text.tsx'
import { sentenceOf } from '../../../lib/http.ts'
import { useForm } from '../../../lib/use-form.ts'
import { ReasonField } from '../reason-field.tsx'
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
  const form = useForm(useState({ reason: '' }), {
    command: useReprocess(id),
    toInput: ({ reason }) => reason.trim(),
    onDone: onClose,
  })
  return (
    <FormDialog title="Reprocessar aviso" maxWidth="sm" form={form} submit="Reprocessar" onClose={onClose}>
      <Box sx={{ display: 'grid', gap: 3 }}>
        <Typography variant="subtitle2" component="h3">
          O que vai mudar
        </Typography>
        <Preview id={id} />
      </Box>
      <ReasonField label="Motivo (opcional)" {...form.bind('reason')} />
    </FormDialog>
  )
}

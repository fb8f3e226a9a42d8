import Box from '@mui/material/Box'
import { useState } from 'react'
import { ErasureWord, isErasureMeant } from '../../../components/forms/erasure-word.tsx'
import { Field } from '../../../components/forms/field.tsx'
import { FormDialog } from '../../../components/forms/form-dialog.tsx'
import { FormSummary } from '../../../components/forms/form-summary.tsx'
import { useForm } from '../../../lib/forms/use-form.ts'
import { refusalOr } from '../../../lib/http/http.ts'
import { ReasonField } from '../reason-field.tsx'
import { useEraseBuyer } from './api.ts'

/** For buyers without an account. */
export const EraseBuyerDialog = ({ onClose }: { onClose: () => void }) => {
  const command = useEraseBuyer()
  const form = useForm(useState({ email: '', reason: '', confirmation: '' }), {
    command,
    toInput: (values) => values,
    onDone: onClose,
  })
  const { email, reason, confirmation } = form.values
  return (
    <FormDialog
      title="Apagar um comprador"
      description={
        <Box component="span" sx={{ color: 'text.primary' }}>
          Para quem comprou, ou deixou um carrinho, e não tem conta. Nome, e-mail, CPF e o conteúdo dos avisos da Kiwify
          com este e-mail serão apagados para sempre, e os que chegarem depois também. Valores e datas das compras
          ficam. Na Kiwify nada muda.
        </Box>
      }
      form={form}
      submit="Apagar dados"
      submitting="Apagando..."
      destructive
      canSubmit={email.trim() !== '' && reason.trim() !== '' && isErasureMeant(confirmation)}
      onClose={onClose}
    >
      <Field label="E-mail do comprador" type="email" autoComplete="off" autoFocus {...form.bind('email')} />
      <ReasonField help="Fica no histórico. Não escreva nele quem é a pessoa." {...form.bind('reason')} />
      <ErasureWord value={confirmation} onChange={(confirmation) => form.set({ confirmation })} />
      <FormSummary
        sentence={
          command.error && !form.problem?.errors.length
            ? refusalOr(command.error, 'Nada foi apagado. Tente novamente.')
            : null
        }
      />
    </FormDialog>
  )
}

import LinearProgress from '@mui/material/LinearProgress'
import Typography from '@mui/material/Typography'
import { erasureReasonNames, erasureReasons } from '@prosa/contracts/values/erasure-reason'
import { useState } from 'react'
import { ErasureWord, isErasureMeant } from '../../components/forms/erasure-word.tsx'
import { FormDialog } from '../../components/forms/form-dialog.tsx'
import { FormSummary } from '../../components/forms/form-summary.tsx'
import { PasswordField } from '../../components/forms/password-field.tsx'
import { SelectField } from '../../components/forms/select-field.tsx'
import { useForm } from '../../lib/forms/use-form.ts'
import { useEraseAccount } from './api.ts'

const reasonOf = (chosen: string) => erasureReasons.find((each) => each === chosen)
const reasons = [
  { value: '', label: 'Escolha um motivo' },
  ...erasureReasons.map((value) => ({ value, label: erasureReasonNames[value] })),
]

/** Needs a reason and the password; cannot be closed while erasing. */
export const EraseAccountDialog = ({ email, onClose }: { email: string; onClose: () => void }) => {
  const form = useForm(useState({ chosen: '', password: '', typed: '' }), {
    command: useEraseAccount(),
    toInput: ({ chosen, password }) => ({ password, reason: reasonOf(chosen) ?? 'not_said' }),
    failed: 'A conta não foi excluída. Tente de novo.',
  })
  const { chosen, password, typed } = form.values
  return (
    <FormDialog
      title="Excluir sua conta?"
      form={form}
      submit="Excluir para sempre"
      submitting="Excluindo..."
      destructive
      canSubmit={password !== '' && reasonOf(chosen) !== undefined && isErasureMeant(typed)}
      canClose={!form.isPending}
      onClose={onClose}
    >
      <Typography>
        A conta de <strong>{email}</strong> e tudo o que há nela serão apagados agora e para sempre. Nem nós conseguimos
        trazê-los de volta.
      </Typography>
      <SelectField label="Por que você vai embora?" {...form.bind('chosen')} options={reasons} />
      <PasswordField
        label="Sua senha"
        autoComplete="current-password"
        help="Para sabermos que é você quem pede."
        {...form.bind('password')}
      />
      <ErasureWord value={typed} onChange={(typed) => form.set({ typed })} />
      <FormSummary sentence={form.problem?.errors.length ? null : form.summary} />
      {form.isPending && <LinearProgress color="error" aria-label="Excluindo a conta" />}
    </FormDialog>
  )
}

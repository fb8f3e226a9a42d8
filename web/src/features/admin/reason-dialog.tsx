import type { UseMutationResult } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { FormDialog } from '../../components/forms/form-dialog.tsx'
import { useForm } from '../../lib/forms/use-form.ts'
import { ReasonField } from './reason-field.tsx'

interface Props {
  title: string
  sentence: ReactNode
  confirm: string
  destructive?: boolean
  needsReason?: boolean
  /** For an optional reason. */
  field?: { label: string; help: string }
  command: UseMutationResult<unknown, Error, string, unknown>
  onClose: () => void
}

/** The focus starts on 'Cancelar', or on the reason if one is required. */
export const ReasonDialog = ({
  title,
  sentence,
  confirm,
  destructive = false,
  needsReason = false,
  field = { label: 'Motivo (opcional)', help: 'Fica no histórico.' },
  command,
  onClose,
}: Props) => {
  const form = useForm(useState({ reason: '' }), { command, toInput: ({ reason }) => reason, onDone: onClose })
  return (
    <FormDialog
      title={title}
      description={sentence}
      form={form}
      submit={confirm}
      destructive={destructive}
      startsOnCancel={!needsReason}
      canSubmit={!needsReason || form.values.reason.trim() !== ''}
      onClose={onClose}
    >
      <ReasonField {...(!needsReason && field)} autoFocus={needsReason} {...form.bind('reason')} />
    </FormDialog>
  )
}

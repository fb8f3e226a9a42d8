import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import { maximumSupportMessageLength, maximumSupportSubjectLength } from '@prosa/contracts/values/lengths'
import { supportPriorities, supportPriorityNames } from '@prosa/contracts/values/support'
import { useEffect, useRef, useState } from 'react'
import { useSearchParams } from 'react-router-dom'
import { Field } from '../../components/forms/field.tsx'
import { FormSummary } from '../../components/forms/form-summary.tsx'
import { SelectField } from '../../components/forms/select-field.tsx'
import { TextAreaField } from '../../components/forms/text-area-field.tsx'
import { Notice } from '../../components/notices/notice.tsx'
import { supportTextIn } from '../../lib/account/support-address.ts'
import { useForm } from '../../lib/forms/use-form.ts'
import { useSendSupportRequest } from './api.ts'
import { noDraft, type SupportDraft, useSupportDraft } from './support-draft.ts'

const priorities = supportPriorities.map((value) => ({ value, label: supportPriorityNames[value] }))

const count = (characters: number) => characters.toLocaleString('pt-BR')

/** Text that is too long is refused, not cut. */
const faultsOf = ({ subject, message }: SupportDraft): { subject?: string; message?: string } => {
  const [about, text] = [subject.trim().length, message.trim().length]
  return {
    ...(about === 0 && { subject: 'Escreva o assunto.' }),
    ...(about > maximumSupportSubjectLength && {
      subject: `O assunto pode ter no máximo ${maximumSupportSubjectLength} caracteres, e este tem ${count(about)}.`,
    }),
    ...(text === 0 && { message: 'Escreva a mensagem.' }),
    ...(text > maximumSupportMessageLength && {
      message: `A mensagem pode ter no máximo ${count(maximumSupportMessageLength)} caracteres, e esta tem ${count(text)}.`,
    }),
  }
}

const isPriority = (value: string) => supportPriorities.find((each) => each === value)

/** The draft stays until the server has stored the message. */
export const SupportForm = () => {
  const command = useSendSupportRequest()
  const form = useForm(useSupportDraft(), {
    command,
    toInput: (draft) => draft,
    check: faultsOf,
    failed: 'A mensagem não foi enviada. Ela continua aqui; tente de novo em instantes.',
    onDone: () => form.setValues(noDraft),
  })
  const isEmpty = form.values.subject === '' && form.values.message === ''
  const button = useRef<HTMLButtonElement>(null)
  // Filled in by the link that led here: what is left to do is in view.
  const [isFilledIn] = useState(supportTextIn(useSearchParams()[0]) !== null)
  useEffect(() => {
    if (isFilledIn) button.current?.focus()
  }, [isFilledIn])

  return (
    <Box component="form" noValidate onSubmit={form.submit} sx={{ display: 'grid', gap: 4, minWidth: 0 }}>
      <Field label="Assunto" autoComplete="off" readOnly={form.isPending} {...form.bind('subject')} />
      <TextAreaField
        label="Mensagem"
        rows={6}
        readOnly={form.isPending}
        help="Diga o que você queria fazer e o que apareceu na tela."
        {...form.bind('message')}
      />
      <SelectField
        label="Prioridade"
        value={form.values.priority}
        onChange={(value) => form.set({ priority: isPriority(value) ?? 'medium' })}
        options={priorities}
      />
      {command.isSuccess && isEmpty && (
        <Notice kind="success">Mensagem enviada com sucesso! Responderemos em breve.</Notice>
      )}
      <FormSummary sentence={form.summary} />
      <Button ref={button} type="submit" variant="contained" disabled={form.isPending} sx={{ justifySelf: 'start' }}>
        {form.isPending ? 'Enviando...' : 'Enviar mensagem'}
      </Button>
    </Box>
  )
}

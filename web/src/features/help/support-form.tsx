import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import { maximumSupportMessageLength, maximumSupportSubjectLength } from '@prosa/contracts/values/lengths'
import { supportPriorities, supportPriorityNames } from '@prosa/contracts/values/support'
import { type SubmitEvent, useRef, useState } from 'react'
import { Field } from '../../components/field.tsx'
import { FormSummary } from '../../components/form-summary.tsx'
import { Notice } from '../../components/notice.tsx'
import { SelectField } from '../../components/select-field.tsx'
import { TextAreaField } from '../../components/text-area-field.tsx'
import { focusFirstRefused } from '../../lib/focus-first-refused.ts'
import { ApiProblem, sentenceOf } from '../../lib/http.ts'
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
  const [draft, setDraft] = useSupportDraft()
  const [tried, setTried] = useState(false)
  const send = useSendSupportRequest()
  const form = useRef<HTMLFormElement>(null)
  const faults = tried ? faultsOf(draft) : {}
  const problem = send.error instanceof ApiProblem ? send.error : null

  const write = (change: Partial<SupportDraft>) => {
    setDraft({ ...draft, ...change })
    if (!send.isPending) send.reset()
  }
  const focusFault = () => form.current && focusFirstRefused(form.current)

  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (send.isPending) return
    setTried(true)
    if (Object.keys(faultsOf(draft)).length > 0) {
      send.reset()
      return focusFault()
    }
    send.mutate(draft, {
      onSuccess: () => {
        setDraft(noDraft)
        setTried(false)
      },
      onError: focusFault,
    })
  }

  return (
    <Box component="form" ref={form} noValidate onSubmit={submit} sx={{ display: 'grid', gap: 4, minWidth: 0 }}>
      <Field
        label="Assunto"
        name="subject"
        autoComplete="off"
        readOnly={send.isPending}
        value={draft.subject}
        onChange={(subject) => write({ subject })}
        error={faults.subject ?? problem?.errorOf('subject')}
      />
      <TextAreaField
        label="Mensagem"
        name="message"
        rows={6}
        readOnly={send.isPending}
        help="Diga o que você queria fazer e o que apareceu na tela."
        value={draft.message}
        onChange={(message) => write({ message })}
        error={faults.message ?? problem?.errorOf('message')}
      />
      <SelectField
        label="Prioridade"
        value={draft.priority}
        onChange={(value) => write({ priority: isPriority(value) ?? 'medium' })}
        options={priorities}
      />
      {send.isSuccess && <Notice kind="success">Mensagem enviada com sucesso! Responderemos em breve.</Notice>}
      <FormSummary
        sentence={
          send.isError
            ? sentenceOf(send.error, 'A mensagem não foi enviada. Ela continua aqui; tente de novo em instantes.')
            : null
        }
      />
      <Button type="submit" variant="contained" disabled={send.isPending} sx={{ justifySelf: 'start' }}>
        {send.isPending ? 'Enviando...' : 'Enviar mensagem'}
      </Button>
    </Box>
  )
}

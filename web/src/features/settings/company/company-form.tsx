import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import type { Company } from '@prosa/contracts/http/company'
import type { SubmitEvent } from 'react'
import { Field } from '../../../components/field.tsx'
import { FormSummary } from '../../../components/form-summary.tsx'
import { Panel } from '../../../components/panel.tsx'
import { focusFirstRefused } from '../../../lib/focus-first-refused.ts'
import { ApiProblem, sentenceOf } from '../../../lib/http.ts'
import { useFollowedDraft } from '../../../lib/use-followed-draft.ts'
import { type CompanyDraft, useDescribeCompany } from './api.ts'

const fields = [
  {
    name: 'name',
    label: 'Nome da empresa',
    autoComplete: 'organization',
    maxLength: 200,
    help: 'Aparece nos seus recibos, e nas respostas onde você escrever {empresa}.',
  },
  { name: 'email', label: 'E-mail', autoComplete: 'email', type: 'email', maxLength: 254 },
  { name: 'phone', label: 'Telefone', autoComplete: 'tel', type: 'tel', placeholder: '(11) 3333-4444', maxLength: 30 },
  {
    name: 'website',
    label: 'Site',
    autoComplete: 'url',
    inputMode: 'url',
    placeholder: 'www.padaria.com.br',
    maxLength: 200,
  },
  {
    name: 'address',
    label: 'Endereço',
    autoComplete: 'street-address',
    maxLength: 200,
    help: 'Aparece nos seus recibos.',
  },
] as const

const draftOf = ({ name, email, phone, website, address }: Company): CompanyDraft => ({
  name,
  email,
  phone,
  website,
  address,
})

export const CompanyForm = ({ company }: { company: Company }) => {
  const [draft, setDraft] = useFollowedDraft(draftOf(company))
  const save = useDescribeCompany()
  const problem = save.error instanceof ApiProblem ? save.error : null
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    const element = event.currentTarget
    save.mutate(draft, {
      onSuccess: (saved) => setDraft(draftOf(saved)),
      onError: () => focusFirstRefused(element),
    })
  }
  return (
    <Panel>
      <Box
        component="form"
        noValidate
        onSubmit={submit}
        sx={{ display: 'grid', gap: 4, p: 4, maxWidth: 'calc(var(--form-width) + 32px)' }}
      >
        {fields.map(({ name, ...field }) => (
          <Field
            key={name}
            {...field}
            name={name}
            value={draft[name]}
            onChange={(value) => setDraft((known) => ({ ...known, [name]: value }))}
            error={problem?.errorOf(name)}
          />
        ))}
        <FormSummary sentence={save.isError ? sentenceOf(save.error, 'Falha ao salvar os dados da empresa') : null} />
        <Button type="submit" variant="contained" disabled={save.isPending} sx={{ justifySelf: 'start' }}>
          {save.isPending ? 'Salvando...' : 'Salvar dados'}
        </Button>
      </Box>
    </Panel>
  )
}

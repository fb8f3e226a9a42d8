import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import type { Company } from '@prosa/contracts/http/accounts/company'
import { Field } from '../../../components/forms/field.tsx'
import { FormSummary } from '../../../components/forms/form-summary.tsx'
import { Panel } from '../../../components/layout/panel.tsx'
import { type CompanyDraft, useDescribeCompany } from '../../../lib/account/company.ts'
import { useFollowedDraft } from '../../../lib/forms/use-followed-draft.ts'
import { useForm } from '../../../lib/forms/use-form.ts'

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
  const form = useForm(useFollowedDraft(draftOf(company)), {
    command: useDescribeCompany(),
    toInput: (draft) => draft,
    failed: 'Falha ao salvar os dados da empresa',
    onDone: (saved) => form.setValues(draftOf(saved)),
  })
  return (
    <Panel>
      <Box
        component="form"
        noValidate
        onSubmit={form.submit}
        sx={{ display: 'grid', gap: 4, p: 4, maxWidth: 'calc(var(--form-width) + 32px)' }}
      >
        {fields.map(({ name, ...field }) => (
          <Field key={name} {...field} {...form.bind(name)} />
        ))}
        <FormSummary sentence={form.summary} />
        <Button type="submit" variant="contained" disabled={form.isPending} sx={{ justifySelf: 'start' }}>
          {form.isPending ? 'Salvando...' : 'Salvar dados'}
        </Button>
      </Box>
    </Panel>
  )
}

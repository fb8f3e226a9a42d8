import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import { namesCompany } from '@prosa/contracts/flows/flow-texts'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { companyQuery, useDescribeCompany } from '../lib/account/company.ts'
import { useCurrentUser } from '../lib/account/current-user.ts'
import { sentenceOf } from '../lib/http/http.ts'
import { Field } from './forms/field.tsx'

const MissingName = ({ onSaved }: { onSaved?: (() => void) | undefined }) => {
  const company = useQuery(companyQuery)
  const describe = useDescribeCompany()
  const [name, setName] = useState('')
  const wanted = name.trim()
  const save = () => {
    if (!company.data || wanted === '') return
    const { name: _, notifications: _notifications, analytics: _analytics, ...others } = company.data
    describe.mutate({ ...others, name: wanted }, { onSuccess: () => onSaved?.() })
  }
  return (
    <Box sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'end', gap: 2 }}>
      <Box sx={{ flex: '1 1 12rem' }}>
        <Field
          label="Nome da empresa"
          autoComplete="organization"
          maxLength={200}
          value={name}
          onChange={setName}
          // The form around it must not be sent.
          onKeyDown={(event) => {
            if (event.key !== 'Enter') return
            event.preventDefault()
            save()
          }}
          error={
            describe.error
              ? sentenceOf(describe.error, 'O nome não pôde ser salvo agora.')
              : 'O texto usa {empresa}, e o nome da empresa está vazio.'
          }
        />
      </Box>
      <Button variant="outlined" disabled={wanted === '' || !company.data || describe.isPending} onClick={save}>
        {describe.isPending ? 'Salvando...' : 'Salvar nome'}
      </Button>
    </Box>
  )
}

/** Beside a text: the field to fill where `{empresa}` would be empty. */
export const CompanyNameField = ({ text, onSaved }: { text: string; onSaved?: () => void }) => {
  const user = useCurrentUser()
  const isMissing = user !== undefined && (user.company.name ?? '') === '' && namesCompany(text)
  return isMissing ? <MissingName onSaved={onSaved} /> : null
}

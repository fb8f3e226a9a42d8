import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import IconButton from '@mui/material/IconButton'
import Typography from '@mui/material/Typography'
import type { ContactField } from '@prosa/contracts/http/contact-details'
import { shownAnswer } from '@prosa/contracts/values/answers/read-answer'
import { maximumFieldValueLength } from '@prosa/contracts/values/lengths'
import { useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import AddIcon from '~icons/ic/round-add'
import EditIcon from '~icons/ic/round-edit'
import { NewContactFieldDialog } from '../../../components/contact-fields/contact-field-dialog.tsx'
import { Field } from '../../../components/forms/field.tsx'
import { KeyHint } from '../../../components/key-hint.tsx'
import { WhyButton } from '../../../components/why/why-button.tsx'
import { contactFieldsQuery } from '../../../lib/account/contact-fields.ts'
import { useForm } from '../../../lib/forms/use-form.ts'
import { sentenceOf } from '../../../lib/http/http.ts'
import { fieldValuesQuery } from '../api.ts'
import { useSetContactField } from './api.ts'

interface RowProps {
  contactId: string
  field: ContactField
  /** As stored; undefined: empty. */
  value: string | undefined
}

const ValueForm = ({ contactId, field, value, onClose }: RowProps & { onClose: () => void }) => {
  const form = useForm(useState({ value: value === undefined ? '' : shownAnswer(field.type, value) }), {
    command: useSetContactField(contactId, field.id),
    toInput: (values) => values.value.trim(),
    fieldOf: () => 'value',
    onDone: onClose,
  })
  return (
    <Box
      component="form"
      onSubmit={form.submit}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return
        event.stopPropagation()
        event.preventDefault()
        onClose()
      }}
      sx={{ mb: 3, display: 'grid', gap: 2 }}
    >
      <Field
        label={field.name}
        help="Em branco, o campo fica vazio."
        maxLength={maximumFieldValueLength}
        autoFocus
        autoComplete="off"
        {...form.bind('value')}
      />
      <Box sx={{ display: 'flex', gap: 2 }}>
        <Button type="submit" variant="contained" disabled={form.isPending}>
          {form.isPending ? 'Salvando...' : 'Salvar'}
        </Button>
        <Button color="inherit" onClick={onClose}>
          Cancelar
        </Button>
      </Box>
    </Box>
  )
}

const Row = (props: RowProps) => {
  const { contactId, field, value } = props
  const [isOpen, setOpen] = useState(false)
  const edit = useRef<HTMLButtonElement>(null)
  if (isOpen)
    return (
      <ValueForm
        {...props}
        onClose={() => {
          setOpen(false)
          requestAnimationFrame(() => edit.current?.focus())
        }}
      />
    )
  return (
    <Box sx={{ display: 'flex', alignItems: 'center', gap: 1, mb: 2 }}>
      <Box sx={{ flex: 1, minWidth: 0, overflowWrap: 'anywhere' }}>
        <Typography variant="caption" component="p" sx={{ color: 'text.secondary' }}>
          {field.name}
        </Typography>
        <Typography dir="auto">{value === undefined ? 'Vazio' : shownAnswer(field.type, value)}</Typography>
      </Box>
      {value !== undefined && (
        <WhyButton of={{ kind: 'contact', id: contactId, field: 'field', part: field.id }} what={field.name} />
      )}
      <KeyHint title="Mudar">
        <IconButton ref={edit} aria-label={`Mudar ${field.name}`} color="secondary" onClick={() => setOpen(true)}>
          <EditIcon />
        </IconButton>
      </KeyHint>
    </Box>
  )
}

export const ContactFields = ({ contactId }: { contactId: string }) => {
  const fields = useQuery(contactFieldsQuery)
  const values = useQuery(fieldValuesQuery(contactId))
  const [isCreating, setCreating] = useState(false)
  const failed = fields.isLoadingError ? fields : values.isLoadingError ? values : null
  return (
    <Box component="section" aria-label="Campos" sx={{ mb: 4 }}>
      <Typography variant="h3" sx={{ mb: 2 }}>
        Campos
      </Typography>
      {failed && (
        <Box role="alert">
          <Typography sx={{ mb: 1 }}>{sentenceOf(failed.error, 'Os campos não puderam ser carregados.')}</Typography>
          <Button size="small" variant="outlined" onClick={() => void failed.refetch()}>
            Tentar de novo
          </Button>
        </Box>
      )}
      {values.data &&
        fields.data?.map((field) => (
          <Row
            key={field.id}
            contactId={contactId}
            field={field}
            value={values.data.find(({ fieldId }) => fieldId === field.id)?.value}
          />
        ))}
      <Button variant="outlined" startIcon={<AddIcon />} onClick={() => setCreating(true)}>
        Novo campo
      </Button>
      {isCreating && <NewContactFieldDialog onClose={() => setCreating(false)} />}
    </Box>
  )
}

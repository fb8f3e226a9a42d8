import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import IconButton from '@mui/material/IconButton'
import OutlinedInput from '@mui/material/OutlinedInput'
import Typography from '@mui/material/Typography'
import type { Contact } from '@prosa/contracts/http/live-chat'
import { maximumNameLength } from '@prosa/contracts/values/lengths'
import { type SetStateAction, useId, useRef } from 'react'
import EditIcon from '~icons/ic/round-edit'
import { KeyHint } from '../../../components/key-hint.tsx'
import { PersonAvatar } from '../../../components/person-avatar.tsx'
import { useForm } from '../../../lib/forms/use-form.ts'
import { call } from '../../../lib/http/call.ts'
import { refusalOr } from '../../../lib/http/http.ts'
import { useCommand } from '../../../lib/http/use-command.ts'
import { keys } from '../api.ts'
import { contactName } from '../contact-name.ts'
import { useDetailsDraft } from './use-details-draft.ts'

/** A blank name restores the person's own. */
const useRenameContact = (contactId: string) =>
  useCommand({
    run: (name: string) => call('PUT /api/whatsapp/contacts/:id/name', { params: { id: contactId }, body: { name } }),
    apply: (queries) =>
      Promise.all([keys.contact(contactId), keys.lists].map((queryKey) => queries.invalidateQueries({ queryKey }))),
  })

interface FormProps {
  contactId: string
  name: string
  onName: (name: string) => void
  onClose: () => void
}

const Form = ({ contactId, name, onName, onClose }: FormProps) => {
  const id = useId()
  const renaming = useRenameContact(contactId)
  const values = { name }
  const setValues = (change: SetStateAction<typeof values>) =>
    onName((typeof change === 'function' ? change(values) : change).name)
  const form = useForm([values, setValues], {
    command: renaming,
    toInput: ({ name }) => name.trim(),
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
      sx={{ mb: 4 }}
    >
      <Typography component="label" htmlFor={id} variant="subtitle2" sx={{ display: 'block', pb: 1 }}>
        Nome do contato
      </Typography>
      <OutlinedInput
        id={id}
        fullWidth
        autoFocus
        autoComplete="off"
        value={form.values.name}
        onChange={(event) => form.set({ name: event.target.value })}
        slotProps={{ input: { maxLength: maximumNameLength, 'aria-describedby': `${id}h` } }}
      />
      <Typography
        id={`${id}h`}
        variant="caption"
        component="p"
        role={renaming.error ? 'alert' : undefined}
        sx={{ mt: 1, color: renaming.error ? 'danger' : 'text.secondary' }}
      >
        {renaming.error
          ? refusalOr(renaming.error, 'O nome não foi salvo. Tente de novo.')
          : 'Só a sua empresa vê. Em branco, volta o nome que a pessoa usa no WhatsApp.'}
      </Typography>
      <Box sx={{ display: 'flex', gap: 2, mt: 2 }}>
        <Button type="submit" variant="contained" disabled={renaming.isPending}>
          {renaming.isPending ? 'Salvando...' : 'Salvar nome'}
        </Button>
        <Button color="inherit" onClick={onClose}>
          Cancelar
        </Button>
      </Box>
    </Box>
  )
}

export const ContactNameForm = ({ contact }: { contact: Contact }) => {
  const [draft, setDraft] = useDetailsDraft(contact.id, 'name')
  const edit = useRef<HTMLButtonElement>(null)
  if (draft !== undefined)
    return (
      <Form
        contactId={contact.id}
        name={draft}
        onName={setDraft}
        onClose={() => {
          setDraft(undefined)
          requestAnimationFrame(() => edit.current?.focus())
        }}
      />
    )
  const { whatsappName } = contact
  return (
    <Box sx={{ display: 'flex', alignItems: 'center', gap: 3, mb: 4 }}>
      <PersonAvatar name={contact.name} phone={contact.phone} />
      <Box sx={{ flex: 1, minWidth: 0 }}>
        <Typography variant="subtitle1" component="p" sx={{ overflowWrap: 'anywhere' }}>
          {contactName(contact)}
        </Typography>
        {whatsappName && whatsappName !== contact.name && (
          <Typography variant="caption" component="p" sx={{ color: 'text.secondary', overflowWrap: 'anywhere' }}>
            No WhatsApp: {whatsappName}
          </Typography>
        )}
      </Box>
      <KeyHint title="Mudar o nome">
        <IconButton ref={edit} aria-label="Mudar o nome" color="secondary" onClick={() => setDraft(contact.name ?? '')}>
          <EditIcon />
        </IconButton>
      </KeyHint>
    </Box>
  )
}

import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import IconButton from '@mui/material/IconButton'
import OutlinedInput from '@mui/material/OutlinedInput'
import Typography from '@mui/material/Typography'
import type { ContactNote } from '@prosa/contracts/http/contact-details'
import { maximumNoteLength } from '@prosa/contracts/values/lengths'
import { useQuery } from '@tanstack/react-query'
import { type SetStateAction, useId, useState } from 'react'
import DeleteIcon from '~icons/ic/round-delete-outline'
import { ConfirmDialog } from '../../../components/forms/confirm-dialog.tsx'
import { KeyHint } from '../../../components/key-hint.tsx'
import { dayAndTime } from '../../../lib/format/format.ts'
import { useForm } from '../../../lib/forms/use-form.ts'
import { refusalOr, sentenceOf } from '../../../lib/http/http.ts'
import { useNow } from '../use-now.ts'
import { notesQuery, useRemoveNote, useWriteNote } from './api.ts'
import { useDetailsDraft } from './use-details-draft.ts'

const Note = ({ note, now, onRemove }: { note: ContactNote; now: number; onRemove: () => void }) => (
  <Box
    component="li"
    sx={{ display: 'flex', alignItems: 'flex-start', gap: 1, py: 2, borderTop: '1px solid', borderColor: 'divider' }}
  >
    <Box sx={{ flex: 1, minWidth: 0 }}>
      <Typography dir="auto" sx={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
        {note.text}
      </Typography>
      <Typography variant="caption" component="p" sx={{ color: 'text.secondary', mt: 1 }}>
        {note.author && `${note.author} · `}
        <time dateTime={note.writtenAt}>{dayAndTime(note.writtenAt, now)}</time>
      </Typography>
    </Box>
    <KeyHint title="Apagar nota">
      <IconButton aria-label="Apagar nota" color="secondary" size="small" onClick={onRemove}>
        <DeleteIcon />
      </IconButton>
    </KeyHint>
  </Box>
)

const NewNote = ({ contactId }: { contactId: string }) => {
  const id = useId()
  const [text = '', setText] = useDetailsDraft(contactId, 'note')
  const writing = useWriteNote(contactId, () => setText(undefined))
  const values = { text }
  const setValues = (change: SetStateAction<typeof values>) =>
    setText((typeof change === 'function' ? change(values) : change).text)
  const form = useForm([values, setValues], {
    command: writing,
    toInput: ({ text }) => text.trim(),
  })
  return (
    <Box component="form" onSubmit={form.submit} sx={{ mb: 2 }}>
      <Typography component="label" htmlFor={id} variant="subtitle2" sx={{ display: 'block', pb: 1 }}>
        Nova nota
      </Typography>
      <OutlinedInput
        id={id}
        fullWidth
        multiline
        minRows={2}
        maxRows={8}
        value={text}
        onChange={(event) => form.set({ text: event.target.value })}
        slotProps={{ input: { maxLength: maximumNoteLength, 'aria-describedby': `${id}h` } }}
      />
      <Typography
        id={`${id}h`}
        variant="caption"
        component="p"
        role={writing.error ? 'alert' : undefined}
        sx={{ mt: 1, color: writing.error ? 'danger' : 'text.secondary' }}
      >
        {writing.error
          ? refusalOr(writing.error, 'A nota não foi salva. Tente de novo.')
          : 'Só a sua empresa vê. Nada é enviado ao contato.'}
      </Typography>
      <Button type="submit" variant="outlined" disabled={writing.isPending || text.trim() === ''} sx={{ mt: 2 }}>
        {writing.isPending ? 'Salvando...' : 'Salvar nota'}
      </Button>
    </Box>
  )
}

export const ContactNotes = ({ contactId }: { contactId: string }) => {
  const now = useNow(60_000)
  const notes = useQuery(notesQuery(contactId))
  const [leaving, setLeaving] = useState<ContactNote | null>(null)
  const removing = useRemoveNote(contactId)
  return (
    <Box component="section" aria-label="Notas" sx={{ mb: 4 }}>
      <Typography variant="h3" sx={{ mb: 2 }}>
        Notas
      </Typography>
      <NewNote contactId={contactId} />
      {notes.isLoadingError && (
        <Box role="alert">
          <Typography sx={{ mb: 1 }}>{sentenceOf(notes.error, 'As notas não puderam ser carregadas.')}</Typography>
          <Button size="small" variant="outlined" onClick={() => void notes.refetch()}>
            Tentar de novo
          </Button>
        </Box>
      )}
      {notes.data && notes.data.length > 0 && (
        <Box component="ul" aria-label="Notas escritas" sx={{ m: 0, p: 0, listStyle: 'none' }}>
          {notes.data.map((note) => (
            <Note key={note.id} note={note} now={now} onRemove={() => setLeaving(note)} />
          ))}
        </Box>
      )}
      <ConfirmDialog
        open={leaving !== null}
        title="Apagar nota"
        sentence="A nota é apagada para toda a sua empresa."
        confirm="Apagar"
        destructive
        pending={removing.isPending}
        onConfirm={() => leaving && removing.mutate(leaving.id, { onSettled: () => setLeaving(null) })}
        onCancel={() => setLeaving(null)}
      />
    </Box>
  )
}

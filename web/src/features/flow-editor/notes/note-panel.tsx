import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import type { FlowNote } from '@prosa/contracts/flows/flow-document'
import { maximumNoteLength } from '@prosa/contracts/flows/flow-limits'
import type { Dispatch } from 'react'
import { TextAreaField } from '../../../components/forms/text-area-field.tsx'
import { count } from '../../../lib/format/format.ts'
import { SidePanel } from '../side-panel.tsx'
import type { FlowEdit } from '../state/flow-edits.ts'

interface Props {
  note: FlowNote
  edit: Dispatch<FlowEdit>
  takesFocus: boolean
  onClose: () => void
}

export const NotePanel = ({ note, edit, takesFocus, onClose }: Props) => (
  <SidePanel title="Propriedades" subtitle="Nota" takesFocusFor={takesFocus ? note.id : null} onClose={onClose}>
    <Box
      sx={{ display: 'grid', gap: 4, flex: 1, alignContent: 'start', minHeight: 0, overflowY: 'auto', px: 4, pb: 4 }}
    >
      <TextAreaField
        label="Texto da nota"
        rows={8}
        maxLength={maximumNoteLength}
        value={note.text}
        help={`Fica no desenho, para quem cuida do fluxo. Nunca é enviada. ${count(note.text.length)}/${count(maximumNoteLength)}`}
        onChange={(text) => edit({ type: 'change_note', noteId: note.id, text, atMs: Date.now() })}
      />
      <Button
        color="error"
        variant="outlined"
        onClick={() => edit({ type: 'delete', nodeIds: [note.id], linkIds: [] })}
        sx={{ justifySelf: 'start' }}
      >
        Excluir nota
      </Button>
    </Box>
  </SidePanel>
)

import Box from '@mui/material/Box'
import Checkbox from '@mui/material/Checkbox'
import Typography from '@mui/material/Typography'
import type { FlowDocument } from '@prosa/contracts/flows/flow-document'
import type { Dispatch } from 'react'
import { RowMenu } from '../../../components/tables/row-menu.tsx'
import type { FlowEdit } from '../state/flow-edits.ts'
import { notesOf } from './flow-notes.ts'

interface Props {
  document: FlowDocument
  selected: readonly string[]
  edit: Dispatch<FlowEdit>
  onOpen: (noteId: string) => void
  onCopy: (noteId: string) => void
  /** Before a note is gone. */
  onDelete: () => void
}

/** Below the list of steps. */
export const NoteList = ({ document, selected, edit, onOpen, onCopy, onDelete }: Props) => {
  const notes = notesOf(document)
  if (notes.length === 0) return null
  return (
    <Box component="section" aria-labelledby="flow-notes" sx={{ maxWidth: 'var(--history-width)', mx: 'auto', pt: 4 }}>
      <Typography id="flow-notes" variant="h3" component="h2" sx={{ px: 4 }}>
        Notas
      </Typography>
      <Box component="ul" sx={{ m: 0, p: 0 }}>
        {notes.map((note, at) => {
          const name = `Nota ${at + 1}`
          const isSelected = selected.includes(note.id)
          return (
            <Box
              component="li"
              key={note.id}
              sx={{
                display: 'flex',
                alignItems: 'flex-start',
                gap: 1,
                py: 2,
                borderBottom: '1px solid',
                borderColor: 'divider',
                bgcolor: isSelected ? 'primarySoft' : undefined,
              }}
            >
              <Checkbox
                checked={isSelected}
                onChange={(_, checked) =>
                  edit({ type: 'choose', nodes: [{ id: note.id, selected: checked }], links: [] })
                }
                slotProps={{ input: { 'aria-label': `Selecionar ${name}` } }}
              />
              <Box
                component="button"
                type="button"
                data-step={note.id}
                onClick={() => onOpen(note.id)}
                sx={{
                  flex: 1,
                  minWidth: 0,
                  px: 2,
                  py: 2,
                  border: 0,
                  bgcolor: 'transparent',
                  color: 'inherit',
                  font: 'inherit',
                  textAlign: 'left',
                  cursor: 'pointer',
                  overflowWrap: 'anywhere',
                  whiteSpace: 'pre-line',
                }}
              >
                <Box component="span" sx={{ display: 'block', fontWeight: 500 }}>
                  {name}
                </Box>
                {note.text.trim() === '' ? 'Sem texto' : note.text}
              </Box>
              <RowMenu
                name={name}
                actions={[
                  { label: 'Propriedades', onPress: () => onOpen(note.id) },
                  { label: 'Copiar', onPress: () => onCopy(note.id) },
                  {
                    label: 'Excluir',
                    destructive: true,
                    onPress: () => {
                      onDelete()
                      edit({ type: 'delete', nodeIds: [note.id], linkIds: [] })
                    },
                  },
                ]}
              />
            </Box>
          )
        })}
      </Box>
    </Box>
  )
}

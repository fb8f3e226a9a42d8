import Box from '@mui/material/Box'
import IconButton from '@mui/material/IconButton'
import Typography from '@mui/material/Typography'
import { type ReactNode, useState } from 'react'
import DeleteIcon from '~icons/ic/round-delete-outline'
import EditIcon from '~icons/ic/round-edit'
import { ConfirmDialog } from '../../components/forms/confirm-dialog.tsx'
import { KeyHint } from '../../components/key-hint.tsx'
import { Panel } from '../../components/layout/panel.tsx'

interface Named {
  id: string
  name: string
}

interface Props<T extends Named> {
  name: string
  /** How many there are, and what they are for. */
  summary: ReactNode
  rows: readonly T[]
  children: (row: T) => ReactNode
  edit: { title: string; labelOf: (name: string) => string; onEdit: (row: T) => void }
  remove: { isPending: boolean; mutate: (id: string, options: { onSettled: () => void }) => void }
  /** What a removal takes along. */
  removalSentence: string
}

/** A list of what an account names: each is edited, and removed after a question. */
export const RemovableRows = <T extends Named>({
  name,
  summary,
  rows,
  children,
  edit,
  remove,
  removalSentence,
}: Props<T>) => {
  const [asked, setAsked] = useState<T | null>(null)
  return (
    <>
      <Typography sx={{ color: 'text.secondary' }}>{summary}</Typography>
      <Panel>
        <Box component="ul" aria-label={name} sx={{ m: 0, p: 0, listStyle: 'none' }}>
          {rows.map((row) => (
            <Box
              component="li"
              key={row.id}
              sx={{
                ...{ display: 'flex', alignItems: 'center', gap: 1, px: 4, py: 2 },
                '& + &': { borderTop: '1px solid', borderColor: 'divider' },
              }}
            >
              {children(row)}
              <KeyHint title={edit.title}>
                <IconButton aria-label={edit.labelOf(row.name)} color="secondary" onClick={() => edit.onEdit(row)}>
                  <EditIcon />
                </IconButton>
              </KeyHint>
              <KeyHint title="Excluir">
                <IconButton aria-label={`Excluir ${row.name}`} onClick={() => setAsked(row)} sx={{ color: 'danger' }}>
                  <DeleteIcon />
                </IconButton>
              </KeyHint>
            </Box>
          ))}
        </Box>
      </Panel>
      {asked && (
        <ConfirmDialog
          open
          title={`Excluir ${asked.name}`}
          sentence={removalSentence}
          confirm="Excluir"
          destructive
          pending={remove.isPending}
          onConfirm={() => remove.mutate(asked.id, { onSettled: () => setAsked(null) })}
          onCancel={() => setAsked(null)}
        />
      )}
    </>
  )
}

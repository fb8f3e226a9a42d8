import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import IconButton from '@mui/material/IconButton'
import Skeleton from '@mui/material/Skeleton'
import Typography from '@mui/material/Typography'
import type { Label } from '@prosa/contracts/http/labels'
import { type LabelColour, labelColours } from '@prosa/contracts/values/label-colour'
import { maximumLabels } from '@prosa/contracts/values/lengths'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import AddIcon from '~icons/ic/round-add'
import DeleteIcon from '~icons/ic/round-delete-outline'
import EditIcon from '~icons/ic/round-edit'
import LabelIcon from '~icons/ic/round-label'
import { ConfirmDialog } from '../../../components/forms/confirm-dialog.tsx'
import { OwnHistoryIconButton } from '../../../components/history/own/use-own-history.tsx'
import { KeyHint } from '../../../components/key-hint.tsx'
import { LabelChip } from '../../../components/label-chip.tsx'
import { EmptyState } from '../../../components/layout/empty-state.tsx'
import { Panel } from '../../../components/layout/panel.tsx'
import { NotReadPanel } from '../../../components/notices/not-read-panel.tsx'
import { labelsQuery } from '../../../lib/account/labels.ts'
import { plural } from '../../../lib/format/format.ts'
import { SettingsBlock } from '../settings-block.tsx'
import { useDeleteLabel } from './api.ts'
import { LabelDialog } from './label-dialog.tsx'

/** The least used colour; the first of several. */
const rarestColour = (labels: readonly Label[]): LabelColour => {
  const count = (colour: LabelColour) => labels.filter((label) => label.colour === colour).length
  // Grey means no colour.
  const [, first, ...others] = labelColours
  return others.reduce<LabelColour>((rarest, colour) => (count(colour) < count(rarest) ? colour : rarest), first)
}

const Row = ({ label, onEdit, onDelete }: { label: Label; onEdit: () => void; onDelete: () => void }) => (
  <Box
    component="li"
    sx={{
      display: 'flex',
      alignItems: 'center',
      gap: 1,
      px: 4,
      py: 2,
      '& + &': { borderTop: '1px solid', borderColor: 'divider' },
    }}
  >
    <Box sx={{ flex: 1, minWidth: 0, display: 'flex' }}>
      <LabelChip colour={label.colour}>{label.name}</LabelChip>
    </Box>
    <OwnHistoryIconButton
      name={label.name}
      target={{ title: `Etiqueta ${label.name}`, filters: { record: `label:${label.id}` } }}
    />
    <KeyHint title="Editar">
      <IconButton aria-label={`Editar ${label.name}`} color="secondary" onClick={onEdit}>
        <EditIcon />
      </IconButton>
    </KeyHint>
    <KeyHint title="Excluir">
      <IconButton aria-label={`Excluir ${label.name}`} onClick={onDelete} sx={{ color: 'danger' }}>
        <DeleteIcon />
      </IconButton>
    </KeyHint>
  </Box>
)

type Shown = { label?: Label } | null

const LabelRows = ({ labels, onEdit }: { labels: Label[]; onEdit: (label: Label) => void }) => {
  const [asked, setAsked] = useState<Label | null>(null)
  const remove = useDeleteLabel()
  return (
    <>
      <Typography sx={{ color: 'text.secondary' }}>
        {plural(labels.length, 'etiqueta', 'etiquetas')} de até {maximumLabels}. No bate-papo, a tecla L etiqueta uma
        conversa ou as que você selecionar.
      </Typography>
      <Panel>
        <Box component="ul" aria-label="Etiquetas" sx={{ m: 0, p: 0, listStyle: 'none' }}>
          {labels.map((label) => (
            <Row key={label.id} label={label} onEdit={() => onEdit(label)} onDelete={() => setAsked(label)} />
          ))}
        </Box>
      </Panel>
      {asked && (
        <ConfirmDialog
          open
          title={`Excluir ${asked.name}`}
          sentence="A etiqueta sai de todos os contatos. As conversas ficam como estão."
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

export const LabelsSection = () => {
  const { data: labels, error, isPending, refetch } = useQuery(labelsQuery)
  const [shown, setShown] = useState<Shown>(null)
  const add = (
    <Button variant="contained" startIcon={<AddIcon />} onClick={() => setShown({})}>
      Nova Etiqueta
    </Button>
  )
  return (
    <SettingsBlock title="Etiquetas" action={labels && labels.length > 0 && add}>
      {isPending ? (
        <Box role="status" aria-label="Carregando...">
          <Skeleton variant="rounded" sx={{ height: 'var(--card-height)' }} />
        </Box>
      ) : !labels ? (
        <NotReadPanel title="As etiquetas não puderam ser lidas" error={error} onRetry={() => void refetch()} />
      ) : labels.length === 0 ? (
        <Panel>
          <EmptyState
            icon={<LabelIcon />}
            title="Nenhuma etiqueta ainda"
            sentence="Separe as conversas por assunto ou por etapa, como “Orçamento” ou “Cliente fiel”."
            action={add}
          />
        </Panel>
      ) : (
        <LabelRows labels={labels} onEdit={(label) => setShown({ label })} />
      )}
      {shown && (
        <LabelDialog label={shown.label} firstColour={rarestColour(labels ?? [])} onClose={() => setShown(null)} />
      )}
    </SettingsBlock>
  )
}

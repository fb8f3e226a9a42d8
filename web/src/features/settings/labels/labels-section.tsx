import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Skeleton from '@mui/material/Skeleton'
import type { Label } from '@prosa/contracts/http/labels'
import { maximumLabels } from '@prosa/contracts/values/lengths'
import { useState } from 'react'
import AddIcon from '~icons/ic/round-add'
import LabelIcon from '~icons/ic/round-label'
import { OwnHistoryIconButton } from '../../../components/history/own/use-own-history.tsx'
import { LabelChip } from '../../../components/labels/label-chip.tsx'
import { LabelFormDialog } from '../../../components/labels/label-form-dialog.tsx'
import { EmptyState } from '../../../components/layout/empty-state.tsx'
import { Panel } from '../../../components/layout/panel.tsx'
import { NotReadPanel } from '../../../components/notices/not-read-panel.tsx'
import { useQueryThen } from '../../../components/past/moment-shown.tsx'
import { OwnWhyButton } from '../../../components/why/own-why.tsx'
import { labelsQuery } from '../../../lib/account/labels.ts'
import { rarestColour, useDeleteLabel } from '../../../lib/account/save-label.ts'
import { plural } from '../../../lib/format/format.ts'
import { call } from '../../../lib/http/call.ts'
import { RemovableRows } from '../removable-rows.tsx'
import { SettingsBlock } from '../settings-block.tsx'

type Shown = { label?: Label } | null

const LabelRows = ({ labels, onEdit }: { labels: Label[]; onEdit: (label: Label) => void }) => (
  <RemovableRows
    name="Etiquetas"
    summary={`${plural(labels.length, 'etiqueta', 'etiquetas')} de até ${maximumLabels}. No bate-papo, a tecla L etiqueta uma conversa ou as que você selecionar.`}
    rows={labels}
    edit={{ title: 'Editar', labelOf: (name) => `Editar ${name}`, onEdit }}
    remove={useDeleteLabel()}
    removalSentence="A etiqueta sai de todos os contatos. As conversas ficam como estão."
  >
    {({ id, name, colour }) => (
      <>
        <Box sx={{ flex: 1, minWidth: 0, display: 'flex', flexWrap: 'wrap', alignItems: 'center' }}>
          <LabelChip colour={colour}>{name}</LabelChip>
          <OwnWhyButton of={{ kind: 'label', field: 'name', part: id }} what={`Nome de ${name}`} />
          <OwnWhyButton of={{ kind: 'label', field: 'colour', part: id }} what={`Cor de ${name}`}>
            Cor
          </OwnWhyButton>
        </Box>
        <OwnHistoryIconButton name={name} target={{ title: `Etiqueta ${name}`, filters: { record: `label:${id}` } }} />
      </>
    )}
  </RemovableRows>
)

export const LabelsSection = () => {
  const {
    data: labels,
    error,
    isPending,
    refetch,
  } = useQueryThen(labelsQuery, (em, signal) => call('GET /api/labels', { query: { em }, signal }))
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
        <LabelFormDialog label={shown.label} firstColour={rarestColour(labels ?? [])} onClose={() => setShown(null)} />
      )}
    </SettingsBlock>
  )
}

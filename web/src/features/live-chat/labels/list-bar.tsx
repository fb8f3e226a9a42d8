import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import IconButton from '@mui/material/IconButton'
import Typography from '@mui/material/Typography'
import type { Contact } from '@prosa/contracts/http/live-chat'
import { useQuery } from '@tanstack/react-query'
import { useAtom, useSetAtom } from 'jotai'
import type { ReactNode } from 'react'
import CloseRounded from '~icons/ic/round-close'
import { KeyHint } from '../../../components/key-hint.tsx'
import { LabelChip } from '../../../components/labels/label-chip.tsx'
import { connectionsQuery, nameAndNumber } from '../../../lib/account/connections.ts'
import { labelsQuery } from '../../../lib/account/labels.ts'
import { plural } from '../../../lib/format/format.ts'
import { chosenAtom, labellingAtom } from '../atoms.ts'
import type { ListFilter } from '../list/list-filter.ts'
import { useListFilter } from '../list/use-list-filter.ts'

interface LineProps {
  name: string
  end: string
  keys?: readonly string[]
  onEnd: () => void
  children: ReactNode
}

const Line = ({ name, end, keys, onEnd, children }: LineProps) => (
  <Box
    role="group"
    aria-label={name}
    sx={{
      display: 'flex',
      alignItems: 'center',
      gap: 1,
      minHeight: 44,
      pl: 4,
      pr: 2,
      flexShrink: 0,
      bgcolor: 'primarySoft',
      borderBottom: '1px solid',
      borderColor: 'divider',
    }}
  >
    {children}
    <KeyHint title={end} {...(keys && { keys })}>
      <IconButton aria-label={end} color="secondary" size="small" onClick={onEnd}>
        <CloseRounded />
      </IconButton>
    </KeyHint>
  </Box>
)

const LabelFilter = ({ labelId }: { labelId: string }) => {
  const labels = useQuery(labelsQuery).data
  const [, filterBy] = useListFilter()
  const label = labels?.find(({ id }) => id === labelId)
  return (
    <Line name="Filtro" end="Tirar o filtro" onEnd={() => filterBy({ label: null })}>
      <Typography component="span">Só com</Typography>
      <Box sx={{ flex: 1, minWidth: 0, display: 'flex' }}>
        {label ? (
          <LabelChip colour={label.colour}>{label.name}</LabelChip>
        ) : (
          labels && <Typography component="span">uma etiqueta que foi excluída</Typography>
        )}
      </Box>
    </Line>
  )
}

const LineFilter = ({ connectionId }: { connectionId: string }) => {
  const { data: connections = [] } = useQuery(connectionsQuery)
  const [, filterBy] = useListFilter()
  const connection = connections.find(({ id }) => id === connectionId)
  return (
    <Line name="Filtro por número" end="Mostrar todos os números" onEnd={() => filterBy({ line: null })}>
      <Typography noWrap component="span" sx={{ flex: 1 }} title={connection && nameAndNumber(connection)}>
        {connection && `Só por ${nameAndNumber(connection)}`}
      </Typography>
    </Line>
  )
}

const Choosing = ({ contacts }: { contacts: Contact[] }) => {
  const [chosen, choose] = useAtom(chosenAtom)
  const setLabelling = useSetAtom(labellingAtom)
  const ids = contacts.map(({ id }) => id)
  const listed = ids.filter((id) => chosen?.has(id))
  return (
    <Line name="Seleção" end="Limpar seleção" keys={['Esc']} onEnd={() => choose(null)}>
      <Typography component="span" role="status" noWrap sx={{ flex: 1 }}>
        {plural(listed.length, 'selecionada', 'selecionadas')}
      </Typography>
      <Button
        size="small"
        disabled={listed.length === ids.length}
        onClick={() => choose(new Set(ids))}
        sx={{ minWidth: 0, px: 2 }}
      >
        Todas
      </Button>
      <KeyHint title="Etiquetar" keys={['L']}>
        <span>
          <Button size="small" variant="contained" disabled={listed.length === 0} onClick={() => setLabelling(listed)}>
            Etiquetar
          </Button>
        </span>
      </KeyHint>
    </Line>
  )
}

interface Props {
  filter: ListFilter
  contacts: Contact[]
}

export const ListBar = ({ filter: { label, line }, contacts }: Props) => {
  const [chosen] = useAtom(chosenAtom)
  return (
    <>
      {label !== null && <LabelFilter labelId={label} />}
      {line !== null && <LineFilter connectionId={line} />}
      {chosen !== null && <Choosing contacts={contacts} />}
    </>
  )
}

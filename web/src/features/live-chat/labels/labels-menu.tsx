import Divider from '@mui/material/Divider'
import ListItemIcon from '@mui/material/ListItemIcon'
import Menu from '@mui/material/Menu'
import MenuItem from '@mui/material/MenuItem'
import Typography from '@mui/material/Typography'
import { useQuery } from '@tanstack/react-query'
import { useSetAtom } from 'jotai'
import { Link } from 'react-router-dom'
import CheckBoxIcon from '~icons/ic/round-check-box'
import RadioCheckedIcon from '~icons/ic/round-radio-button-checked'
import RadioUncheckedIcon from '~icons/ic/round-radio-button-unchecked'
import TuneIcon from '~icons/ic/round-tune'
import { LabelChip } from '../../../components/labels/label-chip.tsx'
import { connectionsQuery, nameAndNumber, numbersOf } from '../../../lib/account/connections.ts'
import { labelsQuery } from '../../../lib/account/labels.ts'
import { settingsSection } from '../../../lib/paths.ts'
import { chosenAtom } from '../atoms.ts'
import { useListFilter } from '../list/use-list-filter.ts'

export const LabelsMenu = ({ anchor, onClose }: { anchor: Element; onClose: () => void }) => {
  const { data: labels = [], isError } = useQuery(labelsQuery)
  const { data: connections = [] } = useQuery(connectionsQuery)
  const numbers = numbersOf(connections)
  const [filter, filterBy] = useListFilter()
  const choose = useSetAtom(chosenAtom)
  const after = (action: () => void) => () => {
    onClose()
    action()
  }
  const radio = (isChecked: boolean) => ({ role: 'menuitemradio', 'aria-checked': isChecked })
  const mark = (isChecked: boolean) => (
    <ListItemIcon sx={{ color: isChecked ? 'primary.main' : 'text.secondary' }}>
      {isChecked ? <RadioCheckedIcon /> : <RadioUncheckedIcon />}
    </ListItemIcon>
  )
  return (
    <Menu
      open
      anchorEl={anchor}
      onClose={onClose}
      slotProps={{ list: { 'aria-label': 'Filtrar e selecionar' }, paper: { sx: { maxWidth: 'var(--list-width)' } } }}
    >
      {isError && <MenuItem disabled>As etiquetas não puderam ser lidas</MenuItem>}
      {labels.length > 0 && (
        <MenuItem {...radio(filter.label === null)} onClick={after(() => filterBy({ label: null }))}>
          {mark(filter.label === null)}
          Todas as conversas
        </MenuItem>
      )}
      {labels.map(({ id, name, colour }) => (
        <MenuItem key={id} {...radio(filter.label === id)} onClick={after(() => filterBy({ label: id }))}>
          {mark(filter.label === id)}
          <LabelChip colour={colour}>{name}</LabelChip>
        </MenuItem>
      ))}
      {labels.length > 0 && <Divider />}
      {numbers.length > 1 && (
        <MenuItem {...radio(filter.line === null)} onClick={after(() => filterBy({ line: null }))}>
          {mark(filter.line === null)}
          Todos os números
        </MenuItem>
      )}
      {numbers.length > 1 &&
        numbers.map((number) => (
          <MenuItem
            key={number.id}
            {...radio(filter.line === number.id)}
            onClick={after(() => filterBy({ line: number.id }))}
          >
            {mark(filter.line === number.id)}
            <Typography noWrap component="span" title={nameAndNumber(number)}>
              {nameAndNumber(number)}
            </Typography>
          </MenuItem>
        ))}
      {numbers.length > 1 && <Divider />}
      <MenuItem onClick={after(() => choose(new Set()))}>
        <ListItemIcon>
          <CheckBoxIcon />
        </ListItemIcon>
        Selecionar conversas
      </MenuItem>
      <MenuItem component={Link} to={settingsSection('etiquetas')} onClick={onClose}>
        <ListItemIcon>
          <TuneIcon />
        </ListItemIcon>
        Gerenciar etiquetas
      </MenuItem>
    </Menu>
  )
}

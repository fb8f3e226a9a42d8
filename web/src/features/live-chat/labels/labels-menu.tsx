import Divider from '@mui/material/Divider'
import ListItemIcon from '@mui/material/ListItemIcon'
import Menu from '@mui/material/Menu'
import MenuItem from '@mui/material/MenuItem'
import { useQuery } from '@tanstack/react-query'
import { useSetAtom } from 'jotai'
import { Link } from 'react-router-dom'
import CheckBoxIcon from '~icons/ic/round-check-box'
import RadioCheckedIcon from '~icons/ic/round-radio-button-checked'
import RadioUncheckedIcon from '~icons/ic/round-radio-button-unchecked'
import TuneIcon from '~icons/ic/round-tune'
import { LabelChip } from '../../../components/label-chip.tsx'
import { labelsQuery } from '../../../lib/labels.ts'
import { settingsSection } from '../../../lib/paths.ts'
import { chosenAtom } from '../atoms.ts'
import { useLabelFilter } from './use-label-filter.ts'

/** The labels to filter the list by, the way to choosing several conversations, and the way to the labels themselves. */
export const LabelsMenu = ({ anchor, onClose }: { anchor: Element; onClose: () => void }) => {
  const { data: labels = [], isError } = useQuery(labelsQuery)
  const [filter, filterBy] = useLabelFilter()
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
        <MenuItem {...radio(filter === null)} onClick={after(() => filterBy(null))}>
          {mark(filter === null)}
          Todas as conversas
        </MenuItem>
      )}
      {labels.map(({ id, name, colour }) => (
        <MenuItem key={id} {...radio(filter === id)} onClick={after(() => filterBy(id))}>
          {mark(filter === id)}
          <LabelChip colour={colour}>{name}</LabelChip>
        </MenuItem>
      ))}
      {labels.length > 0 && <Divider />}
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

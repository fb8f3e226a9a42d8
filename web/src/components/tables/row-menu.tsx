import IconButton from '@mui/material/IconButton'
import ListItemIcon from '@mui/material/ListItemIcon'
import Menu from '@mui/material/Menu'
import MenuItem from '@mui/material/MenuItem'
import { type ReactNode, useState } from 'react'
import MoreIcon from '~icons/ic/round-more-vert'

export interface RowAction {
  label: string
  icon?: ReactNode
  destructive?: boolean
  disabled?: boolean
  onPress: () => void
}

type Props = {
  /** Completes 'Ações de …'. */
  name: string
  actions: readonly RowAction[]
}

export const RowMenu = ({ name, actions }: Props) => {
  const [anchor, setAnchor] = useState<HTMLElement | null>(null)
  const label = `Ações de ${name}`
  return (
    <>
      <IconButton
        color="secondary"
        aria-label={label}
        aria-haspopup="menu"
        aria-expanded={anchor !== null}
        onClick={(event) => setAnchor(event.currentTarget)}
      >
        <MoreIcon />
      </IconButton>
      {anchor && (
        <Menu open anchorEl={anchor} onClose={() => setAnchor(null)} slotProps={{ list: { 'aria-label': label } }}>
          {actions.map(({ label, icon, destructive, disabled = false, onPress }) => (
            <MenuItem
              key={label}
              disabled={disabled}
              onClick={() => {
                setAnchor(null)
                onPress()
              }}
              sx={{ color: destructive ? 'error.main' : undefined }}
            >
              {icon && <ListItemIcon>{icon}</ListItemIcon>}
              {label}
            </MenuItem>
          ))}
        </Menu>
      )}
    </>
  )
}

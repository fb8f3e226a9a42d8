import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Menu from '@mui/material/Menu'
import MenuItem from '@mui/material/MenuItem'
import Typography from '@mui/material/Typography'
import type { FlowNodeType } from '@prosa/contracts/flows/flow-document'
import { nodeTypeNames } from '@prosa/contracts/flows/node-name'
import { useState } from 'react'
import ArrangeIcon from '~icons/ic/round-auto-fix-high'
import RunsIcon from '~icons/ic/round-format-list-bulleted'
import KeyboardIcon from '~icons/ic/round-keyboard-alt'
import VersionsIcon from '~icons/ic/round-manage-history'
import PreviewIcon from '~icons/ic/round-phonelink-ring'
import NoteIcon from '~icons/ic/round-sticky-note-2'
import SettingsIcon from '~icons/ic/round-tune'
import { KeyHint } from '../../components/key-hint.tsx'
import { nodeIcons } from './node-icons.ts'
import { nodeDragType, nodeTypes } from './node-words.ts'
import { noteElement } from './notes/flow-notes.ts'

export type SidebarAction = 'settings' | 'preview' | 'versions' | 'runs' | 'arrange' | 'help'

const actions = [
  { name: 'settings', label: 'Configurações', key: 'C', Icon: SettingsIcon },
  { name: 'preview', label: 'Preview', key: 'P', Icon: PreviewIcon },
  { name: 'versions', label: 'Versões', key: 'V', Icon: VersionsIcon },
  { name: 'runs', label: 'Execuções', key: 'E', Icon: RunsIcon },
  { name: 'arrange', label: 'Organizar', key: 'O', Icon: ArrangeIcon },
  { name: 'help', label: 'Atalhos', key: '?', Icon: KeyboardIcon },
] as const

const elements = [
  ...nodeTypes.map((type, at) => ({
    type,
    label: nodeTypeNames[type],
    Icon: nodeIcons[type],
    ...(at < 9 && { key: String(at + 1) }),
  })),
  { type: noteElement, label: 'Nota', Icon: NoteIcon, key: 'N' },
] as const

interface Props {
  onAdd: (type: FlowNodeType | typeof noteElement) => void
  onAction: (action: SidebarAction) => void
}

const buttonStyle = { justifyContent: 'flex-start', px: 3, color: 'text.primary', fontWeight: 400 } as const
const headingStyle = { px: 3, pt: 3, pb: 1 } as const

export const Sidebar = ({ onAdd, onAction }: Props) => (
  <Box
    component="aside"
    aria-label="Elementos e ações"
    sx={{
      display: 'flex',
      flexDirection: 'column',
      flex: 'none',
      width: 'var(--menu-width)',
      p: 2,
      overflowY: 'auto',
      borderRight: '1px solid',
      borderColor: 'divider',
    }}
  >
    <Typography variant="h3" component="h2" sx={headingStyle}>
      Elementos do Fluxo
    </Typography>
    {elements.map(({ type, label, Icon, key }) => (
      <KeyHint key={type} title={`Adicionar ${label}`} placement="right" {...(key !== undefined && { keys: [key] })}>
        <Button
          color="inherit"
          draggable
          startIcon={<Icon />}
          onClick={() => onAdd(type)}
          onDragStart={(event) => event.dataTransfer.setData(nodeDragType, type)}
          sx={buttonStyle}
        >
          {label}
        </Button>
      </KeyHint>
    ))}
    <Typography variant="h3" component="h2" sx={headingStyle}>
      Ações
    </Typography>
    {actions.map(({ name, label, key, Icon }) => (
      <KeyHint key={name} title={label} keys={[key]} placement="right">
        <Button color="inherit" startIcon={<Icon />} onClick={() => onAction(name)} sx={buttonStyle}>
          {label}
        </Button>
      </KeyHint>
    ))}
  </Box>
)

export const BottomBar = ({ onAdd, onAction }: Props) => {
  const [menu, setMenu] = useState<{ of: 'elements' | 'actions'; anchor: HTMLElement } | null>(null)
  const choose = (act: () => void) => () => {
    setMenu(null)
    act()
  }
  return (
    <Box
      component="aside"
      aria-label="Elementos e ações"
      sx={{ display: 'flex', flex: 'none', gap: 2, p: 2, borderTop: '1px solid', borderColor: 'divider' }}
    >
      <Button
        variant="outlined"
        aria-haspopup="menu"
        aria-expanded={menu?.of === 'elements'}
        onClick={({ currentTarget }) => setMenu({ of: 'elements', anchor: currentTarget })}
        sx={{ flex: 1 }}
      >
        Elementos do Fluxo
      </Button>
      <Button
        variant="outlined"
        color="inherit"
        aria-haspopup="menu"
        aria-expanded={menu?.of === 'actions'}
        onClick={({ currentTarget }) => setMenu({ of: 'actions', anchor: currentTarget })}
        sx={{ flex: 1 }}
      >
        Ações
      </Button>
      {menu && (
        <Menu
          open
          anchorEl={menu.anchor}
          onClose={() => setMenu(null)}
          anchorOrigin={{ vertical: 'top', horizontal: 'left' }}
          transformOrigin={{ vertical: 'bottom', horizontal: 'left' }}
        >
          {menu.of === 'elements'
            ? elements.map(({ type, label, Icon }) => (
                <MenuItem key={type} onClick={choose(() => onAdd(type))}>
                  <Icon aria-hidden="true" />
                  {label}
                </MenuItem>
              ))
            : actions.map(({ name, label, Icon }) => (
                <MenuItem key={name} onClick={choose(() => onAction(name))}>
                  <Icon aria-hidden="true" />
                  {label}
                </MenuItem>
              ))}
        </Menu>
      )}
    </Box>
  )
}

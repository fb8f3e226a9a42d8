import Button from '@mui/material/Button'
import IconButton from '@mui/material/IconButton'
import { type ReactNode, useState } from 'react'
import HistoryIcon from '~icons/ic/round-history'
import { KeyHint } from '../../key-hint.tsx'
import { lazyPart } from '../../layout/lazy-part.tsx'
import type { RowAction } from '../../tables/row-menu.tsx'
import type { OwnHistoryTarget } from './own-history-drawer.tsx'

const OwnHistoryDrawer = lazyPart(async () => (await import('./own-history-drawer.tsx')).OwnHistoryDrawer)

interface OwnHistory {
  show: (target: OwnHistoryTarget) => void
  /** For the menu of a row. */
  action: (target: OwnHistoryTarget) => RowAction
  drawer: ReactNode
}

/** Opens the history of a record of the own tenant. */
export const useOwnHistoryDrawer = (): OwnHistory => {
  const [target, show] = useState<OwnHistoryTarget | null>(null)
  return {
    show,
    action: (of) => ({ label: 'Ver histórico', icon: <HistoryIcon />, onPress: () => show(of) }),
    drawer: target && <OwnHistoryDrawer target={target} onClose={() => show(null)} />,
  }
}

/** For a row without a menu. */
export const OwnHistoryIconButton = ({ target, name }: { target: OwnHistoryTarget; name: string }) => {
  const { show, drawer } = useOwnHistoryDrawer()
  return (
    <>
      <KeyHint title="Ver histórico">
        <IconButton aria-label={`Ver histórico de ${name}`} color="secondary" onClick={() => show(target)}>
          <HistoryIcon />
        </IconButton>
      </KeyHint>
      {drawer}
    </>
  )
}

/** For a whole section. */
export const OwnHistoryButton = ({ target }: { target: OwnHistoryTarget }) => {
  const { show, drawer } = useOwnHistoryDrawer()
  return (
    <>
      <Button color="inherit" startIcon={<HistoryIcon />} onClick={() => show(target)}>
        Ver histórico
      </Button>
      {drawer}
    </>
  )
}

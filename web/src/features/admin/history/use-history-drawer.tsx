import { type ReactNode, useState } from 'react'
import HistoryIcon from '~icons/ic/round-history'
import { lazyPart } from '../../../components/lazy-part.tsx'
import type { RowAction } from '../../../components/row-menu.tsx'
import { forgetDeclined } from '../../../lib/reading-purpose.ts'
import type { HistoryTarget } from './history-words.ts'

const HistoryDrawer = lazyPart(async () => (await import('./history-drawer.tsx')).HistoryDrawer)

interface HistoryOfRows {
  /** 'Ver histórico', for the menu of a row. */
  historyAction: (of: HistoryTarget) => RowAction
  /** What it opens, to be put beside the table. */
  historyDrawer: ReactNode
}

/** Opens the timeline of what a row is about, over its list. */
export const useHistoryDrawer = (): HistoryOfRows => {
  const [target, setTarget] = useState<HistoryTarget | null>(null)
  const open = (of: HistoryTarget) => {
    forgetDeclined()
    setTarget(of)
  }
  return {
    historyAction: (of) => ({ label: 'Ver histórico', icon: <HistoryIcon />, onPress: () => open(of) }),
    historyDrawer: target && <HistoryDrawer target={target} onClose={() => setTarget(null)} />,
  }
}

import { type ReactNode, useState } from 'react'
import HistoryIcon from '~icons/ic/round-history'
import type { HistoryTarget } from '../../../components/history/record-words.ts'
import { lazyPart } from '../../../components/layout/lazy-part.tsx'
import type { RowAction } from '../../../components/tables/row-menu.tsx'
import { forgetDeclined } from '../../../lib/http/reading-purpose.ts'

const HistoryDrawer = lazyPart(async () => (await import('./history-drawer.tsx')).HistoryDrawer)

interface HistoryOfRows {
  historyAction: (of: HistoryTarget) => RowAction
  historyDrawer: ReactNode
}

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

import HistoryIcon from '~icons/ic/round-history'
import { ownHistory } from '../../../lib/own-history-address.ts'
import { EmptyState } from '../../layout/empty-state.tsx'
import { ConversationTimeline } from '../conversation-timeline.tsx'
import { HistoryDrawerFrame } from '../history-drawer-frame.tsx'
import { HistoryTimeline } from '../timeline.tsx'
import { TimelineLinksProvider } from '../timeline-links.ts'
import { type OwnHistoryFilters, useConversationHistory, useOwnHistory } from './api.ts'
import { ownLinks } from './own-links.ts'

/** `contactId`: the life of the conversation with it. */
export type OwnHistoryTarget = { title: string } & (
  | { contactId: string }
  | { filters: Pick<OwnHistoryFilters, 'record' | 'kind'> }
)

const Threads = ({ filters }: { filters: Pick<OwnHistoryFilters, 'record' | 'kind'> }) => (
  <HistoryTimeline
    list={useOwnHistory(filters)}
    about={filters.record}
    empty={<EmptyState icon={<HistoryIcon />} title="Nada aconteceu ainda" />}
  />
)

const pageOf = (target: OwnHistoryTarget): string => {
  if ('contactId' in target) return ownHistory({ registro: `contact:${target.contactId}` })
  const { record, kind } = target.filters
  return ownHistory({ ...(record && { registro: record }), ...(kind && { assunto: kind }) })
}

type Props = {
  target: OwnHistoryTarget
  onClose: () => void
}

export const OwnHistoryDrawer = ({ target, onClose }: Props) => (
  <HistoryDrawerFrame title={target.title} page={pageOf(target)} onClose={onClose}>
    <TimelineLinksProvider value={ownLinks}>
      {'contactId' in target ? (
        <ConversationTimeline
          contactId={target.contactId}
          useList={useConversationHistory}
          textsLabel="Mostrar o que foi escrito"
        />
      ) : (
        <Threads filters={target.filters} />
      )}
    </TimelineLinksProvider>
  </HistoryDrawerFrame>
)

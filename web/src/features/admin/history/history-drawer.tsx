import HistoryIcon from '~icons/ic/round-history'
import { ConversationTimeline } from '../../../components/history/conversation-timeline.tsx'
import { HistoryDrawerFrame } from '../../../components/history/history-drawer-frame.tsx'
import { type HistoryTarget, keyOf, titleOf } from '../../../components/history/record-words.ts'
import { HistoryTimeline } from '../../../components/history/timeline.tsx'
import { TimelineLinksProvider } from '../../../components/history/timeline-links.ts'
import { EmptyState } from '../../../components/layout/empty-state.tsx'
import { adminTab } from '../../../lib/paths.ts'
import { useConversationOfTenant, useHistory } from './api.ts'
import { AsItWasButton } from './as-it-was-button.tsx'
import { adminLinks } from './history-words.ts'
import { RecordWhy } from './record-why.tsx'
import { RefusedRequests } from './refused-requests.tsx'

const Threads = ({ target }: { target: HistoryTarget }) => {
  const about = keyOf(target)
  return (
    <>
      {target.kind === 'user' && <RefusedRequests user={target.id} />}
      <HistoryTimeline
        list={useHistory({ record: about })}
        about={about}
        empty={<EmptyState icon={<HistoryIcon />} title="Nada aconteceu ainda" />}
      />
    </>
  )
}

type Props = {
  target: HistoryTarget
  onClose: () => void
}

/** Of a contact the life of its conversation; its steps of flows and more are behind 'Abrir com filtros'. */
export const HistoryDrawer = ({ target, onClose }: Props) => (
  <HistoryDrawerFrame
    title={titleOf(target)}
    page={adminTab('historico', { registro: keyOf(target) })}
    onClose={onClose}
  >
    <TimelineLinksProvider value={adminLinks}>
      <RecordWhy of={target} />
      <AsItWasButton of={target} />
      {target.kind === 'contact' ? (
        <ConversationTimeline
          contactId={target.id}
          useList={useConversationOfTenant}
          textsLabel="Mostrar o que foi escrito (a leitura fica registrada)"
        />
      ) : (
        <Threads target={target} />
      )}
    </TimelineLinksProvider>
  </HistoryDrawerFrame>
)

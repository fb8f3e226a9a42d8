import type { Contact } from '@prosa/contracts/http/live-chat'
import type { RefObject } from 'react'
import { DetailsPanel } from './details/details-panel.tsx'
import { ConversationSearch } from './search/conversation-search.tsx'
import type { FoundMessages } from './search/use-found-messages.ts'
import type { Panel } from './use-selection.ts'

export interface PanelContentProps {
  contact: Contact
  panel: Panel
  search: string
  messages: FoundMessages
  searchRef: RefObject<HTMLInputElement | null>
  onSearch: (text: string) => void
  onPanel: (panel: Panel) => void
  onClose: () => void
  onShowMessage: (messageId: string) => void
  onErased: () => void
}

/** All panels are one chunk of a few kB. */
export const PanelContent = ({ contact, panel, searchRef, onPanel, onClose, ...props }: PanelContentProps) =>
  panel === 'details' ? (
    <DetailsPanel contact={contact} onSearch={() => onPanel('search')} onClose={onClose} onErased={props.onErased} />
  ) : (
    <ConversationSearch
      contact={contact}
      search={props.search}
      messages={props.messages}
      inputRef={searchRef}
      onSearch={props.onSearch}
      onShowMessage={props.onShowMessage}
      onClose={onClose}
    />
  )

import type { Contact } from '@prosa/contracts/http/live-chat'
import type { RefObject } from 'react'
import { DetailsPanel } from './details/details-panel.tsx'
import { ConversationSearch } from './search/conversation-search.tsx'
import type { FoundMessages } from './search/use-found-messages.ts'
import type { Panel } from './use-selection.ts'

export interface PanelContentProps {
  contact: Contact
  panel: Panel
  /** What is looked for in the conversation, at rest. */
  search: string
  messages: FoundMessages
  searchRef: RefObject<HTMLInputElement | null>
  onSearch: (text: string) => void
  onPanel: (panel: Panel) => void
  onClose: () => void
  onShowMessage: (messageId: string) => void
  /** The contact exists no more. */
  onErased: () => void
}

/** What a panel shows. The panels are one file for the browser: a few kB, and nothing to wait for between them. */
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

import { parseStream } from '@prosa/contracts/streams'
import type { Projection } from '@prosa/kernel/consumers/projections/projection'
import type { StoredOf } from '@prosa/kernel/event-store/codec'
import { type SearchRow, searchTable } from './table.ts'
import { editedWords, fileWords, isSearchable, searchWords } from './words.ts'

type Message = StoredOf<'MessageReceived'> | StoredOf<'MessageQueued'> | StoredOf<'MessageSentElsewhere'>

const key = ({ stream, data }: { stream: string; data: { messageId: string } }) =>
  `${parseStream(stream).id}:${data.messageId}`

const rowOf = (event: Message): SearchRow | undefined => {
  const { content } = event.data
  if (!isSearchable(content)) return undefined
  return {
    key: key(event),
    contactId: parseStream(event.stream).id,
    tenant: event.metadata.tenant,
    connectionId: event.data.connectionId,
    place: event.position,
    words: searchWords(content),
    fileWords: fileWords(content),
  }
}

const message = { key, makes: true as const, row: (row: SearchRow | undefined, event: Message) => row ?? rowOf(event) }

export const messageSearch: Projection<SearchRow> = {
  name: 'message-search',
  version: 3,
  categories: ['chat'],
  table: searchTable,
  on: {
    MessageReceived: message,
    MessageSentElsewhere: message,
    MessageQueued: {
      key,
      makes: true,
      // A retry keeps its position and matches its latest content.
      row: (row, event) => {
        const sent = rowOf(event)
        return sent && { ...sent, place: row?.place ?? sent.place }
      },
    },
    MessageEdited: {
      key,
      row: (row, { data }) => row && { ...row, words: editedWords(row.fileWords, data.content) ?? row.words },
    },
    MessageDeleted: { key, row: () => undefined },
    ChatErased: { purge: { column: 'contactId', value: ({ stream }) => parseStream(stream).id } },
  },
}

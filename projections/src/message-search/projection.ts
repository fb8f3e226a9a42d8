import { parseStream } from '@prosa/contracts/streams'
import type { Projection, StoredOf } from '../runner/projection.ts'
import { type SearchRow, searchTable } from './table.ts'
import { isSearchable, searchWords } from './words.ts'

type Message = StoredOf<'MessageReceived'> | StoredOf<'MessageQueued'> | StoredOf<'MessageSentElsewhere'>

const key = ({ stream, data }: { stream: string; data: { messageId: string } }) =>
  `${parseStream(stream).id}:${data.messageId}`

const message = {
  key,
  makes: true as const,
  row: (row: SearchRow | undefined, event: Message): SearchRow | undefined =>
    row ??
    (isSearchable(event.data.content)
      ? {
          key: key(event),
          contactId: parseStream(event.stream).id,
          owner: event.metadata.owner,
          place: event.position,
          words: searchWords(event.data.content),
        }
      : undefined),
}

/** One row per message that may say something, with the words by which it is found. */
export const messageSearch: Projection<SearchRow> = {
  name: 'message-search',
  version: 1,
  categories: ['chat'],
  table: searchTable,
  on: {
    MessageReceived: message,
    MessageSentElsewhere: message,
    MessageQueued: message,
    MessageEdited: { key, row: (row, { data }) => row && { ...row, words: searchWords(data.content) } },
    MessageDeleted: { key, row: () => undefined },
    ChatErased: { purge: { column: 'contactId', value: ({ stream }) => parseStream(stream).id } },
  },
}

import { categories } from '../../streams.ts'
import { publishedCategories } from '../catalogue.ts'
import { dataSchema, onlyOnce } from '../json-schema.ts'
import { cloudEventType, publicationOf } from '../published-of.ts'
import { connectionDaysTable } from './connections.ts'
import { conversationsTable } from './conversations.ts'
import { messagesTable } from './messages.ts'
import type { PublishedTable } from './published-table.ts'
import { subscriptionsTable } from './subscriptions.ts'

export const publishedTables = {
  conversations: conversationsTable,
  messages: messagesTable,
  connections: connectionDaysTable,
  subscriptions: subscriptionsTable,
} as const satisfies Record<string, PublishedTable>

export type TableName = keyof typeof publishedTables
export const tableNames = Object.keys(publishedTables) as [TableName, ...TableName[]]

const shown = ({ name, sentence, since, key, columns, schema }: PublishedTable) => ({
  ...{ name, sentence, since },
  key: [...key],
  columns: columns.map(({ name: column, type, description, unit, values, pseudonymOf, personal, from }) => ({
    ...{ name: column, type },
    sentence: description,
    ...(unit !== undefined && { unit }),
    ...(values !== undefined && { values: [...values] }),
    ...(pseudonymOf !== undefined && { pseudonymOf }),
    isPersonal: personal === true,
    isNullable: schema.shape[column]?.safeParse(null).success === true,
    /** Published events that it comes from; a type that is not published is left out. */
    from: from.flatMap((type) => {
      const publication = publicationOf(type)
      return publication ? [cloudEventType(categories[publishedCategories[type]], publication)] : []
    }),
  })),
  schema: dataSchema(schema),
  example: Object.fromEntries(
    columns.flatMap(({ name: column, example }) => (example === undefined ? [] : [[column, example]])),
  ),
})

/** With JSON Schemas: computed once. */
export const shownTables = onlyOnce(() => Object.values(publishedTables).map(shown))

import { type AnyEvent, allEvents, type EventType } from '../events/all-events.ts'
import { eventsOfCategory } from '../events/events-of-category.ts'
import { type Category, categories, type StreamService } from '../streams.ts'
import { dataSchema, onlyOnce } from './json-schema.ts'
import type { Publication } from './publication.ts'
import { cloudEventType, publicationOf } from './published-of.ts'

/** The category of each stored type. */
export const publishedCategories = Object.fromEntries(
  Object.entries(eventsOfCategory).flatMap(([category, events]) => Object.keys(events).map((type) => [type, category])),
) as Record<EventType, Category>

export interface CatalogueEntry {
  /** CloudEvents type, `prosa.contacts.message-received.v1`. */
  type: string
  service: StreamService
  category: Category
  /** The stored type that it comes from. */
  from: AnyEvent['type']
}

/** Everything that is published, in order of services and categories. */
export const catalogue: readonly CatalogueEntry[] = (Object.keys(allEvents) as EventType[]).flatMap((from) => {
  const publication = publicationOf(from)
  if (!publication) return []
  const category = publishedCategories[from]
  return [{ type: cloudEventType(categories[category], publication), service: categories[category], category, from }]
})

const byType = new Map(catalogue.map((entry) => [entry.type, entry]))
export const catalogueEntry = (type: string): CatalogueEntry | undefined => byType.get(type)

/** Categories with published events: what a consumer of the log has to read. */
export const publishedStreams: readonly Category[] = [...new Set(catalogue.map(({ category }) => category))]

const exampleOf = (fields: Publication['fields']) =>
  Object.fromEntries(fields.flatMap(({ name, example }) => (example === undefined ? [] : [[name, example]])))

const shown = ({ type, service, category }: CatalogueEntry, { since, sentence, schema, fields }: Publication) => ({
  ...{ type, service, category, sentence, since },
  fields: fields.map(({ name, description, unit, values, pseudonymOf, personal }) => ({
    name,
    sentence: description,
    ...(unit !== undefined && { unit }),
    ...(values !== undefined && values.length > 0 && { values: [...values] }),
    ...(pseudonymOf !== undefined && { pseudonymOf }),
    isPersonal: personal === true,
    isOptional: schema.shape[name]?.safeParse(undefined).success === true,
  })),
  schema: dataSchema(schema),
  example: exampleOf(fields),
})

/** With JSON Schemas: computed once. */
export const shownCatalogue = onlyOnce(() =>
  catalogue.flatMap((entry) => {
    const publication = publicationOf(entry.from)
    return publication ? [shown(entry, publication)] : []
  }),
)

import type { Contact } from '@prosa/contracts/http/live-chat'
import { mediaFileName } from '@prosa/contracts/media-file-name'
import { photoFileName } from '@prosa/contracts/photo-file-name'
import { type Category, parseStream, streamName } from '@prosa/contracts/streams'
import { FileMissing } from '@prosa/kernel/files/port'
import { Refused } from '@prosa/kernel/http/problem'
import type { Ports } from '@prosa/kernel/ports'
import { findPhotoId } from '../account/queries.ts'
import { findFlows } from '../flows/queries.ts'
import { readFlow } from '../flows/read-flow.ts'
import { accountPart } from './account.ts'
import type { Archive } from './archive.ts'
import { contactsOf, conversationPath, shownContact } from './contacts.ts'
import { conversationOf } from './conversation.ts'
import { addressesOf, type EventLine, eventLines } from './event-lines.ts'
import { isCompressed, mediaPath } from './media-path.ts'
import { findSharedReadings, findStreamsAbout, mediaOf, type OwnedMedia, streamsOfTenant } from './queries.ts'
import { readMe } from './read-me.ts'
import { withheldCategories } from './shown-data.ts'

export async function* jsonText(value: unknown): AsyncGenerator<string> {
  yield `${JSON.stringify(value, null, 2)}\n`
}

/** Streamed array, one item per line. */
export async function* jsonList(items: AsyncIterable<unknown>): AsyncGenerator<string> {
  let before = '[\n'
  for await (const item of items) {
    yield before + JSON.stringify(item)
    before = ',\n'
  }
  yield before === '[\n' ? '[]\n' : '\n]\n'
}

export async function* jsonLines(items: AsyncIterable<unknown>): AsyncGenerator<string> {
  for await (const item of items) yield `${JSON.stringify(item)}\n`
}

type CopyPorts = Pick<Ports, 'pool' | 'store' | 'codec' | 'secrets' | 'files' | 'clock' | 'drafts'>

/** Undefined if erased meanwhile. */
const openFile = async ({ files }: CopyPorts, name: string) => {
  try {
    return (await files.get(name)).content
  } catch (error) {
    if (error instanceof FileMissing) return undefined
    throw error
  }
}

const addMedia = async (ports: CopyPorts, archive: Archive, tenant: string, media: AsyncIterable<OwnedMedia>) => {
  for await (const { id, status, mediaType } of media) {
    if (status !== 'ready' || mediaType === null) continue
    const content = await openFile(ports, mediaFileName(tenant, id))
    if (content) await archive.add(mediaPath(id, mediaType), content, { compress: !isCompressed(mediaType) })
  }
}

const addPhoto = async (ports: CopyPorts, archive: Archive, userId: string) => {
  const photoId = await findPhotoId(ports.pool, userId)
  const content = photoId && (await openFile(ports, photoFileName(userId, photoId, 256)))
  if (content) await archive.add('foto.webp', content, { compress: false })
}

/** Can be imported. Retries if the draft was replaced meanwhile. */
const addDrafts = async (ports: CopyPorts, archive: Archive, userId: string) => {
  for (const { id } of await findFlows(ports.pool, userId)) {
    const flow = await readFlow(ports, userId, id).catch((error: unknown) => {
      // Deleted meanwhile.
      if (error instanceof Refused && error.refusal === 'flow_not_found') return undefined
      throw error
    })
    if (!flow) continue
    const { name, document } = flow
    await archive.add(`fluxos/${id}.json`, jsonText({ format: 'prosa-flow', version: 1, name, document }))
  }
}

async function* streamsOfMedia(media: AsyncIterable<OwnedMedia>): AsyncGenerator<string> {
  for await (const { id } of media) yield streamName('media', id)
}

const addConversation = ({ pool }: CopyPorts, archive: Archive, tenant: string, contact: Contact) =>
  archive.add(conversationPath(contact.id), jsonList(conversationOf(pool, tenant, contact)))

/** Chats are not in the timeline. */
const ofContacts: readonly string[] = ['contact', 'flowRun'] satisfies Category[]

/** Without contacts, which have own files. */
async function* accountStreams({ pool }: CopyPorts, userId: string): AsyncGenerator<string> {
  const isWithheld = (stream: string) => Object.hasOwn(withheldCategories, parseStream(stream).category)
  for await (const stream of streamsOfTenant(pool, userId))
    if (!ofContacts.includes(parseStream(stream).category) && !isWithheld(stream)) yield stream
  for (const stream of await findStreamsAbout(pool, userId))
    if (!isWithheld(stream) && parseStream(stream).category !== readingCategory) yield stream
}

/** Shared readings are selected by event. */
const readingCategory: Category = 'tenantReading'

const streamsOfContact = (contactId: string) =>
  (['contact', 'chat', 'flowRun'] as const).map((category) => streamName(category, contactId))

/** Screen data and every recorded event. */
export const copyAccount = async (ports: CopyPorts, archive: Archive, userId: string): Promise<void> => {
  const { pool, clock } = ports
  await archive.add('LEIA-ME.txt', lines(readMe('account', clock.now())))
  await archive.add('conta.json', jsonText(await accountPart(ports, userId)))
  await addPhoto(ports, archive, userId)
  await archive.add('contatos.json', jsonList(shownContacts(ports, userId)))
  for await (const contact of contactsOf(pool, userId)) await addConversation(ports, archive, userId, contact)
  await addDrafts(ports, archive, userId)

  const whose = { userId, addresses: await addressesOf(ports, userId) }
  const events = (streams: AsyncIterable<string> | Iterable<string>): AsyncGenerator<EventLine> =>
    eventLines(ports, streams, whose)
  await archive.add('eventos/conta.ndjson', jsonLines(events(accountStreams(ports, userId))))
  const onlyEvents = await findSharedReadings(pool, userId)
  const readings = eventLines(ports, onlyEvents.keys(), { ...whose, onlyEvents })
  await archive.add('eventos/leituras.ndjson', jsonLines(readings))
  for await (const stream of streamsOfTenant(pool, userId)) {
    const { category, id } = parseStream(stream)
    if (category === 'contact')
      await archive.add(`eventos/contatos/${id}.ndjson`, jsonLines(events(streamsOfContact(id))))
  }
  await archive.add('eventos/midia.ndjson', jsonLines(events(streamsOfMedia(mediaOf(pool, userId, null)))))
  await addMedia(ports, archive, userId, mediaOf(pool, userId, null))
}

async function* shownContacts({ pool }: CopyPorts, userId: string) {
  for await (const contact of contactsOf(pool, userId)) yield await shownContact(pool, userId, contact)
}

async function* lines(text: string): AsyncGenerator<string> {
  yield text
}

export const copyContact = async (
  ports: CopyPorts,
  archive: Archive,
  { tenant, contact }: { tenant: string; contact: Contact },
): Promise<void> => {
  const { pool, clock } = ports
  const ids = [contact.id, ...contact.merged.map(({ id }) => id)]
  await archive.add('LEIA-ME.txt', lines(readMe('contact', clock.now())))
  await archive.add('contato.json', jsonText(await shownContact(pool, tenant, contact)))
  await addConversation(ports, archive, tenant, contact)
  async function* streams() {
    yield* ids.flatMap(streamsOfContact)
    yield* streamsOfMedia(mediaOf(pool, tenant, ids))
  }
  const whose = { userId: tenant, addresses: new Set<string>() }
  await archive.add('eventos/contato.ndjson', jsonLines(eventLines(ports, streams(), whose)))
  await addMedia(ports, archive, tenant, mediaOf(pool, tenant, ids))
}

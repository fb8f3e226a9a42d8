import { mediaFolder } from '@prosa/contracts/media-file-name'
import { parseStream } from '@prosa/contracts/streams'
import { fileOf, type MessageContent } from '@prosa/contracts/values/message-content'
import { later } from '@prosa/kernel/clock'
import { contextFor, type Reactor } from '@prosa/kernel/consumers/reactors/reactor'
import type { CommandContext } from '@prosa/kernel/domain/command-handler'
import type { Stored } from '@prosa/kernel/event-store/codec'
import type { Ports } from '@prosa/kernel/ports'
import type { MediaHandler } from './media-handler.ts'
import { addWanted, giveUpload, markErased, wantAgain } from './queries.ts'

interface EraseDeps {
  ports: Pick<Ports, 'pool' | 'clock' | 'files'>
  medias: MediaHandler
}

/** Longer than any download. */
const recheckMs = 3_600_000

/** Streams are closed first: a fetch or upload under way then deletes its own file; if its process dies, the cleanup does. */
const eraseFiles = async (
  { ports: { pool, clock, files }, medias }: EraseDeps,
  whose: { contactId: string } | { tenant: string },
  context: CommandContext,
): Promise<void> => {
  for (const { id, tenant } of await markErased(pool, whose, later(clock.now(), recheckMs))) {
    const outcome = await medias(id, { type: 'EraseMedia', data: {} }, context)
    if (!outcome.ok) throw new Error('the file belongs to another tenant than its contact')
    await files.deleteAll(mediaFolder(tenant, id))
  }
}

const name = 'keep-media-of-chat'

const tenantOf = ({ metadata }: Stored): string => {
  if (!metadata.tenant) throw new Error('a chat without a tenant')
  return metadata.tenant
}

/** One reactor, so that nothing follows an erasure. */
export const keepMediaOfChat = (ports: Pick<Ports, 'pool' | 'clock' | 'files'>, medias: MediaHandler): Reactor => {
  const { pool, clock } = ports

  const want = async (event: Stored, content: MessageContent) => {
    const file = fileOf(content)
    if (!file) return
    const { id: eventId, revision, metadata } = event
    const contactId = parseStream(event.stream).id
    const { correlationId } = metadata
    await addWanted(
      pool,
      { id: file.id, tenant: tenantOf(event), contactId, revision, eventId, correlationId },
      clock.now(),
    )
  }

  return {
    name,
    categories: ['chat', 'media'],
    key: ({ stream }) => stream,
    on: {
      MessageReceived: (event) => want(event, event.data.content),
      MessageSentElsewhere: (event) => want(event, event.data.content),
      async MessageQueued(event) {
        const file = fileOf(event.data.content)
        // A flow sends one file to many: it stays the tenant's.
        if (!file || event.data.automatic === 'flow') return
        const contactId = parseStream(event.stream).id
        const outcome = await medias(file.id, { type: 'GiveMedia', data: { contactId } }, contextFor(name, event))
        // Another contact has it, or it was cleaned up: this message will not be sent.
        if (!outcome.ok) return
        const { correlationId } = event.metadata
        await giveUpload(pool, { id: file.id, tenant: tenantOf(event), contactId, correlationId })
      },
      MediaAskedAgain: (event) => wantAgain(pool, parseStream(event.stream).id, event.id, clock.now()),
      async ChatErased(event) {
        const contactId = parseStream(event.stream).id
        await eraseFiles({ ports, medias }, { contactId }, contextFor(name, event))
      },
    },
  }
}

const nameOfUsers = 'erase-media-on-user-erased'

export const eraseMediaOnUserErased = (
  ports: Pick<Ports, 'pool' | 'clock' | 'files'>,
  medias: MediaHandler,
): Reactor => ({
  name: nameOfUsers,
  categories: ['user'],
  key: ({ stream }) => stream,
  on: {
    async UserErased(event) {
      const tenant = parseStream(event.stream).id
      await eraseFiles({ ports, medias }, { tenant }, { ...contextFor(nameOfUsers, event), tenant })
      await ports.files.deleteAll(mediaFolder(tenant))
    },
  },
})

import { shared, streams } from './generated.ts'
import type { Expected, Proposed, Stored } from './stored-log.ts'

type AppendReq = InstanceType<typeof streams.AppendReq>
type AppendOptions = NonNullable<ReturnType<AppendReq['getOptions']>>
type ProposedMessage = NonNullable<ReturnType<AppendReq['getProposedMessage']>>

/** .NET ticks. */
const ticksPerMillisecond = 10_000n

export const streamName = (options: {
  getStreamIdentifier(): { getStreamName_asU8(): Uint8Array } | undefined
}): string => Buffer.from(options.getStreamIdentifier()?.getStreamName_asU8() ?? []).toString('utf8')

export const streamIdentifier = (name: string) =>
  new shared.StreamIdentifier().setStreamName(new Uint8Array(Buffer.from(name)))

export const uuid = (text: string) => new shared.UUID().setString(text)

export const expectedOf = (options: AppendOptions): Expected => {
  if (options.hasNoStream()) return 'no_stream'
  if (options.hasAny()) return 'any'
  if (options.hasStreamExists()) return 'stream_exists'
  return BigInt(options.getRevision())
}

export const proposedOf = (message: ProposedMessage): Proposed => ({
  id: message.getId()?.getString() ?? '',
  type: message.getMetadataMap().get('type') ?? '',
  contentType: message.getMetadataMap().get('content-type') ?? '',
  data: message.getData_asU8(),
  metadata: message.getCustomMetadata_asU8(),
})

export const eventMessage = (event: Stored) => {
  const recorded = new streams.ReadResp.ReadEvent.RecordedEvent()
    .setId(uuid(event.id))
    .setStreamIdentifier(streamIdentifier(event.stream))
    .setStreamRevision(String(event.revision))
    .setCommitPosition(String(event.numericPosition))
    .setPreparePosition(String(event.numericPosition))
    .setData(event.data)
    .setCustomMetadata(event.metadata)
  recorded.getMetadataMap().set('type', event.type)
  recorded.getMetadataMap().set('content-type', event.contentType)
  recorded.getMetadataMap().set('created', String(BigInt(Date.now()) * ticksPerMillisecond))
  const readEvent = new streams.ReadResp.ReadEvent().setEvent(recorded).setCommitPosition(String(event.numericPosition))
  return new streams.ReadResp().setEvent(readEvent)
}

export const streamNotFound = (name: string) =>
  new streams.ReadResp().setStreamNotFound(
    new streams.ReadResp.StreamNotFound().setStreamIdentifier(streamIdentifier(name)),
  )

export const confirmation = () =>
  new streams.ReadResp().setConfirmation(
    new streams.ReadResp.SubscriptionConfirmation().setSubscriptionId(crypto.randomUUID()),
  )

export const caughtUp = () => new streams.ReadResp().setCaughtUp(new streams.ReadResp.CaughtUp())

export const checkpoint = (numericPosition: bigint) =>
  new streams.ReadResp().setCheckpoint(
    new streams.ReadResp.Checkpoint()
      .setCommitPosition(String(numericPosition))
      .setPreparePosition(String(numericPosition)),
  )

export const appended = (revision: bigint, numericPosition: bigint) => {
  const position = new streams.AppendResp.Position()
    .setCommitPosition(String(numericPosition))
    .setPreparePosition(String(numericPosition))
  const success = new streams.AppendResp.Success().setPosition(position)
  success.setCurrentRevision(String(revision))
  return new streams.AppendResp().setSuccess(success)
}

export const conflict = (expected: Expected, actual: bigint) => {
  const wrong = new streams.AppendResp.WrongExpectedVersion()
  if (actual >= 0n) wrong.setCurrentRevision(String(actual))
  else wrong.setCurrentNoStream(new shared.Empty())
  if (expected === 'any') wrong.setExpectedAny(new shared.Empty() as never)
  else if (expected === 'no_stream') wrong.setExpectedNoStream(new shared.Empty() as never)
  else if (expected === 'stream_exists') wrong.setExpectedStreamExists(new shared.Empty() as never)
  else wrong.setExpectedRevision(String(expected))
  return new streams.AppendResp().setWrongExpectedVersion(wrong)
}

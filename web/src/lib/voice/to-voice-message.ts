import {
  BlobSource,
  BufferTarget,
  Conversion,
  Input,
  MATROSKA,
  MP4,
  OGG,
  OggOutputFormat,
  Output,
  WEBM,
} from 'mediabunny'

const oggOpus = 'audio/ogg; codecs=opus'

/** This browser recorded something that it cannot turn into what WhatsApp plays as a voice message. */
export class NoVoiceMessage extends Error {
  override name = 'NoVoiceMessage'
}

/**
 * A recording as Ogg with Opus, as WhatsApp wants voice messages. The sound of a WebM recording is taken over as it is; any
 * other is encoded anew where the browser can. Throws `NoVoiceMessage` where it cannot.
 */
export const toVoiceMessage = async (recording: Blob): Promise<Blob> => {
  const target = new BufferTarget()
  const conversion = await Conversion.init({
    input: new Input({ source: new BlobSource(recording), formats: [WEBM, MATROSKA, OGG, MP4] }),
    output: new Output({ format: new OggOutputFormat(), target }),
    audio: { codec: 'opus' },
  })
  if (!conversion.isValid || conversion.utilizedTracks.length !== 1) throw new NoVoiceMessage()
  await conversion.execute()
  if (!target.buffer) throw new NoVoiceMessage()
  return new Blob([target.buffer], { type: oggOpus })
}

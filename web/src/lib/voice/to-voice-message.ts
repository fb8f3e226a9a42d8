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

export class NoVoiceMessage extends Error {
  override name = 'NoVoiceMessage'
}

/** WebM only changes its container; other formats are encoded again where possible. Throws `NoVoiceMessage`. */
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

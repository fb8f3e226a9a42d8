import {
  BlobSource,
  BufferTarget,
  EncodedAudioPacketSource,
  EncodedPacket,
  EncodedPacketSink,
  Input,
  OGG,
  Output,
  WebMOutputFormat,
} from 'mediabunny'
import { expect, it } from 'vitest'
import { toVoiceMessage } from './to-voice-message.ts'

/** 20 ms of silence in Opus. */
const silence = new Uint8Array([0xf8, 0xff, 0xfe])
const opusHead = new Uint8Array([...new TextEncoder().encode('OpusHead'), 1, 1, 0, 0, 0x80, 0xbb, 0, 0, 0, 0, 0])

const packetSeconds = 0.02

const webmOf = async (packets: number): Promise<Blob> => {
  const target = new BufferTarget()
  const output = new Output({ format: new WebMOutputFormat(), target })
  const source = new EncodedAudioPacketSource('opus')
  output.addAudioTrack(source)
  await output.start()
  for (let index = 0; index < packets; index += 1)
    await source.add(new EncodedPacket(silence, 'key', index * packetSeconds, packetSeconds), {
      decoderConfig: { codec: 'opus', sampleRate: 48_000, numberOfChannels: 1, description: opusHead },
    })
  await output.finalize()
  return new Blob([target.buffer ?? new ArrayBuffer(0)], { type: 'audio/webm;codecs=opus' })
}

it('wraps what the browser recorded anew as Ogg, and loses no sound', async () => {
  const voice = await toVoiceMessage(await webmOf(100))
  expect(voice.type).toBe('audio/ogg; codecs=opus')
  const head = new TextDecoder('latin1').decode(await voice.slice(0, 64).arrayBuffer())
  expect(head.startsWith('OggS')).toBe(true)
  expect(head).toContain('OpusHead')

  const track = await new Input({ source: new BlobSource(voice), formats: [OGG] }).getPrimaryAudioTrack()
  if (!track) throw new Error('no sound')
  let packets = 0
  for await (const packet of new EncodedPacketSink(track).packets()) {
    expect(packet.data).toEqual(silence)
    packets += 1
  }
  expect(packets).toBe(100)
})

it('refuses what is no recording', async () => {
  await expect(toVoiceMessage(new Blob(['not a sound']))).rejects.toThrow()
})

import type { FileToSend } from '../simulator/phone-chats.ts'
import { examplePicture, examplePictureSize } from './example-picture.ts'
import { exampleVoice } from './example-voice.ts'

export function exampleFile(kind: 'voice' | 'image'): FileToSend {
  if (kind === 'voice') {
    const { bytes, mediaType, seconds, waveform } = exampleVoice
    return { kind, data: bytes, mimetype: mediaType, seconds, waveform: Uint8Array.from(waveform) }
  }
  return { kind, data: examplePicture(Math.floor(Math.random() * 4)), mimetype: 'image/png', ...examplePictureSize }
}

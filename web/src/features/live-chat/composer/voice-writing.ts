import type { VoiceMessage } from '../../../components/voice-message.ts'
import type { Writing } from '../outbox/outgoing.ts'

export const voiceWriting = ({ sound, as, seconds, waveform }: VoiceMessage): Writing => ({
  content: '',
  file: {
    bytes: sound,
    media: {
      as,
      mediaType: sound.type,
      bytes: sound.size,
      fileName: null,
      seconds,
      width: null,
      height: null,
      waveform,
      preview: null,
      uploadedId: null,
    },
  },
})

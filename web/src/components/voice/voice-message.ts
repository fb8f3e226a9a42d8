export interface VoiceMessage {
  /** Ogg with Opus for `voice`; else what the browser recorded. */
  sound: Blob
  as: 'voice' | 'audio'
  seconds: number
  waveform: number[]
}

export type Converter = Pick<typeof import('../../lib/voice/to-voice-message.ts'), 'NoVoiceMessage' | 'toVoiceMessage'>

export const importConverter = () => import('../../lib/voice/to-voice-message.ts')

/** Falls back to `audio` in a format that WhatsApp plays. */
export const voiceMessageOf = async (
  sound: Blob,
  loadConverter: () => Promise<Converter>,
): Promise<Pick<VoiceMessage, 'sound' | 'as'>> => {
  if (sound.type.startsWith('audio/ogg')) return { sound, as: 'voice' }
  const { NoVoiceMessage, toVoiceMessage } = await loadConverter()
  try {
    return { sound: await toVoiceMessage(sound), as: 'voice' }
  } catch (error) {
    if (error instanceof NoVoiceMessage && sound.type.startsWith('audio/mp4')) return { sound, as: 'audio' }
    throw error
  }
}

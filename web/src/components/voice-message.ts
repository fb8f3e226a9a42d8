export interface VoiceMessage {
  /** Ogg with Opus for `voice`; for `audio` what else the browser recorded. */
  sound: Blob
  as: 'voice' | 'audio'
  seconds: number
  waveform: number[]
}

/** Turns what browsers record into what WhatsApp shows as a voice message. */
export type Converter = Pick<typeof import('../lib/voice/to-voice-message.ts'), 'NoVoiceMessage' | 'toVoiceMessage'>

export const importConverter = () => import('../lib/voice/to-voice-message.ts')

/** The sound as it is sent; one that cannot become a voice message goes as a sound where WhatsApp can play it. */
export const voiceMessageOf = async (
  sound: Blob,
  loadConverter: () => Promise<Converter>,
): Promise<Pick<VoiceMessage, 'sound' | 'as'>> => {
  if (sound.type.startsWith('audio/ogg')) return { sound, as: 'voice' }
  const { NoVoiceMessage, toVoiceMessage } = await loadConverter()
  try {
    return { sound: await toVoiceMessage(sound), as: 'voice' }
  } catch (error) {
    // It is a sound all the same, only not shown as a voice message.
    if (error instanceof NoVoiceMessage && sound.type.startsWith('audio/mp4')) return { sound, as: 'audio' }
    throw error
  }
}

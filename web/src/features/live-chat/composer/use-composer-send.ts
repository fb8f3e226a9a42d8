import { useAtom } from 'jotai'
import type { VoiceMessage } from '../../../components/voice/voice-message.ts'
import { quotingAtom } from '../atoms.ts'
import type { Writing } from '../outbox/outgoing.ts'
import type { Attachments } from './attachments/use-attachments.ts'
import type { useComposerText } from './use-composer-text.ts'
import type { Typing } from './use-typing.ts'

const voiceWriting = ({ sound, as, seconds, waveform }: VoiceMessage): Writing => ({
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

interface Options {
  contactId: string
  written: ReturnType<typeof useComposerText>
  attachments: Attachments
  canSend: boolean
  typing: Typing
  onSend: (writing: Writing) => void
}

/** Sends the edit, the attached files or the text; the last two answer `quoted`. */
export const useComposerSend = ({ contactId, written, attachments, canSend, typing, onSend }: Options) => {
  const { editing, text, setText } = written
  const [quoting, setQuoting] = useAtom(quotingAtom)
  const quoted = quoting[contactId] ?? null
  const forgetQuote = () => setQuoting(({ [contactId]: _quoted, ...others }) => others)
  return {
    quoted,
    forgetQuote,
    send: () => {
      if (!canSend) return
      if (editing.message) return editing.save()
      typing.stop()
      if (attachments.going.length > 0) attachments.sendAll(quoted)
      else {
        onSend({ content: text, quoted })
        setText('')
      }
      forgetQuote()
    },
    sendVoice: (message: VoiceMessage) => {
      onSend({ ...voiceWriting(message), quoted })
      forgetQuote()
    },
  }
}

import Box from '@mui/material/Box'
import IconButton from '@mui/material/IconButton'
import Typography from '@mui/material/Typography'
import { maximumTextLength } from '@prosa/contracts/values/lengths'
import { useAtom } from 'jotai'
import { type KeyboardEvent, type Ref, type RefObject, useEffect, useId, useRef, useState } from 'react'
import MicRounded from '~icons/ic/round-mic'
import { KeyHint } from '../../components/key-hint.tsx'
import { lazyPart } from '../../components/lazy-part.tsx'
import { SendButton } from '../../components/send-button.tsx'
import type { KeptRecording, VoiceMessage } from '../../components/voice-recorder.tsx'
import type { WayOut } from '../../lib/connections.ts'
import { plural } from '../../lib/format.ts'
import { personalStorageEpoch } from '../../lib/personal-storage.ts'
import { useToast } from '../../lib/toast.tsx'
import { keptRecordingsAtom, quotingAtom } from './atoms.ts'
import { AttachButton } from './attachments/attach-button.tsx'
import { useEditing } from './corrections/use-editing.ts'
import { EmojiButton } from './emoji/emoji-button.tsx'
import { GrowingTextarea } from './growing-textarea.tsx'
import { QuoteBar } from './quote-bar.tsx'
import type { Attachments } from './use-attachments.ts'
import { useCaret } from './use-caret.ts'
import { useDraft } from './use-draft.ts'
import type { Writing } from './use-outbox.ts'
import { useQuickReplies } from './use-quick-replies.ts'
import { useTyping } from './use-typing.ts'

const AttachmentTray = lazyPart(async () => (await import('./attachments/attachment-tray.tsx')).AttachmentTray)
const QuickReplyPopup = lazyPart(async () => (await import('./quick-reply-popup.tsx')).QuickReplyPopup)
const EditBar = lazyPart(async () => (await import('./corrections/correction-parts.tsx')).EditBar)
const VoiceRecorder = lazyPart(
  async () => (await import('../../components/voice-recorder.tsx')).VoiceRecorder,
  <Box sx={{ minHeight: 44 }} />,
)

/** From here on the composer says how many characters are left. */
const counterFrom = 3_900

const lengthSentence = (length: number): string =>
  length > maximumTextLength
    ? `${plural(length - maximumTextLength, 'caractere', 'caracteres')} além do limite`
    : `${plural(maximumTextLength - length, 'caractere restante', 'caracteres restantes')}`

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

interface Props {
  contactId: string
  contactName: string
  /** As the contact is called here; null where that is not known. */
  name: string | null
  way: WayOut
  attachments: Attachments
  isRecording: boolean
  inputRef: RefObject<HTMLTextAreaElement | null>
  attachRef: Ref<HTMLButtonElement>
  onAttach: (files: readonly File[], asDocument: boolean) => void
  onRecord: (recording: boolean) => void
  onSend: (writing: Writing) => void
  onLeave: () => void
  /** ↑ in an empty box: into the messages. */
  onUp: () => void
}

/** What stands in the box: a message that is edited, the caption of the attachment that is chosen, or the draft. */
const useText = (contactId: string, { going, setCaption }: Attachments) => {
  const editing = useEditing(contactId)
  const [draft, setDraft] = useDraft(contactId)
  const [chosenId, choose] = useState<string | null>(null)
  const chosen = editing.message ? undefined : (going.find(({ id }) => id === chosenId) ?? going[0])
  if (editing.message) return { editing, chosen, choose, text: editing.text, setText: editing.setText }
  return {
    editing,
    chosen,
    choose,
    text: chosen ? chosen.caption : draft,
    setText: chosen ? (text: string) => setCaption(chosen.id, text) : setDraft,
  }
}

/** What was being recorded for the contact when something else was opened. */
const useKeptRecording = (contactId: string, contactName: string) => {
  const toast = useToast()
  const [all, setAll] = useAtom(keptRecordingsAtom)
  const [epoch] = useState(personalStorageEpoch)
  return {
    kept: all[contactId] ?? null,
    keep: (recording: KeptRecording) => {
      // Who signed out leaves nothing.
      if (personalStorageEpoch() !== epoch) return
      setAll((others) => ({ ...others, [contactId]: recording }))
      toast({
        kind: 'info',
        title: 'A gravação ficou guardada',
        description: `Ela espera na conversa com ${contactName}.`,
      })
    },
    forget: () => setAll(({ [contactId]: _kept, ...others }) => others),
  }
}

/**
 * Where the answer is written: Enter sends, Shift+Enter breaks the line, Esc lets go of the quoted message, then goes back
 * to the list. With files attached the text is the caption of the chosen one.
 */
export const Composer = (props: Props) => {
  const { contactId, way, attachments, isRecording, onSend, onRecord } = props
  const { editing, chosen, choose, text, setText } = useText(contactId, attachments)
  const canWrite = way !== 'none'
  // Nothing is taken away under somebody's hands: the box stays while they are in it, and as long as there is something in it.
  const [isWriting, setWriting] = useState(false)
  const disabled = !canWrite && !isWriting && text === ''
  const [quoting, setQuoting] = useAtom(quotingAtom)
  const quoted = quoting[contactId] ?? null
  const recording = useKeptRecording(contactId, props.contactName)
  const caret = useCaret(props.inputRef, text, setText)
  const quickReplies = useQuickReplies({ text, active: canWrite, name: props.name, onChoose: caret.replace })
  const typing = useTyping(contactId)
  const counterId = useId()

  const isEditing = editing.message !== null
  const files = isEditing ? [] : attachments.going
  const tooLong = text.length > maximumTextLength || files.some(({ caption }) => caption.length > maximumTextLength)
  const hasContent = files.length > 0 || text.trim() !== ''
  const canSend = canWrite && hasContent && !tooLong

  const forgetQuote = () => setQuoting(({ [contactId]: _quoted, ...others }) => others)

  const send = () => {
    if (!canSend) return
    if (isEditing) return editing.save()
    typing.stop()
    if (files.length > 0) attachments.sendAll(quoted)
    else {
      onSend({ content: text, quoted })
      setText('')
    }
    forgetQuote()
  }

  const sendVoice = (message: VoiceMessage) => {
    onSend({ ...voiceWriting(message), quoted })
    recording.forget()
    forgetQuote()
  }

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing || quickReplies.onKeyDown(event)) return
    if (event.ctrlKey && event.key === ';') {
      event.preventDefault()
      event.currentTarget.closest('form')?.querySelector<HTMLElement>('[data-emoji]')?.click()
    } else if (event.key === 'Enter' && !event.shiftKey) {
      event.preventDefault()
      send()
    } else if (event.key === 'Escape') {
      event.preventDefault()
      if (isEditing) editing.cancel()
      else if (quoted) forgetQuote()
      else props.onLeave()
    } else if (event.key === 'ArrowUp' && text === '' && files.length === 0 && !isEditing) {
      event.preventDefault()
      if (event.ctrlKey || !editing.beginLast()) props.onUp()
    }
  }

  const write = (written: string) => {
    setText(written)
    if (written.trim() === '') typing.stop()
    else if (way === 'open' && !chosen && !isEditing) typing.tell('typing')
  }

  // While it records, the contact is told again and again.
  const { tell } = typing
  useEffect(() => {
    if (!isRecording || way !== 'open') return
    tell('recording')
    const timer = setInterval(() => tell('recording'), 4_000)
    return () => clearInterval(timer)
  }, [isRecording, tell, way])

  // The recorder had the focus; it goes back to where the answer is written.
  const wasRecording = useRef(false)
  const { inputRef } = props
  useEffect(() => {
    if (wasRecording.current && !isRecording) inputRef.current?.focus()
    wasRecording.current = isRecording
  }, [isRecording, inputRef])

  const label = canWrite
    ? 'Digite uma mensagem ou / para respostas rápidas'
    : 'Conecte o WhatsApp para enviar mensagens'
  return (
    <Box
      component="form"
      onSubmit={(event) => {
        event.preventDefault()
        send()
      }}
      sx={{
        position: 'relative',
        px: { xs: 2, md: 4 },
        py: 2,
        pb: 'max(8px, env(safe-area-inset-bottom))',
        bgcolor: 'surface',
        borderTop: '1px solid',
        borderColor: 'divider',
      }}
    >
      {quickReplies.popup && <QuickReplyPopup {...quickReplies.popup} />}
      {editing.message && <EditBar message={editing.message} onClose={editing.cancel} />}
      {quoted && !isEditing && <QuoteBar message={quoted} contactName={props.contactName} onClose={forgetQuote} />}
      {attachments.all.length > 0 && !isEditing && (
        <AttachmentTray attachments={attachments} chosen={chosen} onChoose={choose} />
      )}
      {recording.kept && !isRecording && (
        <VoiceRecorder kept={recording.kept} onSend={sendVoice} onKeep={recording.keep} onClose={recording.forget} />
      )}
      {isRecording ? (
        <VoiceRecorder
          onSend={sendVoice}
          onKeep={recording.keep}
          onClose={() => {
            typing.stop()
            onRecord(false)
          }}
        />
      ) : (
        <Box
          onFocus={() => setWriting(true)}
          onBlur={() => setWriting(false)}
          sx={{ display: 'flex', alignItems: 'flex-end', gap: { xs: 0, md: 1 } }}
        >
          <AttachButton buttonRef={props.attachRef} disabled={!canWrite || isEditing} onFiles={props.onAttach} />
          <EmojiButton disabled={!canWrite} onChoose={caret.insert} onClose={() => inputRef.current?.focus()} />
          <GrowingTextarea
            {...quickReplies.inputProps}
            ref={inputRef}
            value={text}
            onChange={(event) => write(event.target.value)}
            onKeyDown={onKeyDown}
            disabled={disabled}
            placeholder={chosen ? 'Legenda' : label}
            aria-label={isEditing ? 'Editar mensagem' : chosen ? `Legenda de ${chosen.file.name}` : label}
            aria-invalid={tooLong}
            aria-describedby={text.length >= counterFrom ? counterId : undefined}
            dir="auto"
            enterKeyHint="send"
          />
          <KeyHint title="Gravar mensagem de voz" keys={['Ctrl', 'M']}>
            <span>
              <IconButton
                aria-label="Gravar mensagem de voz"
                color="secondary"
                disabled={!canWrite || isEditing || files.length > 0 || recording.kept !== null}
                onClick={() => onRecord(true)}
                sx={{ width: 44, height: 44 }}
              >
                <MicRounded />
              </IconButton>
            </span>
          </KeyHint>
          <SendButton type="submit" label={isEditing ? 'Salvar a edição' : 'Enviar'} disabled={!canSend} />
        </Box>
      )}
      {(way === 'waiting' || (!canWrite && text !== '')) && (
        <Typography role="status" variant="caption" component="p" sx={{ pt: 1, color: 'warn' }}>
          {way === 'waiting'
            ? 'Aguardando a conexão: o que você enviar fica guardado.'
            : 'Conecte o WhatsApp para enviar mensagens. O que você escreveu fica aqui.'}
        </Typography>
      )}
      {text.length >= counterFrom && (
        <Typography
          id={counterId}
          role="status"
          variant="caption"
          sx={{ display: 'block', pt: 1, color: tooLong ? 'danger' : 'text.secondary' }}
        >
          {lengthSentence(text.length)}
        </Typography>
      )}
    </Box>
  )
}

import Box from '@mui/material/Box'
import IconButton from '@mui/material/IconButton'
import { maximumTextLength } from '@prosa/contracts/values/lengths'
import { useAtom } from 'jotai'
import { type ReactNode, type Ref, type RefObject, useId, useLayoutEffect, useRef, useState } from 'react'
import MicRounded from '~icons/ic/round-mic'
import { KeyHint } from '../../../components/key-hint.tsx'
import { lazyPart } from '../../../components/layout/lazy-part.tsx'
import { SendButton } from '../../../components/send-button.tsx'
import type { UnsentRecording } from '../../../components/voice/use-voice-recording.ts'
import type { VoiceMessage } from '../../../components/voice/voice-message.ts'
import { personalStorageEpoch } from '../../../lib/browser/personal-storage.ts'
import { useToast } from '../../../lib/toast.ts'
import { unsentRecordingsAtom } from '../atoms.ts'
import type { ConversationLine } from '../line/conversation-line.ts'
import type { Writing } from '../outbox/outgoing.ts'
import { AttachButton } from './attachments/attach-button.tsx'
import type { Attachments } from './attachments/use-attachments.ts'
import { composerKeys } from './composer-keys.ts'
import { EmojiButton } from './emoji/emoji-button.tsx'
import { GrowingTextarea } from './growing-textarea.tsx'
import { useQuickReplies } from './quick-replies/use-quick-replies.ts'
import { useComposerSend } from './use-composer-send.ts'
import { hasCounter, useComposerText } from './use-composer-text.ts'
import { useFocusAfterRecording, useRecordingNotice } from './use-recording.ts'
import { useTyping } from './use-typing.ts'

const useUnsentRecording = (contactId: string, contactName: string) => {
  const toast = useToast()
  const [all, setAll] = useAtom(unsentRecordingsAtom)
  const [epoch] = useState(personalStorageEpoch)
  return {
    unsent: all[contactId] ?? null,
    keep: (recording: UnsentRecording) => {
      // Nothing survives a sign-out.
      if (personalStorageEpoch() !== epoch) return
      setAll((others) => ({ ...others, [contactId]: recording }))
      toast({
        kind: 'info',
        title: 'A gravação ficou guardada',
        description: `Ela espera na conversa com ${contactName}.`,
      })
    },
    forget: () => setAll(({ [contactId]: _unsent, ...others }) => others),
  }
}

const useCaret = (input: RefObject<HTMLTextAreaElement | null>, text: string, setText: (text: string) => void) => {
  const wanted = useRef<number | null>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the caret is right once the field has the new text
  useLayoutEffect(() => {
    const caret = wanted.current
    wanted.current = null
    if (caret !== null) input.current?.setSelectionRange(caret, caret)
  }, [text, input])

  const replace = (from: number, to: number, words: string) => {
    wanted.current = from + words.length
    setText(text.slice(0, from) + words + text.slice(to))
  }
  return {
    replace,
    /** Replaces the selection, or inserts at the last caret position; the caret follows. */
    insert: (words: string) => {
      const { selectionStart = text.length, selectionEnd = text.length } = input.current ?? {}
      replace(selectionStart, selectionEnd, words)
    },
  }
}

const RecordButton = ({ disabled, onClick }: { disabled: boolean; onClick: () => void }) => (
  <KeyHint title="Gravar mensagem de voz" keys={['Ctrl', 'M']}>
    <span>
      <IconButton
        aria-label="Gravar mensagem de voz"
        color="secondary"
        disabled={disabled}
        onClick={onClick}
        sx={{ width: 44, height: 44 }}
      >
        <MicRounded />
      </IconButton>
    </span>
  </KeyHint>
)

const ComposerForm = ({ onSubmit, children }: { onSubmit: () => void; children: ReactNode }) => (
  <Box
    component="form"
    onSubmit={(event) => {
      event.preventDefault()
      onSubmit()
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
    {children}
  </Box>
)

const QuoteBar = lazyPart(async () => (await import('./composer-bars.tsx')).QuoteBar)
const EditBar = lazyPart(async () => (await import('./composer-bars.tsx')).EditBar)
const ComposerNotices = lazyPart(async () => (await import('./composer-notices.tsx')).ComposerNotices)
const AttachmentTray = lazyPart(async () => (await import('./attachments/attachment-tray.tsx')).AttachmentTray)
const QuickReplyPopup = lazyPart(async () => (await import('./quick-replies/quick-reply-popup.tsx')).QuickReplyPopup)
const VoiceRecorder = lazyPart(
  async () => (await import('../../../components/voice/voice-recorder.tsx')).VoiceRecorder,
  <Box sx={{ minHeight: 44 }} />,
)

interface Props {
  contactId: string
  contactName: string
  name: string | null
  line: ConversationLine
  attachments: Attachments
  isRecording: boolean
  inputRef: RefObject<HTMLTextAreaElement | null>
  attachRef: Ref<HTMLButtonElement>
  onAttach: (files: readonly File[], asDocument: boolean) => void
  onRecord: (recording: boolean) => void
  onSend: (writing: Writing) => void
  onLeave: () => void
  onUp: () => void
}

/** What is written, with the keys that send it, leave it or take it back. Esc drops the quote, then returns to the list. */
const useComposer = (props: Props) => {
  const { contactId, attachments } = props
  const { way } = props.line
  const written = useComposerText(contactId, attachments)
  const { editing, chosen, text, setText } = written
  const canWrite = way !== 'none'
  const caret = useCaret(props.inputRef, text, setText)
  const quickReplies = useQuickReplies({ text, active: canWrite, name: props.name, contactId, onChoose: caret.replace })
  const typing = useTyping(contactId)

  const isEditing = editing.message !== null
  const files = isEditing ? [] : attachments.going
  const tooLong = text.length > maximumTextLength || files.some(({ caption }) => caption.length > maximumTextLength)
  const hasContent = files.length > 0 || text.trim() !== ''
  const canSend = canWrite && hasContent && !tooLong
  const sending = useComposerSend({ contactId, written, attachments, canSend, typing, onSend: props.onSend })

  const onKeyDown = composerKeys({
    isEmpty: text === '' && files.length === 0 && !isEditing,
    onQuickReplyKey: quickReplies.onKeyDown,
    onSend: sending.send,
    onEscape: () => {
      if (isEditing) editing.cancel()
      else if (sending.quoted) sending.forgetQuote()
      else props.onLeave()
    },
    onUp: (withCtrl) => {
      if (withCtrl || !editing.beginLast()) props.onUp()
    },
  })
  const write = (next: string) => {
    setText(next)
    if (next.trim() === '') typing.stop()
    else if (way === 'open' && !chosen && !isEditing) typing.notify('typing')
  }
  return {
    ...written,
    ...sending,
    canWrite,
    canSend,
    isEditing,
    files,
    tooLong,
    caret,
    quickReplies,
    typing,
    onKeyDown,
    write,
  }
}

interface FieldProps extends Pick<Props, 'inputRef' | 'attachRef' | 'onAttach' | 'onRecord'> {
  composer: ReturnType<typeof useComposer>
  canRecord: boolean
  counterId: string
}

const ComposerField = ({ composer, canRecord, counterId, inputRef, attachRef, onAttach, onRecord }: FieldProps) => {
  const { canWrite, isEditing, chosen, text } = composer
  // The box stays enabled while it is focused or has text.
  const [isWriting, setWriting] = useState(false)
  const label = canWrite
    ? 'Digite uma mensagem ou / para respostas rápidas'
    : 'Conecte o WhatsApp para enviar mensagens'
  return (
    <Box
      onFocus={() => setWriting(true)}
      onBlur={() => setWriting(false)}
      sx={{ display: 'flex', alignItems: 'flex-end', gap: { xs: 0, md: 1 } }}
    >
      <AttachButton buttonRef={attachRef} disabled={!canWrite || isEditing} onFiles={onAttach} />
      <EmojiButton disabled={!canWrite} onChoose={composer.caret.insert} onClose={() => inputRef.current?.focus()} />
      <GrowingTextarea
        {...composer.quickReplies.inputProps}
        ref={inputRef}
        value={text}
        onChange={(event) => composer.write(event.target.value)}
        onKeyDown={composer.onKeyDown}
        disabled={!canWrite && !isWriting && text === ''}
        placeholder={chosen ? 'Legenda' : label}
        aria-label={isEditing ? 'Editar mensagem' : chosen ? `Legenda de ${chosen.file.name}` : label}
        aria-invalid={composer.tooLong}
        aria-describedby={hasCounter(text) ? counterId : undefined}
        dir="auto"
        enterKeyHint="send"
      />
      <RecordButton
        disabled={!canWrite || isEditing || composer.files.length > 0 || !canRecord}
        onClick={() => onRecord(true)}
      />
      <SendButton type="submit" label={isEditing ? 'Salvar a edição' : 'Enviar'} disabled={!composer.canSend} />
    </Box>
  )
}

export const Composer = (props: Props) => {
  const { contactId, attachments, isRecording, inputRef, onRecord } = props
  const composer = useComposer(props)
  const { editing, isEditing, quoted, typing, text, tooLong } = composer
  const recording = useUnsentRecording(contactId, props.contactName)
  const counterId = useId()
  const sendRecording = (message: VoiceMessage) => {
    composer.sendVoice(message)
    recording.forget()
  }
  useRecordingNotice(isRecording, props.line.way, typing)
  useFocusAfterRecording(isRecording, inputRef)

  return (
    <ComposerForm onSubmit={composer.send}>
      {composer.quickReplies.popup && <QuickReplyPopup {...composer.quickReplies.popup} />}
      {editing.message && <EditBar message={editing.message} onClose={editing.cancel} />}
      {quoted && !isEditing && (
        <QuoteBar message={quoted} contactName={props.contactName} onClose={composer.forgetQuote} />
      )}
      {attachments.all.length > 0 && !isEditing && (
        <AttachmentTray attachments={attachments} chosen={composer.chosen} onChoose={composer.choose} />
      )}
      {recording.unsent && !isRecording && (
        <VoiceRecorder
          unsent={recording.unsent}
          onSend={sendRecording}
          onKeep={recording.keep}
          onClose={recording.forget}
        />
      )}
      {isRecording ? (
        <VoiceRecorder
          onSend={sendRecording}
          onKeep={recording.keep}
          onClose={() => {
            typing.stop()
            onRecord(false)
          }}
        />
      ) : (
        <ComposerField
          {...{ composer, counterId, inputRef, onRecord }}
          canRecord={recording.unsent === null}
          attachRef={props.attachRef}
          onAttach={props.onAttach}
        />
      )}
      <ComposerNotices
        {...{ contactId, text, tooLong, counterId }}
        line={props.line}
        onFocusLost={() => inputRef.current?.focus()}
      />
    </ComposerForm>
  )
}

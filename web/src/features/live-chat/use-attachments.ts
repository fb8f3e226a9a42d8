import { useAtom, useStore } from 'jotai'
import { useCallback, useMemo, useRef } from 'react'
import { attachmentsAtom } from './atoms.ts'
import type { Attachment } from './attachments/attachment.ts'
import { type AttachmentKind, kindsOf, refusalOf } from './attachments/attachment-kind.ts'
import { describeFile } from './attachments/describe-file.ts'
import type { OutgoingMedia } from './outgoing.ts'
import { useOutbox, type Writing } from './use-outbox.ts'

/** More files at once are a slip of the hand. */
export const maximumAttachments = 30

const none: Attachment[] = []
const isGoing = ({ refusal }: Attachment): boolean => refusal === null

/** What goes on its way: a document as it is, anything else as it was described. */
const writingsOf = async (attachment: Attachment, quoted: Writing['quoted']): Promise<Writing[]> => {
  const described = await attachment.description
  const kind = described === null && attachment.kind === 'image' ? 'document' : attachment.kind
  const seen = kind === 'document' ? null : described
  const bytes = seen?.file ?? attachment.file
  const media: OutgoingMedia = {
    as: kind,
    mediaType: bytes.type || 'application/octet-stream',
    bytes: bytes.size,
    fileName: attachment.file.name || null,
    seconds: seen?.seconds ?? null,
    width: seen?.width ?? null,
    height: seen?.height ?? null,
    waveform: null,
    preview: seen?.preview ?? null,
    uploadedId: null,
  }
  const caption = attachment.caption.trim()
  const file = { bytes, media }
  // WhatsApp shows no caption under a sound.
  if (kind === 'audio' && caption !== '') return [{ content: '', quoted, file }, { content: caption }]
  return [{ content: caption, quoted, file }]
}

/** The files attached to one conversation; they stay there while another one is in view. */
export const useAttachments = (contactId: string) => {
  const store = useStore()
  const [all, setAll] = useAtom(attachmentsAtom)
  const { send } = useOutbox()
  const attachments = all[contactId] ?? none
  const busy = useRef(false)

  const update = useCallback(
    (change: (mine: Attachment[]) => Attachment[]) =>
      setAll(({ [contactId]: mine = none, ...others }) => {
        const changed = change(mine)
        return changed.length === 0 ? others : { ...others, [contactId]: changed }
      }),
    [contactId, setAll],
  )

  const change = useCallback(
    (id: string, changed: Partial<Attachment>) =>
      update((mine) => mine.map((one) => (one.id === id ? { ...one, ...changed } : one))),
    [update],
  )

  const attach = useCallback(
    (file: File, asDocument: boolean): Attachment => {
      const id = `${contactId} ${newNumber()}`
      const kinds = kindsOf(file)
      const kind: AttachmentKind = asDocument ? 'document' : (kinds[0] ?? 'document')
      const address = URL.createObjectURL(file)
      const refusal = refusalOf(file, kind)
      const describe = async () => {
        const look = kinds[0] ?? 'document'
        const described = await describeFile(file, look, address)
        change(id, { width: described.width, height: described.height })
        return described
      }
      // Whatever the reason: what cannot be looked into can still be sent as a file.
      const description = describe().catch(() => {
        change(id, { kind: 'document', kinds: ['document'], refusal: refusalOf(file, 'document') })
        return null
      })
      return { id, file, address, kind, kinds, caption: '', refusal, description, width: null, height: null }
    },
    [change, contactId],
  )

  /**
   * Answers how many files were left out because they are too many, and whether one of the others took the caption: a file
   * that cannot go has none.
   */
  const add = useCallback(
    (files: readonly File[], { asDocument = false, caption = '' } = {}) => {
      const room = maximumAttachments - (store.get(attachmentsAtom)[contactId]?.length ?? 0)
      const taken = files.slice(0, Math.max(0, room))
      const added = taken.map((file) => attach(file, asDocument))
      const first = added.find(isGoing)?.id
      update((mine) => [...mine, ...added.map((one) => (one.id === first ? { ...one, caption } : one))])
      return { leftOut: files.length - taken.length, takesCaption: first !== undefined }
    },
    [attach, contactId, store, update],
  )

  const remove = useCallback(
    (id: string) => {
      const gone = store.get(attachmentsAtom)[contactId]?.find((one) => one.id === id)
      if (gone) URL.revokeObjectURL(gone.address)
      update((mine) => mine.filter((one) => one.id !== id))
    },
    [contactId, store, update],
  )

  const setKind = useCallback(
    ({ id, file }: Attachment, kind: AttachmentKind) => change(id, { kind, refusal: refusalOf(file, kind) }),
    [change],
  )

  /** Sends all that can go in their order, the first as an answer to `quoted`. Each stays in the tray until it is on its way. */
  const sendAll = useCallback(
    async (quoted: Writing['quoted']) => {
      const mine = () => (store.get(attachmentsAtom)[contactId] ?? none).filter(isGoing)
      if (busy.current) return
      busy.current = true
      try {
        for (let answers = quoted, next = mine()[0]; next; next = mine()[0]) {
          const { id } = next
          await next.description
          const latest = mine().find((one) => one.id === id)
          if (!latest) continue
          const writings = await writingsOf(latest, answers)
          remove(id)
          for (const writing of writings) send(contactId, writing)
          answers = null
        }
      } finally {
        busy.current = false
      }
    },
    [contactId, remove, send, store],
  )

  return {
    /** Those that can be sent, and those that cannot: why stands with them. */
    going: useMemo(() => attachments.filter(isGoing), [attachments]),
    refused: useMemo(() => attachments.filter((one) => !isGoing(one)), [attachments]),
    add,
    remove,
    setKind,
    setCaption: (id: string, caption: string) => change(id, { caption }),
    sendAll,
  }
}

let lastNumber = 0
const newNumber = () => {
  lastNumber += 1
  return lastNumber
}

export type Attachments = ReturnType<typeof useAttachments>

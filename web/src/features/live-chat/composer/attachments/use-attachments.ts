import { useAtom, useStore } from 'jotai'
import { useMemo } from 'react'
import { newKey } from '../../../../lib/http/http.ts'
import { attachmentsAtom, draftsAtom } from '../../atoms.ts'
import type { OutgoingMedia, Writing } from '../../outbox/outgoing.ts'
import { useOutbox } from '../../outbox/use-outbox.ts'
import { useDraft } from '../use-draft.ts'
import type { Attachment, GoingAttachment } from './attachment.ts'
import { type AttachmentKind, kindsOf, refusalOf } from './attachment-kind.ts'
import { describeFile } from './describe-file.ts'

/** More at once are a mistake. */
export const maximumAttachments = 30

const none: Attachment[] = []
const isLeaving = ({ leaving }: Attachment): boolean => leaving !== null
const isGoing = ({ refusal, leaving }: Attachment): boolean => refusal === null && leaving === null

/** The draft is the caption of the first file without its own. */
const heirOf = (attachments: Attachment[]) => attachments.find((one) => isGoing(one) && one.caption === null)

const writingsOf = (attachment: Attachment): Writing[] => {
  const { described = null } = attachment
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
  const content = attachment.caption?.trim() ?? ''
  const quoted = attachment.leaving?.quoted
  const file = { bytes, media }
  // WhatsApp shows no caption under audio.
  if (kind === 'audio' && content !== '') return [{ content: '', quoted, file }, { content }]
  return [{ content, quoted, file }]
}

/** A null drops the file; contacts without files drop out. */
const edited = (all: Record<string, Attachment[]>, edit: (one: Attachment) => Attachment | null) =>
  Object.fromEntries(
    Object.entries(all)
      .map(([contactId, files]) => [contactId, files.map(edit).filter((one) => one !== null)] as const)
      .filter(([, files]) => files.length > 0),
  )

/** By attachment id, because a merge may move files to another contact. */
const useTray = () => {
  const store = useStore()
  const { send } = useOutbox()
  return useMemo(() => {
    const update = (edit: (one: Attachment) => Attachment | null) =>
      store.set(attachmentsAtom, (all) => edited(all, edit))
    const change = (id: string, changed: Partial<Attachment>) =>
      update((one) => (one.id === id ? { ...one, ...changed } : one))

    const drop = ({ id, address }: Attachment) => {
      URL.revokeObjectURL(address)
      update((one) => (one.id === id ? null : one))
    }

    const besides = (id: string) =>
      Object.entries(store.get(attachmentsAtom)).find(([, files]) => files.some((one) => one.id === id)) ?? ['', none]

    /** The caption of an unsent file joins the draft. */
    const keepWords = (id: string) => {
      const [contactId, files] = besides(id)
      const words = files.find((one) => one.id === id)?.caption
      if (!words) return
      change(id, { caption: null })
      store.set(draftsAtom, ({ [contactId]: written, ...others }) => ({
        ...others,
        [contactId]: written ? `${words}\n${written}` : words,
      }))
    }

    /** In order, up to the first that is still being prepared. */
    const letLeave = (id: string) => {
      const [contactId, files] = besides(id)
      for (const one of files) {
        if (!one.leaving) continue
        if (one.described === undefined) return
        const goes = one.refusal === null
        if (goes) drop(one)
        else {
          keepWords(one.id)
          change(one.id, { leaving: null })
        }
        for (const writing of [...(goes ? writingsOf(one) : []), ...one.leaving.after]) send(contactId, writing)
      }
    }

    const sendAfter = (contactId: string, writing: Writing) => {
      const last = store.get(attachmentsAtom)[contactId]?.findLast(isLeaving)
      if (!last?.leaving) send(contactId, writing)
      else change(last.id, { leaving: { ...last.leaving, after: [...last.leaving.after, writing] } })
    }

    const attach = (file: File, asDocument: boolean): Attachment => {
      const id = newKey()
      const kinds = kindsOf(file)
      const kind: AttachmentKind = asDocument ? 'document' : (kinds[0] ?? 'document')
      const address = URL.createObjectURL(file)
      const describe = async () => {
        try {
          change(id, { described: await describeFile(file, kinds[0] ?? 'document', address) })
        } catch {
          // Any unreadable file can still be sent as a document.
          const refusal = refusalOf(file, 'document')
          change(id, { described: null, kind: 'document', kinds: ['document'], refusal })
          if (refusal !== null) keepWords(id)
        }
        letLeave(id)
      }
      const isSeen = kinds.length > 1
      if (isSeen) void describe()
      const described = isSeen ? undefined : null
      return { id, file, address, kind, kinds, caption: null, refusal: refusalOf(file, kind), described, leaving: null }
    }

    return { update, change, drop, keepWords, letLeave, sendAfter, attach }
  }, [send, store])
}

export const useAttachments = (contactId: string) => {
  const [all, setAll] = useAtom(attachmentsAtom)
  const [draft, setDraft] = useDraft(contactId)
  const tray = useTray()
  const attachments = all[contactId] ?? none
  const heir = heirOf(attachments)

  const going = useMemo(
    () =>
      attachments
        .filter(isGoing)
        .map((one): GoingAttachment => ({ ...one, caption: one === heir ? draft : (one.caption ?? '') })),
    [attachments, draft, heir],
  )

  return {
    all: attachments,
    going,
    /** Returns how many exceeded the limit. */
    add: (files: readonly File[], asDocument: boolean): number => {
      const room = maximumAttachments - attachments.filter((one) => !isLeaving(one)).length
      const taken = files.slice(0, Math.max(0, room)).map((file) => tray.attach(file, asDocument))
      if (taken.length > 0)
        setAll(({ [contactId]: mine = none, ...others }) => ({ ...others, [contactId]: [...mine, ...taken] }))
      return files.length - taken.length
    },
    remove: (attachment: Attachment) => {
      tray.keepWords(attachment.id)
      tray.drop(attachment)
    },
    setKind: ({ id, file }: Attachment, kind: AttachmentKind) =>
      tray.change(id, { kind, refusal: refusalOf(file, kind) }),
    setCaption: (id: string, caption: string) => (heir?.id === id ? setDraft(caption) : tray.change(id, { caption })),
    /** In order; the first answers `quoted`. */
    sendAll: (quoted: Writing['quoted']) => {
      const captions = new Map(going.map(({ id, caption }) => [id, caption]))
      const first = going[0]?.id ?? ''
      if (heir) setDraft('')
      tray.update((one) => {
        const caption = captions.get(one.id)
        if (caption === undefined) return one
        return { ...one, caption, leaving: { quoted: one.id === first ? quoted : null, after: [] } }
      })
      tray.letLeave(first)
    },
    send: (writing: Writing) => tray.sendAfter(contactId, writing),
  }
}

export type Attachments = ReturnType<typeof useAttachments>

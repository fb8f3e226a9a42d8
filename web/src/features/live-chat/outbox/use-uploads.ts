import { useAtomValue, useSetAtom, useStore } from 'jotai'
import { selectAtom } from 'jotai/utils'
import { useMemo } from 'react'
import { type Upload, uploadsAtom } from '../atoms.ts'

type Sender<T> = (file: Blob, options: { onProgress: (share: number) => void; signal: AbortSignal }) => Promise<T>

export class FileNotStored extends Error {
  override name = 'FileNotKept'
}

/** In memory. Stable between renders. */
export const useUploads = () => {
  const store = useStore()
  const setUploads = useSetAtom(uploadsAtom)
  return useMemo(() => {
    const change = (id: string, changed: Partial<Upload>) =>
      setUploads((all) => (all[id] ? { ...all, [id]: { ...all[id], ...changed } } : all))
    const has = (id: string) => store.get(uploadsAtom)[id] !== undefined

    const keep = (id: string, file: Blob) =>
      setUploads((all) => ({ ...all, [id]: { file, address: URL.createObjectURL(file), share: null, cancel: null } }))

    const send = async <T>(id: string, sender: Sender<T>): Promise<T> => {
      const upload = store.get(uploadsAtom)[id]
      if (!upload) throw new FileNotStored()
      const giveUp = new AbortController()
      change(id, { share: 0, cancel: () => giveUp.abort() })
      try {
        return await sender(upload.file, {
          onProgress: (share) => change(id, { share }),
          signal: giveUp.signal,
        })
      } finally {
        change(id, { share: null, cancel: null })
      }
    }

    const release = (ids: readonly string[]) => {
      const gone = new Set(ids.filter(has))
      if (gone.size === 0) return
      for (const id of gone) {
        const upload = store.get(uploadsAtom)[id]
        upload?.cancel?.()
        if (upload) URL.revokeObjectURL(upload.address)
      }
      setUploads((all) => Object.fromEntries(Object.entries(all).filter(([id]) => !gone.has(id))))
    }

    return { has, keep, send, release }
  }, [store, setUploads])
}

export const useUpload = (messageId: string): Upload | undefined =>
  useAtomValue(useMemo(() => selectAtom(uploadsAtom, (all) => all[messageId]), [messageId]))

import type { MediaAccepted } from '@prosa/contracts/http/media'
import { positionHeader } from '@prosa/contracts/http/problem'
import { addressOf, replyOf } from './call.ts'
import { notePosition, offline, problemIn } from './http.ts'

interface UploadOptions {
  /** 0 to 1. */
  onProgress: (share: number) => void
  signal: AbortSignal
}

const upload = 'POST /api/whatsapp/media'

/** Maximum time without progress or reply. */
const timeoutMs = 30_000

/** `fetch` reports no upload progress. Throws an `ApiProblem`, or the signal's reason when aborted. */
export const uploadFile = (file: Blob, { onProgress, signal }: UploadOptions): Promise<MediaAccepted> =>
  new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason)
    const sending = new XMLHttpRequest()
    const abort = () => sending.abort()
    let timeout = setTimeout(abort, timeoutMs)
    signal.addEventListener('abort', abort)
    sending.open('POST', addressOf(upload))
    sending.responseType = 'json'
    sending.setRequestHeader('accept', 'application/json')
    sending.setRequestHeader('content-type', 'application/octet-stream')
    sending.upload.onprogress = ({ loaded, total, lengthComputable }) => {
      clearTimeout(timeout)
      timeout = setTimeout(abort, timeoutMs)
      if (lengthComputable && total > 0) onProgress(loaded / total)
    }
    sending.onload = () => {
      notePosition(sending.getResponseHeader(positionHeader))
      if (sending.status === 201) resolve(replyOf(upload, sending.response))
      else reject(problemIn(sending.status, sending.response))
    }
    sending.onerror = () => reject(offline())
    sending.onabort = () => reject(signal.reason ?? offline())
    sending.onloadend = () => {
      clearTimeout(timeout)
      signal.removeEventListener('abort', abort)
    }
    sending.send(file)
  })

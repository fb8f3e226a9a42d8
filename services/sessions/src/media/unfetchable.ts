import type { MediaProblem } from './media.ts'

/** The file cannot be had, and trying again would not change it. */
export class Unfetchable extends Error {
  override name = 'Unfetchable'
  readonly reason: MediaProblem

  constructor(reason: MediaProblem, options?: ErrorOptions) {
    super(`media ${reason}`, options)
    this.reason = reason
  }
}

/** WhatsApp was out of reach, broke off or was busy: trying again may help. */
export class DownloadFailed extends Error {
  override name = 'DownloadFailed'
}

/** The tenant's room is reserved by files that are coming in, and may be free when they are here. */
export class StorageReserved extends Error {
  override name = 'StorageReserved'
}

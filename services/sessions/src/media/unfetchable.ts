import type { MediaProblem } from './media.ts'

/** A retry would not help. */
export class Unfetchable extends Error {
  override name = 'Unfetchable'
  readonly reason: MediaProblem

  constructor(reason: MediaProblem, options?: ErrorOptions) {
    super(`media ${reason}`, options)
    this.reason = reason
  }
}

/** A retry may help. */
export class DownloadFailed extends Error {
  override name = 'DownloadFailed'
}

/** Reserved by incoming files; some may be free later. */
export class StorageReserved extends Error {
  override name = 'StorageReserved'
}

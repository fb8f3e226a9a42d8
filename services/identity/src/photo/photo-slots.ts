import { Refused } from '@prosa/kernel/http/problem'

/** Per process, up to 5 MB each. */
const maxConcurrent = 16
const retryAfterSeconds = 10

export const photosBusy = () => new Refused('photos_busy', undefined, retryAfterSeconds)

export interface PhotoSlots {
  /** Returns the release; throws `photos_busy` beyond one per account or all. */
  take(userId: string): () => void
}

export const photoSlots = (): PhotoSlots => {
  const taken = new Set<string>()
  return {
    take(userId) {
      if (taken.has(userId) || taken.size >= maxConcurrent) throw photosBusy()
      taken.add(userId)
      return () => taken.delete(userId)
    },
  }
}

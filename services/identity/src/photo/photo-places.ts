import { Refused } from '@prosa/kernel/http/problem'

/** Pictures that come in or are decoded at the same time in a process, 5 MB each at most. */
const atOnce = 16
const retryAfterSeconds = 10

export const photosBusy = () => new Refused('photos_busy', undefined, retryAfterSeconds)

export interface PhotoPlaces {
  /** Takes the account's place and answers what gives it back; throws `photos_busy` where it has one already, or all are taken. */
  take(userId: string): () => void
}

export const photoPlaces = (): PhotoPlaces => {
  const taken = new Set<string>()
  return {
    take(userId) {
      if (taken.has(userId) || taken.size >= atOnce) throw photosBusy()
      taken.add(userId)
      return () => taken.delete(userId)
    },
  }
}

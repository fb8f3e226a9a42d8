import type { TimeSlice } from '../async/time-slice.ts'

/** Every check yields. */
export const shortestSlices: TimeSlice = { isDue: () => true, turn: async () => undefined }

import type { TimeSlice } from '../async/time-slice.ts'

/** A slice without end: work runs in one go. */
export const wholeTime: TimeSlice = { isDue: () => false, turn: async () => undefined }

/** The shortest slices there can be: whoever asks has to stop, each time. */
export const shortestSlices: TimeSlice = { isDue: () => true, turn: async () => undefined }

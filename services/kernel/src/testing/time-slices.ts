import type { TimeSlice } from '../async/time-slice.ts'

/** The shortest slices there can be: whoever asks has to stop, each time. */
export const shortestSlices: TimeSlice = { isDue: () => true, turn: async () => undefined }

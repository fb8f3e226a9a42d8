import { shortOrLong } from '@prosa/kernel/testing/long-form'
import { takesPictures } from './pictures.ts'

/**
 * Whether every step is taken: in `npm run test:long`, and where pictures are wanted. `npm test` leaves out the chapters whose
 * promises tests without a browser show too; the tests of `web/` and of the services name them in the same words.
 */
export const isLongWalk = shortOrLong(0, 1) === 1 || takesPictures

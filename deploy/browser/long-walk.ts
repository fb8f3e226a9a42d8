import { shortOrLong } from '@prosa/kernel/testing/long-form'
import { takesPictures } from './pictures.ts'

/** All chapters: in `npm run test:long` and for pictures. `npm test` skips those that tests without a browser cover. */
export const isLongWalk = shortOrLong(0, 1) === 1 || takesPictures

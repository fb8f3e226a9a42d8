import { refuse } from '@prosa/kernel/http/problem'

/** So many folders of flows one account may have. */
const max = 200

/** Refuses where an account that has so many would have one more than it may. */
export const requireRoomForFolder = (known: number): void => {
  if (known >= max) throw refuse('too_many_flow_folders')
}

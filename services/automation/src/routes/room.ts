import { refuse } from '@prosa/kernel/http/problem'

/** So many flows and folders one account may have. */
const most = { too_many_flows: 1000, too_many_flow_folders: 200 }

/** Refuses where there would be more than an account may have. */
export const requireRoom = (refusal: keyof typeof most, known: number, more = 1): void => {
  if (known + more > most[refusal]) throw refuse(refusal)
}

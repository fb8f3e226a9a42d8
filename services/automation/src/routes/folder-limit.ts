import { refuse } from '@prosa/kernel/http/problem'

/** Folders per tenant. */
const max = 200

export const requireFolderWithinLimit = (known: number): void => {
  if (known >= max) throw refuse('too_many_flow_folders')
}

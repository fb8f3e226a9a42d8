import type { Service } from '@prosa/kernel/ports'

/** Flows of conversation: drawn as drafts, published as versions, and run with each contact. */
export const automation: Service = {
  name: 'automation',
  async mount() {
    return {}
  },
}
